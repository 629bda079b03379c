"""Anchor: a rolled-back, cut or replaced record does not start, a true one does, and no card waits."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from controller.config.table_file import JournalSection
from controller.core import events as e
from controller.core.coded_message import coded
from controller.core.mark import Mark
from controller.core.state import State
from controller.core.witness import contradiction
from controller.games import GAMES
from controller.journal import (
    AnchorFolder,
    AnchorRefused,
    Journal,
    JournalFailed,
    anchor_file,
    answers,
    head_of,
    mark_of,
    read,
    recall,
    recover_state,
    remember,
    with_past,
)
from controller.station import anchoring
from controller.station.anchor_admission import admit
from controller.station.custody import Custody
from controller.table.loop import Table
from controller.text.coded import render
from tests.core.bench import Bench
from tests.disk import TRACE, TracedDisk, calls, lay_out
from tests.journal.test_journal import edit
from tests.needs import strace
from tests.patience import PATIENCE, on_loop, until
from tests.table.test_table import HOUSE, NATURAL

ROUND = (e.Open(), e.Close(), *map(e.CardOut, NATURAL), e.KeyPressed("finish"))
VOID = (e.Open(), e.KeyPressed("manager"), e.Rule("cancel", "m", "x"))
REFUSE = JournalSection(anchor="?")


@pytest.fixture
def path(tmp_path) -> Path:
    (tmp_path / "disk").mkdir()
    (tmp_path / "other").mkdir()
    return tmp_path / "disk" / "t.journal"


@pytest.fixture
def anchor(tmp_path) -> Path:
    return tmp_path / "other" / "t.anchor"


def on_fat(monkeypatch: pytest.MonkeyPatch, volume: str = "") -> None:
    """Let all files seem to lie on FAT, which keeps no inodes.

    `volume` is the serial number of the file system; empty if udev does not give it.
    """
    monkeypatch.setattr(anchor_file, "_kind", lambda _: "vfat")
    monkeypatch.setattr(anchor_file, "_volume", lambda _: volume)


class AnchoredTable:
    """Table with its journal and the custody of its anchor."""

    def __init__(self, path: Path, section: JournalSection, table: str = "table") -> None:
        self.journal = Journal(path)
        try:
            self.table = Table(replace(HOUSE, table=table), self.journal)
            self.custody = Custody(section, path, self.table)
        except BaseException:
            self.journal.close()
            raise

    def take(self, *events: e.Event) -> None:
        for event in events:
            self.table.take(event)

    @property
    def trouble(self) -> str | None:
        return self.custody.troubles["anchor"]


@asynccontextmanager
async def run_anchored(path: Path, anchor: Path, table: str = "table", **section: Any):
    rig = AnchoredTable(path, JournalSection(anchor=str(anchor), **section), table)
    rig.table.start("d1")
    rig.custody.start()
    try:
        yield rig
    finally:
        rig.table.stop()
        await rig.custody.stop()
        rig.journal.close()


def play(path: Path, anchor: Path, *events: e.Event, **section: Any) -> None:
    """Run a table with an anchor, take these events and end it."""

    async def life():
        async with run_anchored(path, anchor, **section) as rig:
            rig.take(*events)

    asyncio.run(life())


def refused(path: Path, anchor: Path) -> str:
    with pytest.raises(AnchorRefused) as raised:
        AnchoredTable(path, replace(REFUSE, anchor=str(anchor)))
    assert "\n" not in str(raised.value)
    return str(raised.value)


def copies(path: Path) -> Path:
    number = len(list(path.parent.parent.glob("copy *")))
    return Path(shutil.copytree(path.parent, path.parent.with_name(f"copy {number}")))


def put_back(copy: Path, path: Path) -> None:
    shutil.rmtree(path.parent)
    shutil.copytree(copy, path.parent)


# ── contradictions of anchor and record ──────────────────────────────────────────────────────────────────────────

HERE, OTHER = "0c" * 32, "57" * 32


def after(*events: e.Event) -> State:
    """Return the state of a record that ends with these events."""
    bench = Bench()
    bench.do(*events)
    return bench.state


def test_contradiction_names_the_first_record_that_differs():
    state = after()
    mine, seq = state.identity.epoch, state.seq

    def first(epoch: str, number: int, here: str | None = HERE) -> int | None:
        found = contradiction(state, Mark(epoch, number, HERE, "t"), here, coded("the_bus"))
        return found and found.first

    assert first(mine, seq) is None
    assert first(mine, seq - 1) is None
    assert first(mine, seq, OTHER) == seq
    assert first(mine, seq + 1, None) == seq + 1
    assert first(mine, seq + 9, None) == seq + 1
    assert first(mine, 2, None) == 2
    assert first("another", seq) == 1
    assert contradiction(State(), Mark(mine, 1, HERE), None, coded("the_bus")).first == 1


def test_only_the_accepted_loss_is_no_contradiction():
    before = after()
    old, last = before.identity.epoch, before.seq
    lost = Mark(old, last + 17, OTHER, "t")

    def says(state: State, mark: Mark, here: str | None = None) -> str | None:
        found = contradiction(state, mark, here, coded("the_bus"))
        return found and render(found.message)

    named, unnamed = after(e.AcceptLoss("m", "x", "e2", lost)), after(e.AcceptLoss("m", "x", "e2"))
    named, unnamed = (replace(state, losses=(replace(state.losses[0], epoch=old),)) for state in (named, unnamed))
    assert says(named, lost) is None
    assert says(unnamed, lost) is None
    assert (
        says(named, replace(lost, seq=last + 18))
        == f"records {last + 1} to {last + 18} are missing, which the bus remembers"
    )
    assert says(unnamed, Mark(old, last, HERE), OTHER)
    assert says(unnamed, Mark(old, last, HERE), HERE) is None
    assert says(named, Mark("e2", named.seq, HERE), HERE) is None
    assert says(named, Mark("e2", named.seq + 1, HERE)) == f"record {named.seq + 1} is missing, which the bus remembers"


# ── at the start ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_record_that_has_all_that_its_anchor_remembers_starts(path, anchor):
    for number in range(1, 4):
        play(path, anchor, *ROUND)
        assert recall(anchor) == mark_of(recover_state(path), head_of(path))
        assert recover_state(path).round.number == number


def test_an_older_copy_of_a_record_does_not_start(path, anchor):
    play(path, anchor, *ROUND)
    copy, last = copies(path), head_of(path).seq
    play(path, anchor, *ROUND)
    put_back(copy, path)
    now = recall(anchor).seq
    says = refused(path, anchor)
    assert says.startswith(
        f"{path}: records {last + 1} to {now} are missing, which the anchor {anchor} remembers; put the"
    )
    assert f"`tablectl journal accept-loss {path} --anchor {anchor} --by NAME --because TEXT`" in says


def test_a_record_with_its_tail_cut_off_does_not_start(path, anchor):
    play(path, anchor, *ROUND)
    last = head_of(path).seq
    edit(path, "DELETE FROM records WHERE seq >= ?", last)
    reason = refused(path, anchor)
    assert f"record {last} is missing, which the anchor {anchor} remembers; put the newest copy in its place" in reason


def test_an_older_copy_that_was_played_on_does_not_start(path, anchor, tmp_path):
    play(path, anchor, *ROUND)
    copy = copies(path)
    play(path, anchor, *VOID)
    seq = recall(anchor).seq
    put_back(copy, path)
    play(path, tmp_path / "none", *ROUND, *ROUND, anchor_loss="warn")
    assert head_of(path).seq > seq
    assert f"record {seq}, or an earlier one, was changed: the anchor" in refused(path, anchor)


def test_another_record_of_the_same_table_does_not_start(path, anchor, tmp_path):
    play(path, anchor, *ROUND)
    (tmp_path / "more").mkdir()
    foreign = tmp_path / "more" / "t.journal"
    play(foreign, tmp_path / "foreign.anchor", *ROUND)
    assert "this is another record, epoch " in refused(foreign, anchor)


def test_two_tables_cannot_have_one_anchor(path, anchor, tmp_path):
    play(path, anchor, *ROUND)
    (tmp_path / "two").mkdir()
    second = tmp_path / "two" / "t2.journal"
    with pytest.raises(AnchorRefused, match=r"or, to begin anew, move the anchor away$"):
        AnchoredTable(second, replace(REFUSE, anchor=str(anchor)), "t2")
    play(second, tmp_path / "t2.anchor", *ROUND)
    with pytest.raises(AnchorRefused, match=r"; give each table an anchor of its own in \[journal\] anchor$"):
        admit(replace(REFUSE, anchor=str(anchor)), second, replace(recover_state(second), table="t2"))


def rotated(path: Path, anchor: Path) -> Path:
    play(path, anchor, *ROUND)
    with closing(Journal(path)) as book:
        return book.rotate()


def test_an_anchored_record_is_found_in_archives_if_present(path, anchor, tmp_path):
    archive = rotated(path, anchor)
    early = recall(anchor)
    chain = list(read(archive))
    play(path, anchor, *ROUND)
    with closing(Journal(path)) as book:
        book.rotate()
    first = replace(early, seq=chain[2].seq, hash=hash_of(archive, chain[2].seq))
    remember(anchor, first)
    play(path, anchor)
    remember(anchor, first)
    archive.rename(tmp_path / "away")
    says = refused(path, anchor)
    assert (
        f"record {first.seq}, which the anchor {anchor} remembers, is not available: the archive {archive.name}, with"
        in says
    )


def hash_of(path: Path, seq: int) -> str:
    with closing(sqlite3.connect(path)) as db:
        return bytes(db.execute("SELECT hash FROM records WHERE seq = ?", (seq,)).fetchone()[0]).hex()


def test_a_record_that_has_moved_starts_with_its_anchor(path, anchor, tmp_path):
    play(path, anchor, *ROUND)
    path.parent.rename(tmp_path / "moved")
    play(tmp_path / "moved" / path.name, anchor, *ROUND)


LOST: dict[str, Callable[[Path], object]] = {
    "removed": lambda anchor: anchor.unlink(),
    "not mounted": lambda anchor: anchor.parent.rename(anchor.parent.with_name("away")),
    "no JSON": lambda anchor: anchor.write_bytes(b'{"epoch":'),
    "no anchor": lambda anchor: anchor.write_text('{"seq": "one"}'),
    "nothing": lambda anchor: anchor.write_bytes(b""),
    "a folder": lambda anchor: (anchor.unlink(), anchor.mkdir()),
}


def left_there(anchor: Path) -> dict[Path, bytes | None]:
    """Return the contents of each file in the folder of an anchor; None for a folder."""
    return {file: file.read_bytes() if file.is_file() else None for file in anchor.parent.glob("*")}


@pytest.mark.parametrize("lose", LOST.values(), ids=LOST)
def test_with_a_lost_anchor_only_anchor_loss_warn_starts(path, anchor, lose):
    play(path, anchor, *ROUND)
    lose(anchor)
    left = left_there(anchor)
    assert refused(path, anchor).endswith(f"`tablectl journal anchor {path} {anchor} --by NAME --because TEXT`")
    play(path, anchor, *ROUND, anchor_loss="warn")
    assert recover_state(path).round.number == 2
    assert left_there(anchor) == left
    assert [one.what.required for one in read(path, kinds=["anchor_lost"])] == [False]


def test_a_record_that_begins_needs_no_anchor_before_it(path, anchor):
    assert admit(replace(REFUSE, anchor=str(anchor)), path, State()) is None
    with pytest.raises(AnchorRefused, match="its folder is not there: is the disk mounted"):
        admit(replace(REFUSE, anchor=str(anchor.parent / "usb" / "t.anchor")), path, State())


# ── while it runs ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("events", [ROUND, VOID], ids=["settled", "cancelled"])
def test_the_anchor_is_written_after_rounds_and_at_stops(path, anchor, events):
    async def steps():
        async with run_anchored(path, anchor) as rig:
            await until(lambda: recall(anchor).seq)
            begun = recall(anchor).seq
            rig.take(e.Open())
            rig.take(*events[1:])
            ended = rig.table.state.seq
            await until(lambda: recall(anchor).seq == ended)
            rig.take(e.FoundDevice("beacon"))
            assert begun < ended < rig.table.state.seq
            assert rig.trouble is None
        assert recall(anchor) == mark_of(rig.table.state, head_of(path))

    on_loop(steps)


def test_the_anchor_is_written_after_a_round_is_settled_anew(path, anchor):
    async def steps():
        async with run_anchored(path, anchor) as rig:
            rig.take(*ROUND)
            ended = rig.table.state.seq
            await until(lambda: recall(anchor).seq == ended)
            anew = e.Resettle(1, (e.Amendment("cancel"),), "m", "wrong shoe", "n")
            rig.take(with_past(path, rig.table.house, GAMES, {}, anew))
            assert rig.table.state.revisions[1].seq == ended + 1
            await until(lambda: recall(anchor).seq == ended + 1)

    on_loop(steps)


def test_a_hanging_anchor_disk_delays_no_card(path, anchor, monkeypatch):
    answers = threading.Event()
    monkeypatch.setattr(anchoring, "AnchorFolder", lambda *_: answers.wait(PATIENCE) and AnchorFolder(anchor))
    monkeypatch.setattr(anchoring, "SLOW", 0.0)
    monkeypatch.setattr(anchoring, "PATIENCE", 0.01)

    async def steps():
        async with run_anchored(path, anchor) as rig:
            rig.take(*ROUND)
            assert rig.table.state.life == "settled"
            await until(lambda: rig.trouble)
            assert (
                render(rig.trouble) == f"the record is not anchored since the start: {anchor}: its disk does not answer"
            )
        answers.set()

    on_loop(steps)


def test_a_knock_that_cannot_be_given_says_why(tmp_path):
    (tmp_path / "disk").write_bytes(b"no folder")
    with pytest.raises(JournalFailed) as failed:
        answers(tmp_path / "disk" / "main.anchor", PATIENCE)
    assert str(failed.value) == f"{tmp_path}/disk/main.anchor: not a directory"


def test_a_missing_anchor_disk_is_reported_and_stops_no_play(path, anchor, monkeypatch):
    monkeypatch.setattr(anchoring, "LOOK", 0.01)

    async def steps():
        async with run_anchored(path, anchor) as rig:
            await until(lambda: recall(anchor).seq == rig.table.state.seq)
            away = anchor.parent.rename(anchor.parent.with_name("away"))
            rig.take(*ROUND)
            ended = rig.table.state.seq
            await until(lambda: rig.trouble)
            assert rig.table.state.life == "settled"
            assert render(rig.trouble).endswith(f"{anchor}: the anchor is not there: mount its disk")
            away.rename(anchor.parent)
            await until(lambda: rig.trouble is None)
            assert recall(anchor).seq >= ended

    with capture_logs() as logs:
        on_loop(steps)
    lines = [(log["event"], log["anchor"]) for log in logs if log["event"].endswith("anchored")]
    assert lines == [("not_anchored", str(anchor)), ("anchored", str(anchor))]


def test_an_anchor_ahead_of_the_record_refuses_the_next_round(path, anchor, monkeypatch):
    """The anchor's disk is mounted only after an older copy of the record has started."""
    play(path, anchor, *ROUND)
    copy, last = copies(path), head_of(path).seq
    play(path, anchor, *ROUND)
    put_back(copy, path)
    monkeypatch.setattr(anchoring, "LOOK", 0.01)
    true = anchor.rename(anchor.with_name("away"))

    async def steps():
        async with run_anchored(path, anchor, anchor_loss="warn") as rig:
            await until(lambda: rig.trouble)
            rig.take(e.Open())
            true.replace(anchor)
            rig.take(*ROUND[1:])
            await until(lambda: rig.table.state.doubts)
            assert rig.table.state.doubts["anchor"] > last
            assert rig.table.state.life == "settled"
            rig.take(e.Open())
            assert [one.what.reason for one in read(path, kinds=["start_refused"])] == ["record_damaged"]
            assert "no round opens" in render(rig.custody.messages[0])
        assert recall(anchor).seq > last + len(ROUND)

    on_loop(steps)


