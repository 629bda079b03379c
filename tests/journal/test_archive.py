"""Rotation of a journal into a new file: each record once, one chain through all files; and copies."""

import asyncio
import pickle
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

import controller.journal.connection
import controller.journal.writer
from controller.config.table_file import load
from controller.core import events as e
from controller.core.clock import SECOND
from controller.core.fold import fold
from controller.core.records import Record
from controller.core.state import State
from controller.journal import (
    Bounds,
    CannotRotate,
    Damaged,
    Head,
    Journal,
    JournalFailed,
    JournalInUse,
    NotAJournal,
    Stretch,
    archives,
    backup,
    first_absent,
    head_of,
    origin_of,
    reach,
    read,
    read_rows,
    set_aside,
    stretches_within,
    verification,
    verify,
    verify_all,
)
from controller.journal.file import NOTHING
from controller.script.play import Play
from controller.script.reader import parse
from controller.table.loop import Table
from controller.text.coded import render
from tests.chance import SEED
from tests.disk import TRACE, Call, TracedDisk, calls, lay_out
from tests.end_to_end.rig import OLD, Folder, start_table
from tests.journal.test_journal import EVERYTHING, RECORDS, edit, rewrite
from tests.needs import strace
from tests.patience import eventually
from tests.table.test_table import HOUSE, NATURAL

CHECKPOINTS = [record.seq for record in RECORDS if record.kind == "checkpoint"]
HALF = CHECKPOINTS[1] + 2  # number of records up to two after the second round's checkpoint


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture
def journal(path) -> Iterator[Journal]:
    book = Journal(path)
    yield book
    book.close()


@pytest.fixture
def rotated(journal, path) -> Path:
    """Archive of a journal that goes on to the last of RECORDS."""
    journal.append(RECORDS[:HALF])
    archive = journal.rotate()
    journal.append(RECORDS[HALF:])
    return archive


def files(path: Path) -> list[Path]:
    """Paths of all files of a table, oldest first."""
    return [*archives(path), path]


def whole(path: Path) -> list[Record]:
    """Records of all files in order."""
    return [record for file in files(path) for record in read(file)]


# ── a new file ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_archive_and_the_new_file_have_every_record_once(rotated, path):
    assert files(path) == [path.with_name("table.000000000001.journal"), path]
    assert whole(path) == RECORDS


@pytest.mark.parametrize("name", ["hall[2].journal", "table?.journal", "tab*.journal"])
def test_a_journal_finds_only_its_own_archives(journal, rotated, path, name):
    journal.close()
    with closing(Journal(path.with_name(name))) as book:
        book.append(RECORDS[:HALF])
        assert archives(book.path) == []
        archive = book.rotate()
        assert archives(book.path) == [archive]
    assert archives(path) == [rotated]


def test_a_new_file_begins_with_checkpoint_and_archive_hash(rotated, path):
    assert next(read(path)).kind == "checkpoint"
    assert next(read(path)).seq == CHECKPOINTS[1]
    assert origin_of(path) == head_of(rotated) == Head(CHECKPOINTS[1] - 1, head_of(rotated).hash)


def test_the_archive_is_whole_in_itself_and_closed_to_writers(rotated):
    assert not list(rotated.parent.glob(f"{rotated.name}-*"))
    assert rotated.stat().st_mode & 0o222 == 0
    assert verify(rotated).finding is None


def test_the_state_recovered_after_rotation_is_complete(journal, rotated, path):
    assert journal.recover() == fold(State(), RECORDS)


def test_a_journal_can_be_rotated_repeatedly(journal, path):
    written = 0
    for checkpoint in CHECKPOINTS:
        journal.append(RECORDS[written : checkpoint + 1])
        written = min(checkpoint + 1, len(RECORDS))
        if checkpoint != CHECKPOINTS[0]:
            journal.rotate()
    assert [file.name[6:18] for file in archives(path)] == [f"{n:012}" for n in (1, *CHECKPOINTS[1:-1])]
    journal.append(RECORDS[written:])
    assert whole(path) == RECORDS
    assert verify_all(files(path)) == (len(RECORDS), journal.head, None)


