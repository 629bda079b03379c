"""Entries of acts in the floor's record: written in their order, even after the disk was full."""

import asyncio

import pytest
from structlog.testing import capture_logs

from controller.core import events as e
from controller.core.clock import SECOND, Time, to_text
from controller.floor.storage import notes as n
from controller.floor.storage.failures import FloorFailed
from tests.floor.statuses import START
from tests.patience import PATIENCE, on_loop, until


class FailingStore:
    """Record that fails while `full` is set."""

    def __init__(self) -> None:
        self.full, self.tries, self.written = False, 0, list[tuple[str, dict]]()
        self.times: list[str] = []
        self.now: Time = START

    def clock(self) -> Time:
        return self.now

    def append(self, kind: str, at: str, **what: object) -> None:
        self.tries += 1
        if self.full:
            raise FloorFailed("x.record: database or disk is full")
        self.written.append((kind, what))
        self.times.append(at)


@pytest.fixture(autouse=True)
def impatient(monkeypatch) -> None:
    """Make the notes retry at once, and wait long for a write."""
    monkeypatch.setattr(n, "AGAIN", 0.01)
    monkeypatch.setattr(n, "PATIENCE", PATIENCE)


def with_notes(steps) -> None:
    """Run the test's steps with notes and their disk."""

    async def run() -> None:
        disk = FailingStore()
        notes = n.Notes(disk.append, disk.clock)
        writing = asyncio.create_task(notes.run())
        try:
            await steps(notes, disk)
        finally:
            writing.cancel()

    on_loop(run)


def test_notes_on_a_full_disk_are_written_later_in_order(monkeypatch):
    async def steps(notes: n.Notes, disk: FailingStore) -> None:
        await notes("claimed", table="t1")
        await until(lambda: disk.written)
        disk.full = True
        monkeypatch.setattr(n, "PATIENCE", 0.2)
        with capture_logs() as logs:
            await notes("released", table="t1")  # returns after 0.2 s, not written
        (waits,) = (one for one in logs if one["event"] == "floor_record_waits")
        assert (waits["kind"], waits["waiting"]) == ("released", 1)
        await notes("assigned", table="t2")
        await until(lambda: disk.tries > 2)
        assert (notes.waiting_count, notes.trouble) == (2, "x.record: database or disk is full")
        unwritten = {"event": "floor_record_unwritten", "log_level": "error", "reason": notes.trouble}
        assert [one for one in logs if one != waits] == [unwritten]
        disk.full = False
        await until(lambda: not notes.waiting_count)
        assert notes.trouble is None
        assert [kind for kind, _ in disk.written] == ["claimed", "released", "assigned"]

    with_notes(steps)


def test_a_late_entry_has_the_time_of_its_act():
    async def steps(notes: n.Notes, disk: FailingStore) -> None:
        disk.full = True
        notes.put("claimed", table="t1")
        disk.now += 3600 * SECOND
        disk.full = False
        await until(lambda: disk.written)
        assert disk.times == [to_text(START)]

    with_notes(steps)


def test_an_act_is_written_when_it_is_answered():
    """When the call of an act returns, its entry is written: no second wait is needed."""

    async def steps(notes: n.Notes, disk: FailingStore) -> None:
        await asyncio.gather(*(notes("claimed", table=f"t{number}") for number in range(20)))
        assert [what["table"] for _, what in disk.written] == [f"t{number}" for number in range(20)]

    with_notes(steps)


def test_the_end_waits_for_running_writes_not_for_full_disks(monkeypatch):
    async def steps(notes: n.Notes, disk: FailingStore) -> None:
        notes.put("stopped")
        await notes.finish()
        assert [kind for kind, _ in disk.written] == ["stopped"]
        disk.full = True
        monkeypatch.setattr(n, "PATIENCE", 0.2)
        notes.put("claimed", table="t1")
        notes.put("stopped")
        with capture_logs() as logs:
            await notes.finish()
        (lost,) = (one for one in logs if one["event"] == "floor_record_lost")
        assert (lost["kinds"], lost["reason"]) == (["claimed", "stopped"], "x.record: database or disk is full")
        assert notes.waiting_count == 2

    with_notes(steps)


def test_signing_in_is_noted_with_who_and_from_where():
    async def steps(notes: n.Notes, disk: FailingStore) -> None:
        notes.hear(e.SignIn("Maria", "10.0.0.7", "manager", "pin", person="103"))
        notes.hear(e.BadSignIns(3, 1, 2, 5, ("103",), ("10.0.0.7",)))
        await notes.finish()
        assert disk.written == [
            ("signed_in", {"by": "103", "name": "Maria", "source": "10.0.0.7", "proof": "pin"}),
            (
                "sign_ins_refused",
                {"wrong": 3, "delayed": 1, "most": 2, "delay": 5, "people": ("103",), "sources": ("10.0.0.7",)},
            ),
        ]

    with_notes(steps)


def test_a_request_that_ends_early_stops_no_writing():
    async def steps(notes: n.Notes, disk: FailingStore) -> None:
        asking = asyncio.create_task(notes.require("handed_over", by="m"))
        await asyncio.sleep(0)
        asking.cancel()
        await notes("claimed", table="t1")
        assert [kind for kind, _ in disk.written] == ["handed_over", "claimed"]

    with_notes(steps)
