"""Takeover of a table by a second PC: refusals, records, and no event missed or received twice."""

import asyncio
import errno
import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from controller.cli import ship
from controller.config.table_file import Config, JournalSection, check
from controller.core import events as e
from controller.core.records import Record
from controller.core.state import State
from controller.core.witness import last_of
from controller.journal import (
    AnchorFolder,
    Head,
    JournalError,
    answers,
    assembly,
    begin,
    hash_at,
    head_of,
    mark_of,
    read,
    recall,
    recover_state,
    remember,
)
from controller.journal.assembly import write_journal
from controller.journal.lock import Lock
from controller.journal.outbox import TargetPlaces
from controller.journal.parts import TAIL, PartFile, consecutive_parts, rows_of
from controller.journal.rows import Row
from controller.journal.shipping import Shipping
from controller.station import anchoring, takeover, takeover_anchor
from controller.station.standby import ship_beside
from controller.station.takeover import take_over
from controller.station.takeover_anchor import TakeoverDecision, TakeoverRefused
from controller.text.coded import render
from tests.chance import SEED
from tests.patience import on_loop, until
from tests.station.test_anchor import ROUND, AnchoredTable, on_fat, play, refused, run_anchored

OFF = TakeoverDecision("eva", old_pc_is_off=True)
EVA = TakeoverDecision("eva")
GONE = TakeoverDecision("eva", "its disk broke", old_pc_is_off=True, accept_loss=True)


class TwoRecords(NamedTuple):
    """Records of two PCs, the folder that the old one ships into, and the path of the anchor."""

    old: Path
    new: Path
    folder: Path
    anchor: Path

    @property
    def settings(self) -> Config:
        return check({"game": {"name": "baccarat"}, "journal": {"anchor": str(self.anchor)}})

    def ship(self) -> None:
        with Shipping(self.old, self.folder) as shipping:
            ship_beside(self.old, self.old.with_suffix(".users"), self.folder)
            shipping.step()

    def take(self, decision: TakeoverDecision = EVA, settings: Config | None = None) -> takeover.TakeoverResult:
        return take_over(settings or self.settings, self.new, self.folder, decision)


@pytest.fixture
def pcs(tmp_path, monkeypatch) -> TwoRecords:
    monkeypatch.setattr(takeover_anchor, "KNOCK", 0.0)
    for name in ("old", "new", "parts", "shared"):
        (tmp_path / name).mkdir()
    return TwoRecords(
        tmp_path / "old" / "t.journal",
        tmp_path / "new" / "t.journal",
        tmp_path / "parts",
        tmp_path / "shared" / "t.anchor",
    )


@pytest.fixture
def shipped(pcs) -> TwoRecords:
    """PCs after a round: the old table has ended, and all its records are shipped."""
    play(pcs.old, pcs.anchor, *ROUND)
    pcs.ship()
    return pcs


def refused_takeover(pcs: TwoRecords, decision: TakeoverDecision = EVA, settings: Config | None = None) -> str:
    """Assert that a takeover is refused and leaves the anchor unchanged; return the reason."""
    before = recall(pcs.anchor)
    with pytest.raises(JournalError) as raised:
        pcs.take(decision, settings)
    assert recall(pcs.anchor) == before
    assert "\n" not in str(raised.value)
    return str(raised.value)


# ── the record ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_takeover_begins_an_epoch_naming_predecessor_and_person(shipped):
    old, last = recover_state(shipped.old), head_of(shipped.old)
    shipped.take(OFF._replace(because="its disk is dead"))
    (record,) = read(shipped.new, last.seq)
    assert list(read(shipped.new))[:-1] == list(read(shipped.old))
    assert (record.kind, record.what.before, record.what.lost) == ("loss_accepted", old.identity.epoch, None)
    because = "taken over on another PC; the old PC is off; its disk is dead"
    assert (record.what.by, record.what.because) == ("eva", because)
    play(shipped.new, shipped.anchor, *ROUND)
    assert recover_state(shipped.new).round.number == old.round.number + 1


def test_a_round_that_was_on_comes_back_paused(pcs):
    play(pcs.old, pcs.anchor, e.Open(), e.Close(), e.CardOut("9C"))
    pcs.ship()
    assert pcs.take().after.live
    play(pcs.new, pcs.anchor)
    state = recover_state(pcs.new)
    assert (state.life, state.fault.code, state.round.number) == ("paused", "restarted", 1)
    play(pcs.new, pcs.anchor, e.Rule("cancel", "eva", "taken over"), *ROUND)
    assert recover_state(pcs.new).life == "settled"