def test_a_new_file_is_opened_again_where_it_ended(journal, path):
    journal.append(RECORDS[:HALF])
    journal.rotate()
    journal.close()
    book = Journal(path)
    book.append(RECORDS[HALF:])
    assert whole(path) == RECORDS
    book.close()


def test_the_file_may_be_reached_through_a_link(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "table.journal").symlink_to(tmp_path / "disk" / "real.journal")
    book = Journal(tmp_path / "table.journal")
    book.append(RECORDS[:HALF])
    assert book.rotate() == tmp_path / "disk" / "real.000000000001.journal"
    book.append(RECORDS[HALF:])
    assert list(read(tmp_path / "table.journal", after=0)) == RECORDS
    book.close()


# ── rotations that are refused ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("written", [0, 3, CHECKPOINTS[0] - 1])
def test_a_journal_without_an_ended_round_cannot_be_rotated(journal, path, written):
    journal.append(RECORDS[:written])
    with pytest.raises(CannotRotate, match="no round has ended"):
        journal.rotate()
    journal.append(RECORDS[written:])
    assert files(path) == [path]
    assert list(read(path)) == RECORDS


def test_a_file_beginning_with_its_only_checkpoint_cannot_be_rotated(path):
    book = Journal(path.with_name("short.journal"))
    book.append(RECORDS[: CHECKPOINTS[0]])
    book.rotate()
    with pytest.raises(CannotRotate):
        book.rotate()
    book.close()


def untouched(path: Path) -> bool:
    return [one.name for one in sorted(path.parent.iterdir()) if "-" not in one.name] == [path.name]


def test_a_file_that_is_being_read_is_not_rotated(journal, path):
    journal.append(RECORDS[:HALF])
    reader = read(path)
    first = next(reader)
    with pytest.raises(CannotRotate):
        journal.rotate()
    assert untouched(path)
    journal.append(RECORDS[HALF:])
    assert [first, *reader] == RECORDS[:HALF]
    journal.rotate()
    assert whole(path) == RECORDS


def test_an_archive_that_is_there_already_is_never_overwritten(journal, path):
    mine = path.with_name("table.000000000001.journal")
    mine.write_text("another table's", encoding="utf-8")
    journal.append(RECORDS[:HALF])
    with pytest.raises(CannotRotate, match="another file has this name"):
        journal.rotate()
    assert mine.read_text(encoding="utf-8") == "another table's"
    journal.append(RECORDS[HALF:])
    assert list(read(path)) == RECORDS


