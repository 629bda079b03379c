"""Journal taken away from a running table: the table halts, loses nothing and begins no new file."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from structlog.testing import capture_logs

import controller.table.loop
from controller.config.paths import lasting_folder
from controller.core import events as e
from controller.journal import Bounds, Journal, JournalFailed, connection, read, verify
from controller.journal import archive as archiving
from controller.table.loop import Table
from controller.text.coded import render
from tests.disk import TRACE, TracedDisk, calls, lay_out
from tests.journal.test_journal import RECORDS
from tests.needs import strace
from tests.patience import on_loop
from tests.table.test_table import HOUSE, NATURAL, started

HALF = len(RECORDS) // 2


@pytest.fixture
def path(tmp_path) -> Path:
    """Path of a journal in a folder of its own, reached by a link."""
    (tmp_path / "disk").mkdir()
    link = tmp_path / "table.journal"
    link.symlink_to(tmp_path / "disk" / "real.journal")
    return link


@pytest.fixture
def journal(path) -> Iterator[Journal]:
    with closing(Journal(path)) as book:
        book.append(RECORDS[:HALF])
        book.watch()
        yield book


@pytest.fixture(autouse=True)
def impatient(monkeypatch) -> None:
    monkeypatch.setattr(controller.table.loop, "RETRY", 0.01)
    monkeypatch.setattr(controller.table.loop, "LOOK", 0.01)


def real(path: Path) -> Path:
    return path.resolve()


def beside(path: Path, end: str) -> Path:
    return real(path).with_name(real(path).name + end)


def copy_of(path: Path) -> Path:
    return Path(shutil.copy(path, real(path).with_name("copy")))


def another(path: Path) -> Path:
    other = real(path).with_name("other") / "other.journal"
    other.parent.mkdir(exist_ok=True)
    with closing(Journal(other)) as book:
        book.append(RECORDS[:2])
    return other


def copy_over(path: Path) -> None:
    """Overwrite the file as `cp` does: the same file with new content."""
    content = real(path).read_bytes()
    while real(path).stat().st_mtime_ns >= _now(path):  # the clock of a file system goes in steps
        pass
    real(path).write_bytes(content)


def _now(path: Path) -> int:
    probe = real(path).with_name("probe")
    probe.write_bytes(b"")
    return probe.stat().st_mtime_ns


WAYS: dict[str, Callable[[Path], object]] = {
    "removed": lambda path: real(path).unlink(),
    "moved": lambda path: real(path).rename(path.with_name("elsewhere")),
    "moved with its folder": lambda path: real(path).parent.rename(path.with_name("elsewhere")),
    "replaced by another": lambda path: another(path).replace(real(path)),
    "replaced by a copy of itself": lambda path: copy_of(path).replace(real(path)),
    "replaced by an empty file": lambda path: (real(path).unlink(), real(path).touch()),
    "copied over": copy_over,
    "cut to nothing": lambda path: os.truncate(path, 0),
    "without its log": lambda path: beside(path, "-wal").unlink(),
    "without its index": lambda path: beside(path, "-shm").unlink(),
    "without its link": lambda path: path.unlink(),
    "behind another link": lambda path: (path.unlink(), path.symlink_to(another(path.with_name("b")))),
}
ways = pytest.mark.parametrize("take_away", WAYS.values(), ids=WAYS)


# ── halted ───────────────────────────────────────────────────────────────────────────────────────────────────────


@ways
def test_a_table_without_its_journal_halts_and_announces_nothing(path, take_away):
    async def steps():
        rig = await started(path)
        rig.take(e.Open(), e.PlaceBet("p1", "banker", 1000))
        count, state = len(rig.announced), rig.table.state
        take_away(path)
        rig.take(e.PlaceBet("p2", "banker", 1000), e.Close())
        assert rig.table.halted
        assert "; stop the table, put the right file there, start it" in render(rig.table.halted)
        assert (len(rig.announced), rig.table.state) == (count, state)
        rig.close()

    on_loop(steps)


@ways
def test_an_idle_table_notices_that_its_journal_is_gone(path, take_away):
    async def steps():
        rig = await started(path)
        take_away(path)
        await rig.until(lambda: rig.table.halted)
        rig.close()

    on_loop(steps)


@pytest.mark.parametrize("bounds", [Bounds(), Bounds(size=1)], ids=["in its file", "about to go on in a new one"])
def test_a_journal_removed_after_a_round_only_halts_the_table(path, bounds):
    async def steps():
        errors: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        table = Table(HOUSE, Journal(path, bounds))
        table.start("d1")
        for event in (e.Open(), e.Close(), *(e.CardOut(card) for card in NATURAL), e.KeyPressed("finish")):
            table.take(event)
        real(path).unlink()
        await asyncio.sleep(0)  # an idle moment of the loop
        assert table.halted
        assert errors == []
        table.stop()
        table.journal.close()

    on_loop(steps)


def test_a_restored_journal_continues_with_the_failure_recorded(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open(), e.Close())
        seq = rig.table.state.seq
        away = real(path).rename(path.with_name("away"))
        rig.deal("9C")
        assert rig.table.halted
        away.rename(beside(path, ""))
        await rig.until(lambda: len(rig.announced) == seq + 2)
        assert rig.kinds(seq) == ["faulted", "drawn"]
        assert rig.announced[seq].what.code == "journal_failed"
        assert "removed, or has another name now" in rig.announced[seq].what.came.reason
        assert rig.announced == rig.recorded()
        rig.close()

    on_loop(steps)


def test_a_halted_table_says_what_is_wrong_now(path):
    async def steps():
        rig = await started(path)
        away = real(path).rename(path.with_name("away"))
        await rig.until(lambda: rig.table.halted)
        shutil.copy(away, real(path))
        await rig.until(lambda: "another file" in render(rig.table.halted))
        rig.close()

    on_loop(steps)


# ── nothing lost ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("end", ["-wal", "-shm"])
def test_a_journal_without_its_wal_keeps_all_records(journal, path, end):
    beside(path, end).unlink()
    with pytest.raises(JournalFailed, match=f"{end}: it was removed"):
        journal.watch()
    left = path.with_name("left")  # what a killed program leaves
    left.mkdir()
    shutil.copy(path, left)
    with closing(Journal(left / path.name)) as again:
        assert list(read(again.path)) == RECORDS[:HALF]


@pytest.mark.parametrize("way", ["removed", "replaced by another", "replaced by an empty file"])
def test_a_removed_journal_is_rescued_when_the_table_ends(journal, path, way):
    WAYS[way](path)
    with capture_logs() as logs:
        journal.close()
    rescued = path.with_name("table.journal.rescued")
    assert logs == [{"event": "rescued", "log_level": "warning", "journal": str(path), "to": str(rescued)}]
    assert verify(rescued, journal.head) == (HALF, journal.head, None)
    if way == "removed":
        with pytest.raises(JournalFailed, match=rf"put it back \({rescued} has it\), or"):
            Journal(path)
    rescued.replace(beside(path, ""))
    with closing(Journal(path)) as again:
        again.append(RECORDS[HALF:])
    assert list(read(path)) == RECORDS


def test_a_removed_journal_that_cannot_be_copied_is_logged(journal, path, monkeypatch):
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(connection, "copy_database", full)
    WAYS["removed"](path)
    with capture_logs() as logs:
        journal.close()
    lost = {"event": "not_rescued", "log_level": "warning", "reason": "database or disk is full"}
    assert logs == [{"journal": str(path), **lost}]


def test_a_moved_journal_is_whole_where_it_is_now(journal, path):
    away = real(path).rename(path.with_name("away.journal"))
    journal.close()  # before the loss was noticed
    assert list(read(away)) == RECORDS[:HALF]


def test_a_moved_journal_is_complete_after_a_kill(journal, path):
    away = real(path).rename(path.with_name("away.journal"))
    with pytest.raises(JournalFailed):
        journal.watch()
    shutil.copy(away, path.with_name("left.journal"))  # what a killed program leaves
    assert list(read(path.with_name("left.journal"))) == RECORDS[:HALF]
    journal.close()
    assert list(read(away)) == RECORDS[:HALF]
    assert not path.with_name("table.journal.rescued").exists()


def test_the_log_of_a_moved_journal_is_left_empty(journal, path):
    log = beside(path, "-wal")
    assert log.stat().st_size > 0
    real(path).rename(path.with_name("away.journal"))
    with pytest.raises(JournalFailed):
        journal.watch()
    assert log.stat().st_size == 0  # SQLite would read it into any journal that gets that name


# ── no new journal in its place ──────────────────────────────────────────────────────────────────────────────────


def files(path: Path) -> list[Path]:
    return sorted(path.parent.rglob("*"))


@pytest.mark.parametrize("way", ["removed", "moved", "replaced by an empty file", "cut to nothing", "without its link"])
def test_no_new_journal_begins_in_place_of_a_lost_one(journal, path, way):
    journal.close()
    WAYS[way](path)
    before = files(path)
    for _ in range(2):
        with pytest.raises(JournalFailed, match="expected the record that was begun here, there is none") as raised:
            Journal(path)
        assert f"move away what tells of it: {path.with_name('.table.journal.begun')}" in str(raised.value)
        assert files(path) == before


def test_a_journal_just_made_in_its_place_is_refused(journal, path, tmp_path):
    journal.close()
    Journal(tmp_path / "new.journal").close()
    (tmp_path / "new.journal").replace(real(path))
    with pytest.raises(JournalFailed, match="there is none"):
        Journal(path)


def test_an_archive_shows_that_its_journal_is_missing(tmp_path):
    path = tmp_path / "table.journal"
    with closing(Journal(path)) as book:
        book.append(RECORDS)
        archive = book.rotate()
    path.unlink()
    with pytest.raises(JournalFailed, match=f"move away what tells of it: {archive}$"):
        Journal(path)


def test_a_journal_begins_anew_once_old_traces_are_moved(journal, path):
    journal.close()
    path.resolve().rename(path.with_name("old.journal"))
    path.with_name(".table.journal.begun").rename(path.with_name("old.begun"))
    with closing(Journal(path)) as book:
        assert book.head.seq == 0
        book.append(RECORDS)


def test_only_a_table_marks_its_journal_as_begun(path, tmp_path):
    with closing(Journal(tmp_path / "played.journal")) as book:
        book.append(RECORDS)
    (tmp_path / "played.journal").unlink()
    Journal(tmp_path / "played.journal").close()

    async def steps():
        rig = await started(path)
        rig.close()

    on_loop(steps)
    assert path.with_name(".table.journal.begun").exists()


def test_a_services_moved_journal_is_missed_after_folder_replacement(tmp_path):
    state = tmp_path / "t1"
    (tmp_path / ".begun").mkdir()
    state.mkdir()
    outside = lasting_folder({"STATE_DIRECTORY": str(state)})
    with closing(Journal(state / "t1.journal", elsewhere=outside)) as book:
        book.append(RECORDS)
        book.watch()
    state.rename(tmp_path / "old")
    state.mkdir()
    with pytest.raises(JournalFailed, match=rf"move away what tells of it: {tmp_path}/\.begun/\S+t1\.journal$"):
        Journal(state / "t1.journal", elsewhere=outside)
    assert lasting_folder({}) is None


BEGIN = """
import sys
from pathlib import Path
import tests.journal.test_journal_gone as t
book = t.Journal(Path(sys.argv[1]))
book.append(t.RECORDS[:3])
book.watch()
book.append(t.RECORDS[3:5])
"""


def test_a_crash_during_the_first_start_blocks_no_start(image, tmp_path):
    folder, trace, states = image, tmp_path / "trace", set()
    disk = TracedDisk(folder)
    subprocess.run([*strace(*TRACE, trace), sys.executable, "-c", BEGIN, folder / "table.journal"], check=True)
    for call in calls(trace):
        disk.do(call)
        for left in (disk.left(lambda: True), disk.left(lambda: False)):  # killed; a power cut
            if (state := tuple(sorted(left.items()))) not in states:
                states.add(state)
                lay_out(folder, left)
                with closing(Journal(folder / "table.journal")) as book:
                    assert book.head.seq in (0, 3, 5)
                    assert list(read(book.path)) == RECORDS[: book.head.seq]
    assert len(states) > 10


# ── lost during rotation ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("way", ["removed", "replaced by another", "replaced by an empty file"])
def test_a_journal_removed_during_rotation_is_not_replaced(journal, path, way, monkeypatch):
    def rotate(db, file):
        archive = archiving.rotate(db, file)
        WAYS[way](path)
        return archive

    monkeypatch.setattr("controller.journal.writer.rotate", rotate)
    journal.append(RECORDS[HALF:])
    with pytest.raises(JournalFailed):
        journal.rotate()
    before = real(path).read_bytes() if real(path).exists() else None
    with pytest.raises(JournalFailed):
        journal.append(RECORDS[:1])
    assert (real(path).read_bytes() if real(path).exists() else None) == before