def test_shift_managers_and_alert_positions_are_taken_over_too(shipped):
    shipped.old.with_suffix(".users").write_text("{}")
    TargetPlaces(shipped.old).move("chat", 3)
    shipped.ship()
    shipped.take()
    assert TargetPlaces(shipped.new).read() == {"chat": 3}
    assert shipped.new.with_suffix(".users").read_text() == "{}"


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_takeover_needs_unshipped_anchored_records_accepted_as_lost(shipped):
    stands = head_of(shipped.old).seq
    play(shipped.old, shipped.anchor, *ROUND)
    lost = recall(shipped.anchor)
    refusal = refused_takeover(shipped)
    assert f"records {stands + 1} to {lost.seq} are missing, which the anchor {shipped.anchor} remembers" in refusal
    assert refusal.endswith("ship from it once more, else go on without: --accept-loss --because TEXT")
    shipped.take(TakeoverDecision("eva", "no disk", accept_loss=True))
    assert recover_state(shipped.new).losses[-1].lost == lost
    play(shipped.new, shipped.anchor, *ROUND)


def test_a_running_table_answers_and_is_not_taken_over(shipped, monkeypatch):
    monkeypatch.setattr(takeover_anchor, "KNOCK", 60.0)
    monkeypatch.setattr(anchoring, "LOOK", 0.01)

    async def steps():
        async with run_anchored(shipped.old, shipped.anchor):
            return await asyncio.to_thread(pytest.raises, TakeoverRefused, shipped.take, OFF)

    assert "the table still runs on the other PC, which has just answered" in str(asyncio.run(steps()).value)
    assert list(shipped.anchor.parent.iterdir()) == [shipped.anchor]
    assert not answers(shipped.anchor, 0.0)


def test_a_running_table_answers_though_its_anchors_disk_is_full(shipped, monkeypatch):
    monkeypatch.setattr(takeover_anchor, "KNOCK", 60.0)
    monkeypatch.setattr(anchoring, "LOOK", 0.01)

    async def steps():
        async with run_anchored(shipped.old, shipped.anchor) as rig:
            await until(lambda: rig.table.state.seq and rig.custody.progress.anchored)
            with monkeypatch.context() as full:
                full.setattr(AnchorFolder, "write", no_space)
                rig.take(*ROUND)
                await until(lambda: rig.table.state.no_anchor)
                await asyncio.to_thread(shipped.ship)
                return await asyncio.to_thread(refused_takeover, shipped)

    assert "the table still runs on the other PC" in on_loop(steps)
    assert not shipped.new.exists()


@pytest.mark.parametrize("wrong", ["older", "another id"])
def test_a_running_table_answers_at_an_anchor_that_is_wrong(shipped, monkeypatch, wrong):
    """The anchor's file system has no inodes that tell a copied file from the original."""
    on_fat(monkeypatch)
    monkeypatch.setattr(takeover_anchor, "KNOCK", 60.0)
    monkeypatch.setattr(anchoring, "LOOK", 0.01)

    async def steps():
        async with run_anchored(shipped.old, shipped.anchor) as rig:
            await until(lambda: rig.table.state.seq and rig.custody.progress.anchored)
            older = shipped.anchor.read_bytes()
            rig.take(*ROUND)
            await until(lambda: recall(shipped.anchor).seq == rig.table.state.seq)
            if wrong == "older":
                shipped.anchor.write_bytes(older)
            else:
                begin(shipped.anchor, recall(shipped.anchor), "f00")
            await until(lambda: rig.table.state.no_anchor)
            return await asyncio.to_thread(refused_takeover, shipped)

    assert "the table still runs on the other PC" in on_loop(steps)