def test_a_rotation_that_cannot_open_its_file_can_be_retried(journal, path, monkeypatch):
    journal.append(RECORDS[:HALF])
    real = controller.journal.connection.open_file

    def refuse(*_: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(controller.journal.connection, "open_file", refuse)
    with pytest.raises(JournalFailed, match="unable to open"):
        journal.rotate()
    with pytest.raises(JournalFailed, match="unable to open"):
        journal.append(RECORDS[HALF : HALF + 1])
    monkeypatch.setattr(controller.journal.connection, "open_file", real)
    journal.append(RECORDS[HALF:])
    journal.close()
    Journal(path).close()  # deletes the tail from the archive
    assert whole(path) == RECORDS


# ── rotation at a limit ──────────────────────────────────────────────────────────────────────────────────────────


def tidied(path: Path, bounds: Bounds) -> list[Path]:
    """Write RECORDS into a journal that tidies up after each round; return its archives."""
    book = Journal(path, bounds)
    written = 0
    for checkpoint in CHECKPOINTS:
        book.append(RECORDS[written:checkpoint])
        written = checkpoint
        book.tidy()
    book.append(RECORDS[written:])
    book.close()
    assert whole(path) == RECORDS
    return archives(path)


def test_without_a_limit_no_file_is_rotated(path):
    assert tidied(path, Bounds()) == []


def test_a_file_at_its_size_limit_is_rotated_when_idle(path):
    with capture_logs() as logs:
        names = [file.name for file in tidied(path, Bounds(size=1))]
    assert len(names) == len(CHECKPOINTS)
    assert [(log["event"], log["journal"]) for log in logs] == [("rotated", str(path))] * len(names)
    assert sorted(log["archive"] for log in logs) == sorted(names)


def test_a_file_below_its_size_limit_is_not_rotated(path):
    assert tidied(path, Bounds(size=2**20)) == []


def test_a_file_at_its_age_limit_is_rotated(path):
    old = [*RECORDS[: CHECKPOINTS[0]]]
    book = Journal(path, Bounds(age=60 * SECOND))
    book.append(old)
    book.tidy()
    assert archives(path) == []
    late = Record(len(old) + 1, old[0].at + 60 * SECOND, "table", RECORDS[0].what)
    book.append([late])
    book.tidy()
    assert len(archives(path)) == 1
    book.close()


def test_a_failed_rotation_is_not_retried_at_once(path):
    mine = path.with_name("table.000000000001.journal")
    book = Journal(path, Bounds(size=1))
    mine.touch()
    book.append(RECORDS)
    with capture_logs() as logs:
        book.tidy()
    reason = f"{mine}: another file has this name: move it away first"
    assert logs == [{"event": "not_rotated", "log_level": "warning", "journal": str(path), "reason": reason}]
    mine.unlink()
    book.tidy()
    assert archives(path) == []
    last = RECORDS[-1]
    book.append([Record(last.seq + n, last.at, "table", RECORDS[0].what) for n in range(1, 501)])
    book.tidy()
    assert len(archives(path)) == 1
    book.close()


def test_a_running_table_rotates_its_journal_between_rounds(path, monkeypatch):
    monkeypatch.setattr(controller.journal.writer, "NEXT_TRY", 1)

    async def steps() -> list[Record]:
        table = Table(HOUSE, Journal(path, Bounds(size=1)))
        announced: list[Record] = []
        table.subscribe(lambda _, records: announced.extend(records))
        table.start("d1")
        for done in range(3):
            for event in (e.Open(), e.Close(), *(e.CardOut(card) for card in NATURAL), e.KeyPressed("finish")):
                await asyncio.sleep(0)
                assert len(archives(path)) == done
                table.take(event)
            await asyncio.sleep(0)  # an idle moment of the loop
        table.stop()
        table.journal.close()
        return announced

    assert asyncio.run(steps()) == whole(path)
    assert len(archives(path)) == 3
    assert verify_all(files(path)).finding is None


# ── set aside ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_records_set_aside_are_kept_and_their_place_is_free(journal, path):
    journal.append(RECORDS)
    seqs = len(RECORDS)
    journal.close()
    digests = [row[-1] for row in read_rows(path)]
    aside = set_aside(path, seqs - 1)
    assert aside == path.with_name(f"{path.stem}.aside-{seqs - 1}{path.suffix}")
    assert [row[-1] for row in read_rows(aside)] == digests
    assert [row[-1] for row in read_rows(path)] == digests[:-2]
    assert {verify(one).finding for one in (aside, path)} == {None}
    assert archives(path) == []
    with closing(Journal(path)) as again:
        again.append(RECORDS[-2:])
    assert [row[-1] for row in read_rows(path)] == digests


def test_records_after_an_archive_are_set_aside(journal, rotated, path):
    journal.close()
    begins = CHECKPOINTS[1]
    set_aside(path, begins + 1)
    assert verify_all([rotated, path]) == (begins, head_of(path), None)


def test_records_of_an_archive_are_not_set_aside(journal, rotated, path):
    journal.close()
    with pytest.raises(JournalFailed, match="is in an archive; put the newest copy in its place"):
        set_aside(path, CHECKPOINTS[1])
    assert verify_all([rotated, path]) == (len(RECORDS), head_of(path), None)


def test_nothing_is_set_aside_of_a_journal_in_use(journal, path):
    journal.append(RECORDS)
    with pytest.raises(JournalInUse):
        set_aside(path, 3)
    journal.close()
    assert verify(path).records == len(RECORDS)


def test_a_file_set_aside_before_is_never_written_over(journal, path):
    journal.append(RECORDS)
    journal.close()
    path.with_name(f"{path.stem}.aside-3{path.suffix}").write_text("another")
    with pytest.raises(JournalFailed, match="another file has this name: move it away first"):
        set_aside(path, 3)
    assert verify(path).records == len(RECORDS)


def test_setting_aside_goes_on_where_the_power_was_cut(journal, path):
    journal.append(RECORDS)
    journal.close()
    path.with_name(f"{path.stem}.aside-3{path.suffix}").hardlink_to(path)
    assert verify(set_aside(path, 3)).records == len(RECORDS)
    assert verify(path).records == 2


# ── one chain ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_chain_is_followed_through_all_files(rotated, path):
    assert verify_all([rotated, path]) == (len(RECORDS), head_of(path), None)
    assert verify(rotated) == (CHECKPOINTS[1] - 1, head_of(rotated), None)
    assert verify(path) == (len(RECORDS) - CHECKPOINTS[1] + 1, head_of(path), None)


def finding(*files: Path, announced: Head | None = None) -> tuple[int, str]:
    found = verify_all(files, announced).finding
    assert found is not None
    return found.seq, render(found.reason).split(":")[0]


def test_files_out_of_order_or_missing_fail_verification(journal, rotated, path):
    journal.rotate()
    first, second = archives(path)
    assert finding(second, first)[1] == "missing"
    assert finding(first, path) == (CHECKPOINTS[1], "missing")
    assert finding(first, first) == (CHECKPOINTS[1], "missing")


def test_an_edited_record_of_an_archive_is_named(rotated, path):
    rotated.chmod(0o640)
    edit(rotated, "UPDATE records SET record = replace(record, '2026-01-01', '2026-01-02') WHERE seq = 5")
    assert finding(rotated, path) == (5, "changed")


def test_a_rewritten_archive_does_not_match_the_next_file(rotated, path):
    rotated.chmod(0o640)
    rewrite(rotated, 5)
    assert verify(rotated).finding is None
    assert finding(rotated, path) == (CHECKPOINTS[1], "missing")


@pytest.mark.parametrize("what", ["hash = zeroblob(32)", "seq = seq - 1"])
def test_an_edited_origin_is_named(rotated, path, what):
    edit(path, f"UPDATE origin SET {what}")
    assert verify(path).finding is not None
    assert finding(rotated, path)[0] == CHECKPOINTS[1]


@pytest.mark.parametrize("statement", ["DELETE FROM origin", "DROP TABLE origin"])
def test_a_file_whose_origin_is_gone_does_not_stand(rotated, path, statement):
    edit(path, statement)
    assert verify(path).finding is not None


def test_a_head_is_checked_in_the_file_holding_it(rotated, path):
    heads = {}
    for file in (rotated, path):
        with closing(sqlite3.connect(file)) as db:
            heads |= {seq: Head(seq, digest) for seq, digest in db.execute("SELECT seq, hash FROM records")}
    for seq, head in heads.items():
        assert verify_all([rotated, path], head).finding is None
        assert finding(rotated, path, announced=Head(seq, bytes(32))) == (seq, "replaced")


def test_a_head_outside_the_given_files_is_not_proven(rotated, path):
    end, before = head_of(path), head_of(rotated)
    assert verify(path, before).finding is None  # the new file has its hash
    assert finding(path, announced=Head(before.seq, bytes(32))) == (before.seq, "replaced")
    assert finding(path, announced=Head(3, bytes(32))) == (3, "missing")
    assert finding(rotated, announced=end) == (CHECKPOINTS[1], "missing")
    assert verify(path, NOTHING).finding is None  # every record begins with it


# ── reading through the archives ─────────────────────────────────────────────────────────────────────────────────


def test_reading_from_a_record_continues_through_the_archives(journal, rotated, path):
    journal.rotate()
    assert len(archives(path)) == 2
    for after in range(len(RECORDS) + 1):
        assert list(read(path, after)) == RECORDS[after:]


@pytest.mark.parametrize("seq", [3, CHECKPOINTS[1] - 2])
def test_a_record_deleted_from_an_archive_is_damage_when_read(rotated, path, seq):
    rotated.chmod(0o640)
    edit(rotated, f"DELETE FROM records WHERE seq = {seq}")
    with pytest.raises(Damaged, match=f"missing: record {seq + 1} comes after record {seq - 1}"):
        list(read(path, 0))
    assert list(read(path, seq)) == RECORDS[seq:]


def test_only_reading_before_this_file_opens_its_archives(journal, rotated, path):
    begins = origin_of(path).seq
    rotated.chmod(0o640)
    rotated.write_bytes(b"no journal")
    assert list(read(path, begins)) == RECORDS[begins:]
    with pytest.raises(NotAJournal):
        list(read(path, begins - 1))


def test_reach_goes_back_through_consecutive_archives(journal, rotated, path):
    journal.rotate()
    first, second = archives(path)
    assert reach(path) == 0
    first.unlink()
    assert reach(path) == CHECKPOINTS[1] - 1
    second.chmod(0o640)
    second.write_bytes(b"no journal")
    assert reach(path) == origin_of(path).seq


def test_a_table_whose_archives_are_kept_elsewhere_starts(tmp_path):
    folder = Folder(tmp_path)
    config = folder.write_config(panel=None)
    book = Journal(folder.journal)
    play = Play(load(config).house("auto"), book)
    list(play.run(parse(EVERYTHING)))
    book.rotate().unlink()
    book.close()
    config.write_text(config.read_text() + OLD)
    with start_table(config) as table:
        eventually(lambda: "started" in table.events())


@pytest.mark.parametrize("looked", ["hash", "rows"])
def test_a_lookup_succeeds_during_a_rotation(journal, path, monkeypatch, looked):
    """Lookups are made when shipping, verifying or comparing the record."""
    journal.append(RECORDS[:HALF])

    def changing(where: Path) -> list[Path]:
        before = archives(where)
        if not before:
            journal.rotate()
        return before

    monkeypatch.setattr(verification, "archives", changing)
    if looked == "rows":
        assert [row[0] for row in verification.fetch_rows(path, 0, 3)] == [1, 2, 3]
    else:
        assert verification.hash_at(path, 1) is not None


@pytest.mark.parametrize("since", [None, 0])
def test_records_in_two_files_are_in_one_stretch(journal, path, tmp_path, since):
    """During a rotation the archive still has all records, and the new file has its own already."""
    journal.append(RECORDS)
    verdict = backup(path, tmp_path / "whole")
    archive = journal.rotate()
    archive.unlink()
    (tmp_path / "whole").replace(archive)
    assert stretches_within(path, since) == [Stretch(1, verdict.head.seq)]


def test_a_gap_between_the_archives_and_the_file_is_reported(journal, rotated, path):
    rotated.rename(path.with_name("in-the-vault.journal"))
    assert list(read(path)) == RECORDS[CHECKPOINTS[1] - 1 :]
    assert reach(path) == CHECKPOINTS[1] - 1
    with pytest.raises(Damaged, match=rf"records 5 to {CHECKPOINTS[1] - 1} are in an archive"):
        list(read(path, 4))


def test_all_name_the_same_records_of_a_missing_middle_archive(journal, path):
    written = 0
    for end in CHECKPOINTS[:3]:
        journal.append(RECORDS[written:end])
        journal.rotate()
        written = end
    first, middle, _ = archives(path)
    gap = head_of(first).seq + 1, head_of(middle).seq
    middle.rename(path.with_name("in-the-vault.journal"))
    with pytest.raises(Damaged, match=f"records {gap[0]} to {gap[1]} are in an archive"):
        list(read(path, 0))
    assert first_absent(path, reach(path)) == gap[0]
    *_, checked = verification.verify_in_steps(path)
    assert render(checked.finding.reason) == f"missing: record {gap[1] + 1} comes after record {gap[0] - 1}"


# ── a crash in the middle ────────────────────────────────────────────────────────────────────────────────────────

CHANGE = """
import sys
from pathlib import Path
import tests.journal.test_archive as t
book = t.Journal(Path(sys.argv[1]))
book.rotate()
book.append(t.RECORDS[t.HALF:])
print("done", flush=True)
"""


@pytest.fixture(scope="module")
def change(tmp_path_factory) -> tuple[Path, list[Call]]:
    """Folder with a journal, and the system calls of a program that rotates it and appends."""
    folder = tmp_path_factory.mktemp("before")
    book = Journal(folder / "table.journal")
    book.append(RECORDS[:HALF])
    book.close()
    copy = shutil.copytree(folder, tmp_path_factory.mktemp("at work") / "disk")
    trace = copy.with_suffix(".trace")
    subprocess.run([*strace(*TRACE, trace), sys.executable, "-c", CHANGE, copy / "table.journal"], check=True)
    moved = [(name, [one.replace(bytes(copy), bytes(folder)) for one in rest], n) for name, rest, n in calls(trace)]
    return folder, moved


DISKS = {  # the share of unsynced writes that the disk keeps
    "killed": 1.0,
    "power cut": 0.0,
    "power cut, half of the rest written": 0.5,
    "power cut, most of the rest written": 0.9,
}


@pytest.mark.parametrize(("times", "seed"), [(1, 1), pytest.param(10, SEED, marks=pytest.mark.proof, id="long")])
@pytest.mark.parametrize("share", DISKS.values(), ids=DISKS)
def test_a_crash_during_rotation_keeps_every_record_once(change, image, share, times, seed):
    (folder, all_calls), dice = change, random.Random(seed)
    disk, done, states = TracedDisk(folder), False, set[bytes]()
    for call in all_calls:
        disk.do(call)
        done = done or (call[0] == "write" and call[1][0] == b"1" and call[1][1].startswith(b"done"))
        for _ in range(times):
            left = disk.left(lambda: dice.random() < share)
            if (state := pickle.dumps((done, left))) not in states:
                states.add(state)
                lay_out(image, left)
                starts_again(image / "table.journal", done=done)
    assert done
    assert len(states) > 20


def starts_again(path: Path, *, done: bool) -> None:
    """Assert that a table can start from a journal after a crash, with no record lost or twice."""
    book = Journal(path)
    records = whole(path)
    assert records == RECORDS or (records == RECORDS[:HALF] and not done)
    assert verify_all(files(path)) == (len(records), book.head, None)
    assert book.recover() == fold(State(), records)
    book.append(RECORDS[len(records) :])
    assert whole(path) == RECORDS
    book.close()


@pytest.mark.parametrize("more", [0, 1], ids=["shorter", "as long"])
def test_a_start_keeps_an_archive_newer_than_its_journal(path, more):
    """A journal put back from an older backup shares only its first records with the archive."""
    with closing(Journal(path)) as book:
        book.append(RECORDS[: CHECKPOINTS[0]])
    older = shutil.copy(path, path.with_name("backup"))
    with closing(Journal(path)) as book:
        book.append(RECORDS[CHECKPOINTS[0] :])
        archive = book.rotate()
    records = list(read(archive))
    shutil.move(older, path)
    with closing(Journal(path)) as book:
        others = [replace(record, at=record.at + 1) for record in RECORDS[CHECKPOINTS[0] :]]
        book.append(others[: len(others) if more else 1])
    Journal(path).close()
    assert list(read(archive)) == records


READER = """
import sys
from pathlib import Path
from controller.journal import read, verify
path = Path(sys.argv[1])
print("reading", flush=True)
seen = 0
while seen < int(sys.argv[2]):
    verdict = verify(path)
    assert verdict.finding is None, verdict
    assert verdict.head.seq >= seen, (verdict, seen)
    seen = verdict.head.seq
    records = list(read(path, 0))
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
print("sound")
"""


@pytest.mark.parametrize("turns", [40, pytest.param(900, marks=pytest.mark.proof)])
def test_a_reader_during_rotations_reads_one_sound_chain(journal, path, turns):
    journal.append(RECORDS)
    more, number = [record for record in RECORDS if record.kind == "checkpoint"], len(RECORDS)
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", READER, path, str(number + turns * len(more))]

    def rotated() -> list[Path]:
        """Try to rotate, which fails while the reader has the file open; return the archives."""
        with suppress(CannotRotate):
            journal.rotate()
        return archives(path)

    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as reader, ExitStack() as stack:
        stack.callback(reader.kill)  # after an error here the reader would wait for more records without end
        assert reader.stdout.readline() == "reading\n"
        for _ in range(turns):
            for record in more:
                number += 1
                journal.append([Record(number, record.at, "table", record.what, record.round)])
            rotated()
        eventually(rotated)
        output, errors = reader.communicate()
    assert output == "sound\n", errors


# ── copies ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_backup_of_a_journal_in_use_is_a_snapshot(journal, path, tmp_path):
    journal.append(RECORDS[:HALF])
    to = tmp_path / "copy.journal"
    assert backup(path, to) == (HALF, journal.head, None)
    journal.append(RECORDS[HALF:])
    assert list(read(to)) == RECORDS[:HALF]
    assert list(read(path)) == RECORDS


def test_a_copy_of_a_new_file_follows_its_archive(journal, rotated, path, tmp_path):
    backup(path, tmp_path / "copy.journal")
    assert verify_all([rotated, tmp_path / "copy.journal"], journal.head).finding is None


def test_a_table_goes_on_from_a_copy(journal, rotated, path, tmp_path):
    backup(path, tmp_path / "copy.journal")
    journal.close()
    book = Journal(tmp_path / "copy.journal")
    assert book.recover() == fold(State(), RECORDS)
    book.close()


def test_a_backup_never_overwrites_an_existing_file(journal, path, tmp_path):
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    with pytest.raises(JournalFailed, match="expected the name of a new file"):
        backup(path, tmp_path / "mine")
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "mine"


def test_a_backup_that_cannot_be_written_leaves_nothing(journal, path, tmp_path):
    before = sorted(tmp_path.iterdir())
    for to in (tmp_path / "nowhere" / "copy.journal", tmp_path / ("x" * 300)):
        with pytest.raises(JournalFailed, match=f"^{re.escape(str(to))}.*: .*[a-z ]$"):
            backup(path, to)
    assert sorted(tmp_path.iterdir()) == before


def test_an_incomplete_backup_is_removed(journal, path, tmp_path):
    journal.append(RECORDS)
    before = sorted(tmp_path.iterdir())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(JournalFailed, match=r"copy\.journal\.part: the disk"):
            backup(path, tmp_path / "copy.journal")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert sorted(tmp_path.iterdir()) == before


def test_a_damaged_journal_is_copied_and_its_copy_says_so(journal, path, tmp_path):
    journal.append(RECORDS)
    edit(path, "UPDATE records SET record = replace(record, '2026-01-01', '2026-01-02') WHERE seq = 5")
    verdict = backup(path, tmp_path / "copy.journal")
    assert verdict.finding is not None
    assert verdict.finding.seq == 5