def test_a_table_does_not_write_over_the_anchor_of_another(path, anchor, tmp_path):
    """Two tables that begin at the same moment share an anchor file; the other one has written it last."""
    (tmp_path / "two").mkdir()

    async def steps():
        theirs = tmp_path / "two" / "t2.journal", anchor, "t2"
        async with run_anchored(path, anchor.with_name("t1")) as rig, run_anchored(*theirs) as second:
            await until(lambda: recall(anchor).seq)
            remember(anchor, mark_of(rig.table.state, rig.table.journal.head))
            second.take(*ROUND)
            await until(lambda: second.trouble)
            assert recall(anchor).table == "table"
            assert "this is another record" in render(second.trouble)

    on_loop(steps)


# ── killed between any two steps ─────────────────────────────────────────────────────────────────────────────────

WRITE = """
import sys
from pathlib import Path
from controller.core.mark import Mark
from controller.journal import remember
for seq in (1, 2, 3):
    remember(Path(sys.argv[1]), Mark("e", seq, "0c" * 32, "t"))
"""


def test_a_crash_while_writing_keeps_a_complete_latest_anchor(image, tmp_path):
    folder, trace, contents = image, tmp_path / "trace", set()
    anchor, disk = folder / "t.anchor", TracedDisk(folder)
    subprocess.run([*strace(*TRACE, trace), sys.executable, "-c", WRITE, anchor], check=True)
    durable = 0
    for call in calls(trace):
        disk.do(call)
        for left in (disk.left(lambda: True), disk.left(lambda: False)):
            if (content := tuple(sorted(left.items()))) not in contents:
                contents.add(content)
                lay_out(folder, left)
                mark = recall(anchor)
                number = 0 if mark is None else mark.seq
                assert number >= durable
                remember(anchor, Mark("e", number + 1, "0c" * 32, "t"))  # leftovers of a killed writer stop no write
        certain = disk.left(lambda: False).get(anchor.name)
        durable = json.loads(certain)["seq"] if certain else durable
    assert durable == 3
    assert len(contents) > 8