def test_a_table_that_went_on_elsewhere_answers_no_knock(shipped, monkeypatch):
    """The old PC runs on after a takeover but answers no knock, so that the table can be taken over again."""
    monkeypatch.setattr(anchoring, "LOOK", 0.01)

    async def steps():
        async with run_anchored(shipped.old, shipped.anchor) as rig:
            await until(lambda: rig.table.state.seq and rig.custody.progress.anchored)
            shipped.ship()
            monkeypatch.setattr(takeover_anchor, "answers", lambda *_: False)  # as if the old PC did not reach the disk
            await asyncio.to_thread(shipped.take)
            await until(lambda: rig.table.state.doubts)
            assert not await asyncio.to_thread(answers, shipped.anchor, 0.5)

    on_loop(steps)


def test_without_an_anchor_takeover_needs_old_pc_is_off(shipped):
    bare = check({"game": {"name": "baccarat"}})
    assert refused_takeover(shipped, EVA, bare).endswith("pull its power or its shoe, then say so: --old-pc-is-off")
    shipped.take(OFF, bare)


def test_an_anchor_that_is_not_there_is_no_proof(shipped):
    shipped.anchor.unlink()
    for decision in (EVA, OFF, TakeoverDecision("eva", "x", accept_loss=True)):
        assert "expected the anchor of the table, there is no such file" in refused_takeover(shipped, decision)
    shipped.take(TakeoverDecision("eva", "x", old_pc_is_off=True, accept_loss=True))
    assert recall(shipped.anchor) == mark_of(recover_state(shipped.new), head_of(shipped.new))


def test_a_copy_of_the_anchor_is_no_proof(shipped, image):
    """The copy lies on a disk of the new PC, where the old PC cannot see a knock."""
    standby = shipped._replace(anchor=image / "t.anchor")
    shutil.copy(shipped.anchor, standby.anchor)
    remember(standby.anchor, recall(standby.anchor))  # the anchor now stores its place
    shutil.copy(standby.anchor, image / "copy")
    (image / "copy").replace(standby.anchor)
    for decision in (EVA, OFF):
        assert "expected the anchor of the table, this is a copy; mount its disk" in refused_takeover(standby, decision)
    standby.take(GONE)
    begun = list(read(standby.new, kinds=["anchor_begun"]))[-1].what
    assert (begun.by, begun.because) == ("eva", "taken over on another PC; the old PC is off; its disk broke")
    play(standby.new, standby.anchor, *ROUND)


def test_a_sticks_anchor_copied_to_the_standbys_disk_is_refused(pcs, image, monkeypatch):
    """A stick has no inodes that show a copy, and the old PC cannot see a knock at the new PC's disk."""
    sticks, standby = pcs._replace(anchor=image / "t.anchor"), pcs._replace(anchor=pcs.new.with_name("t.anchor"))
    with monkeypatch.context() as stick:
        on_fat(stick)
        play(sticks.old, sticks.anchor, *ROUND)
    assert recover_state(sticks.old).anchor.apart
    sticks.ship()
    shutil.copy(sticks.anchor, standby.anchor)
    for decision in (EVA, OFF):
        assert "the anchor is on the record's own disk now: mount the other disk, or, where it is" in refused_takeover(
            standby, decision
        )
    standby.take(GONE)
    assert recover_state(standby.new).anchor.id != recover_state(standby.old).anchor.id
    play(standby.new, standby.anchor, *ROUND)


def test_another_anchor_of_the_table_is_no_proof(shipped):
    begin(shipped.anchor, recall(shipped.anchor), "f00")
    for decision in (EVA, OFF):
        assert "this is not the anchor that was begun for this record" in refused_takeover(shipped, decision)
    shipped.take(GONE)
    play(shipped.new, shipped.anchor, *ROUND)
    assert recall(shipped.anchor).past == {recover_state(shipped.old).identity.epoch: head_of(shipped.old).seq}


def test_a_takeover_onto_the_anchors_own_disk_is_recorded(pcs, image):
    """The anchor's disk, which both PCs reach, may be in the standby PC."""
    standby = pcs._replace(anchor=image / "t.anchor", new=image / "new" / "t.journal")
    standby.new.parent.mkdir()
    play(standby.old, standby.anchor, *ROUND)
    assert recover_state(standby.old).anchor.apart
    standby.ship()
    standby.take()
    assert not recover_state(standby.new).anchor.apart
    assert recover_state(standby.new).anchor.id == recover_state(standby.old).anchor.id
    play(standby.new, standby.anchor, *ROUND)
    assert "the record continued elsewhere" in refused(standby.old, standby.anchor)


def test_a_shipped_record_without_an_anchors_id_is_taken_over(pcs):
    """Record and anchor are from before anchors had ids, as in an upgrade on the day of the takeover."""

    async def before():
        rig = AnchoredTable(pcs.old, JournalSection())
        rig.table.start("d1")
        rig.take(*ROUND)
        rig.table.stop()
        rig.journal.close()

    on_loop(before)
    remember(pcs.anchor, mark_of(recover_state(pcs.old), head_of(pcs.old)))
    pcs.ship()
    pcs.take()
    assert [one.what.by for one in read(pcs.new, kinds=["anchor_begun"])] == ["eva"]
    play(pcs.new, pcs.anchor, *ROUND)
    assert "the record continued elsewhere" in refused(pcs.old, pcs.anchor)


def test_another_tables_parts_or_anchor_are_refused(shipped, tmp_path):
    other = check({"table": {"name": "t2"}, "game": {"name": "baccarat"}})
    assert "another file in [journal] path" in refused_takeover(shipped, OFF, other)
    (tmp_path / "more").mkdir()
    play(tmp_path / "more" / "t.journal", tmp_path / "more.anchor", *ROUND)
    remember(shipped.anchor, recall(tmp_path / "more.anchor"))
    assert "this is another record" in refused_takeover(shipped, TakeoverDecision("eva", "x", accept_loss=True))


def test_a_takeover_never_overwrites_an_existing_or_locked_record(shipped):
    with closing(Lock(shipped.new)):
        assert "another process writes this journal" in refused_takeover(shipped)
    shipped.take()
    before = shipped.new.read_bytes()
    assert "there is a record here already: move its folder's files away first" in refused_takeover(shipped)
    assert shipped.new.read_bytes() == before


def test_a_takeover_killed_at_any_step_can_be_repeated(shipped, monkeypatch):
    for step in ("write_journal", "append_records", "fence", "adopt_shipped_files"):
        with monkeypatch.context() as broken:
            broken.setattr(takeover, step, killed)
            broken.setattr(takeover, "clear", lambda _: None)  # no clean-up, as after a kill
            with pytest.raises(KeyboardInterrupt):
                shipped.take()
        assert not shipped.new.exists()
    mark = recall(shipped.anchor)
    assert "the record continued elsewhere" in refused(shipped.old, shipped.anchor)
    with pytest.raises(JournalError) as unended:
        play(shipped.new, shipped.anchor)
    why = f"{shipped.new}: a takeover was interrupted here: run the same `tablectl takeover` again"
    assert str(unended.value) == why
    assert shipped.take().mark == mark == recall(shipped.anchor)
    play(shipped.new, shipped.anchor, *ROUND)
    assert not [one.name for one in shipped.new.parent.iterdir() if ".take" in one.name]


def killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_refused_takeover_leaves_both_folders_unchanged(shipped, monkeypatch):
    """The anchor's disk is full at the last step, which writes the takeover into the anchor."""
    shipped.old.with_suffix(".users").write_text("{}")
    shipped.ship()
    with monkeypatch.context() as full:
        full.setattr(AnchorFolder, "write", no_space)
        refusal = refused_takeover(shipped)
    assert refusal == (
        f"{shipped.anchor}: no space left on device: the anchor has to say that the table goes on here; make that "
        "possible, then again"
    )
    assert list(shipped.new.parent.iterdir()) == []
    play(shipped.old, shipped.anchor, *ROUND)
    shipped.ship()
    shipped.take()


def no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_on_a_full_disk_nothing_is_taken_over(shipped, monkeypatch):
    def full(part: PartFile) -> Iterator[Row]:
        yield next(rows_of(part))
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as small:
        small.setattr(assembly, "rows_of", full)
        assert refused_takeover(shipped).endswith("t.journal.takeover: database or disk is full")
    assert list(shipped.new.parent.iterdir()) == []
    shipped.take()


def test_a_folder_in_place_of_the_temporary_file_is_named(shipped):
    folder = assembly.temporary_path(shipped.new)
    folder.mkdir()
    assert refused_takeover(shipped) == f"{folder}: is a directory"
    folder.rmdir()
    shipped.take()


# ── the old PC ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_old_pc_does_not_start_after_a_takeover(shipped, tablectl):
    stands = head_of(shipped.old).seq
    shipped.take()
    for _ in range(2):
        refusal = refused(shipped.old, shipped.anchor)
        assert (
            f"after record {stands} the record continued elsewhere: the anchor {shipped.anchor} remembers epoch "
            in refusal
        )
        assert "this one stays off, or takes it over from there (`tablectl takeover`)" in refusal
        play(shipped.new, shipped.anchor, *ROUND)
    accept = "journal", "accept-loss", shipped.old, "--anchor", shipped.anchor, "--by", "eva", "--because", "x"
    assert "another PC has the table: take it over from there" in tablectl(*accept, exit_code=2).stderr


def test_the_old_running_table_stops_once_it_sees_the_anchor(shipped, monkeypatch):
    monkeypatch.setattr(anchoring, "LOOK", 0.01)

    async def steps():
        async with run_anchored(shipped.old, shipped.anchor) as rig:
            await until(lambda: rig.table.state.seq and rig.custody.progress.anchored)
            shipped.ship()
            took = recover_state(shipped.old)
            monkeypatch.setattr(takeover_anchor, "answers", lambda *_: False)  # as if the old PC did not reach the disk
            await asyncio.to_thread(shipped.take)
            await until(lambda: rig.table.state.doubts)
            assert rig.table.state.doubts == {"anchor": took.seq + 1}
            rig.take(e.Open())
            assert rig.table.state.life == "settled"
            assert "the record continued elsewhere" in render(rig.trouble)
        assert recall(shipped.anchor).epoch == recover_state(shipped.new).identity.epoch

    on_loop(steps)


def test_the_first_pc_can_take_the_table_back(shipped):
    shipped.take()
    play(shipped.new, shipped.anchor, *ROUND)
    shutil.rmtree(shipped.folder)
    shipped.folder.mkdir()
    shutil.rmtree(shipped.old.parent)
    shipped.old.parent.mkdir()
    back = shipped._replace(old=shipped.new, new=shipped.old)
    back.ship()
    back.take()
    play(back.new, back.anchor, *ROUND)
    assert recover_state(back.new).round.number == 3
    assert len(recover_state(back.new).losses) == 2


# ── the commands ─────────────────────────────────────────────────────────────────────────────────────────────────


def interrupt(_: float) -> None:
    """End as at Ctrl-C."""
    raise KeyboardInterrupt


def test_the_commands_ship_and_take_over_by_the_config(pcs, tablectl, tmp_path, monkeypatch):
    play(pcs.old, pcs.anchor, *ROUND)
    config = tmp_path / "table.toml"

    def set_up(journal: Path) -> None:
        shoe = '[game]\nname = "baccarat"\n[shoe]\nport = "/dev/null"\n'
        config.write_text(f'{shoe}[journal]\npath = "{journal}"\nanchor = "{pcs.anchor}"\n')

    set_up(pcs.old)
    head = head_of(pcs.old)
    shipped = f"{pcs.folder}: records up to {head.seq} are shipped, head {head}\n"
    for _ in range(2):
        assert tablectl("journal", "ship", config, "--to", pcs.folder).stdout == shipped
    refusal = tablectl("journal", "ship", config, "--to", "pc2:parts", exit_code=2).stderr
    assert "expected a folder of this PC, got 'pc2:parts': ship to one, and rsync that" in refusal
    monkeypatch.setattr(ship, "time", SimpleNamespace(sleep=interrupt))
    assert tablectl("journal", "ship", config, "--to", pcs.folder, "--follow", exit_code=130).stdout == shipped
    set_up(pcs.new)
    take = "takeover", config, "--from", pcs.folder, "--by", "eva"
    assert "expected --because TEXT beside it" in tablectl(*take, "--accept-loss", exit_code=2).stderr
    stands, begins, following = tablectl(*take).stdout.splitlines()
    assert stands.startswith(f"table: records up to {head.seq} are valid, epoch ")
    assert begins.endswith(f"begins with record {head.seq + 1}; head {head_of(pcs.new)}")
    assert following == f"next: tablectl run {config}"
    assert "there is a record here already" in tablectl(*take, exit_code=2).stderr


# ── receivers of the record ──────────────────────────────────────────────────────────────────────────────────────


class Receiver:
    """Game server that keeps records by epoch and number, and asks for those after its last one."""

    def __init__(self) -> None:
        self.has: dict[tuple[str, int], str] = {}
        self.epoch, self.seq = "", 0

    def told(self, records, state: State) -> None:
        """Take in new records of a table that ends in `state`; assert that each is the next and new."""
        last = last_of(state, self.epoch) if self.epoch else 0
        assert last is not None
        if self.seq > last:  # 409: the records after `last` do not count
            self.has = {one: kind for one, kind in self.has.items() if one[1] <= last}
            self.seq = last
        for record in records:
            if record.seq <= self.seq:
                continue
            assert record.seq == self.seq + 1
            self.epoch = getattr(record.what, "epoch", self.epoch)
            assert (self.epoch, record.seq) not in self.has
            self.has[self.epoch, record.seq] = record.kind
            self.seq = record.seq


def by_epoch(records) -> dict[tuple[str, int], str]:
    everything = Receiver()
    everything.told(records, State())
    return everything.has


def dead(whole: TwoRecords, pcs: TwoRecords, at: int, lag: int) -> list[Record]:
    """Make a PC that died after `at` records, the last `lag` of them unshipped; return its records."""
    (part,) = consecutive_parts(whole.folder)
    lines = part.path.read_bytes().splitlines(keepends=True)
    (pcs.folder / TAIL).write_bytes(b"".join(lines[: at - lag + 1]) + lines[at - lag + 1 :][0][:9])
    write_journal([part._replace(size=sum(map(len, lines[: at + 1])))], pcs.old)
    return list(read(pcs.old))


def whoever_follows_has_the_record(whole: TwoRecords, folder: Path, dice: random.Random, at: int) -> None:
    pcs = TwoRecords(folder / "old" / "t.journal", folder / "new" / "t.journal", folder / "parts", folder / "t.anchor")
    for directory in (pcs.old.parent, pcs.new.parent, pcs.folder):
        directory.mkdir(parents=True)
    lag = dice.choice((0, 1, dice.randrange(at)))
    records = dead(whole, pcs, at, lag)
    anchored = max((one.seq for one in records if one.kind == "checkpoint"), default=1)
    old_state = recover_state(pcs.old)
    mark = mark_of(old_state, Head(anchored, hash_at(pcs.old, anchored) or b""))
    begin(pcs.anchor, mark, "" if old_state.anchor is None else old_state.anchor.id)
    receivers = [Receiver() for _ in range(4)]
    for receiver in receivers:
        receiver.told(records[: dice.randrange(at + 1)], recover_state(pcs.old))
    if anchored > at - lag:
        assert "which the anchor" in refused_takeover(pcs)
    pcs.take(TakeoverDecision("eva", "x", accept_loss=True))
    play(pcs.new, pcs.anchor)
    new_records, state = list(read(pcs.new)), recover_state(pcs.new)
    for receiver in receivers:
        receiver.told(new_records, state)
        assert receiver.has == by_epoch(new_records)
    assert f"after record {at - lag} the record continued elsewhere" in refused(pcs.old, pcs.anchor)


def test_after_a_takeover_no_event_is_duplicated_or_missed(pcs, tmp_path):
    play(pcs.old, pcs.anchor, *ROUND, *ROUND)
    pcs.ship()
    dice = random.Random(2)  # with this seed the anchor once has records that were not shipped
    for at in dice.sample(range(2, head_of(pcs.old).seq), 3):
        whoever_follows_has_the_record(pcs, tmp_path / str(at), dice, at)


@pytest.mark.proof
def test_a_kill_after_any_record_duplicates_or_loses_no_event(pcs, tmp_path):
    play(pcs.old, pcs.anchor, *ROUND, *ROUND)
    pcs.ship()
    dice = random.Random(SEED)
    for at in range(2, head_of(pcs.old).seq):
        whoever_follows_has_the_record(pcs, tmp_path / str(at), dice, at)


def test_old_record_does_not_start_beside_an_anchor_gone_on(shipped, tablectl):
    """A person accepted a loss on the old PC without asking the anchor."""
    shipped.take()
    play(shipped.new, shipped.anchor, *ROUND)
    assert "the record continued elsewhere" in refused(shipped.old, shipped.anchor)
    tablectl("journal", "accept-loss", shipped.old, "--by", "eva", "--because", "it does not start")
    assert "remembers the later epoch" in refused(shipped.old, shipped.anchor)
