"""Shared documents without a bus: claims, tables and alarms of several people, one after another."""

import asyncio
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from controller.bus.keys import new_seed, public_of
from controller.bus.seals import Seals
from controller.core.clock import SECOND, to_text
from controller.floor.consoles.screens import Consoles
from controller.floor.live.due_alerts import FaultAlert
from controller.floor.shared_state.alarms import UpdatedAlarms
from controller.floor.shared_state.documents import AlarmAcknowledgement, AlertNote, HeldAlarm
from controller.floor.shared_state.state import Shared, _combine
from tests.floor.bare_floor import FloorViewer
from tests.floor.consoles.test_screens import CountingTable, SubscribeOnlyConnection
from tests.floor.live.test_call_rules import CallingFloor, MemoryDocuments
from tests.floor.statuses import START, calling_status, status
from tests.patience import on_loop, until

ANNA, ION = FloorViewer("7", "Anna Pop"), FloorViewer("8", "Ion Rusu")
SEED = new_seed()
TABLES = {f"{person}-{number}": "a key" for person in ("7", "8") for number in range(10)}
SEALS = Seals(SEED, TABLES, {"hall": public_of(SEED)})
KEY, OTHER = "t1:lost:panel", "t1:lost:shoe"


class Sharing:
    """Shared documents in memory, with a clock that stands still."""

    def __init__(self) -> None:
        self.now, self.tables = START, {"t1": calling_status(), "t2": status("t2")}
        line = SimpleNamespace(client=SimpleNamespace(is_connected=True))
        self.shared = Shared(line, "main", "hall", SEALS, lambda: self.now, self.tables.get)
        self.shared.documents = MemoryDocuments()

    @property
    def kept(self) -> dict:
        return self.shared.documents.kept


def with_sharing(steps) -> None:
    """Run the test's steps with shared documents in memory."""

    async def run() -> None:
        await steps(Sharing())

    on_loop(run)


def test_a_claim_holds_for_its_own_fault_and_record():
    async def steps(one):
        claim = one.shared.claim
        assert (await claim("t1", 11, ANNA)).reason == "done"
        assert (await claim("t1", 11, ANNA)).reason == "done"
        assert (await claim("t1", 11, ION)).reason == "taken"
        assert (await claim("t1", 12, ION)).reason == "over"
        assert (await claim("t2", 11, ION)).reason == "over"
        assert (await claim("t3", 11, ION)).reason == "no_table"
        one.tables["t1"] = replace(calling_status(waits=5), epoch="e2")  # another fault of the same number
        assert (await claim("t1", 11, ION)).reason == "done"
        one.tables["t1"] = calling_status(seq=20)
        assert (await claim("t1", 20, ANNA)).reason == "done"
        assert one.kept["t1.call"].id == ANNA.id

    with_sharing(steps)


def test_a_lagging_floor_takes_no_claim_of_later_calls():
    async def steps(one):
        one.tables["t1"] = calling_status(seq=20)
        await one.shared.claim("t1", 20, ION)
        one.tables["t1"] = calling_status(seq=11)
        assert (await one.shared.claim("t1", 11, ANNA)).reason == "over"
        assert one.kept["t1.call"].id == ION.id

    with_sharing(steps)


def test_a_claim_is_released_by_its_person_or_a_manager():
    async def steps(one):
        release = one.shared.release
        assert (await release("t1", 11, ANNA.id, ANNA)).reason == "unheld"
        await one.shared.claim("t1", 11, ANNA)
        assert (await release("t1", 11, ANNA.id, ION)).reason == "not_yours"
        assert (await release("t1", 11, ANNA.id, ANNA)).reason == "done"
        assert (await release("t1", 11, ANNA.id, ANNA)).reason == "unheld"
        assert (await one.shared.claim("t1", 11, ION)).reason == "done"
        assert (await release("t1", 11, ION.id, ANNA, anybodys=True)).reason == "done"
        assert one.kept["t1.call"].id is None

    with_sharing(steps)


def test_a_late_release_leaves_the_claim_that_came_meanwhile():
    async def steps(one):
        claim, release = one.shared.claim, one.shared.release
        await claim("t1", 11, ANNA)
        await release("t1", 11, ANNA.id, ANNA)
        await claim("t1", 11, ION)
        assert await release("t1", 11, ANNA.id, ANNA, anybodys=True) == ("taken", (("name", ION.name),))
        one.tables["t1"] = calling_status(seq=20)
        assert (await release("t1", 20, ION.id, ION)).reason == "unheld"
        await claim("t1", 20, ION)
        assert (await release("t1", 11, ION.id, ION)).reason == "over"
        assert one.kept["t1.call"].id == ION.id

    with_sharing(steps)


@pytest.mark.parametrize(
    ("last", "told"),
    [
        ({KEY: HeldAlarm("1"), OTHER: HeldAlarm("0", over="2")}, ((KEY,), (OTHER,))),
        ({KEY: HeldAlarm("0"), OTHER: HeldAlarm("0", over="1")}, ((), ())),  # by another floor, at another time
        ({}, ((), ())),
    ],
)
def test_an_unanswered_try_counts_only_if_it_was_stored(last, told):
    first = UpdatedAlarms({KEY: HeldAlarm("1"), OTHER: HeldAlarm("0", over="2")}, (KEY,), (OTHER,))
    assert _combine([first, UpdatedAlarms(last)]) == (last, *told)


@pytest.mark.parametrize(("at_most", "reasons"), [(2, ["done", "done", "at_most"]), (None, ["done"] * 3)])
def test_each_person_gets_at_most_the_allowed_tables(at_most, reasons):
    async def steps(one):
        one.kept["assignments"] = {"taken away": "7", "sold": "8"}  # tables that the roster lacks
        for person in ("7", "8"):
            assert [(await one.shared.assign(f"{person}-{n}", person, at_most)).reason for n in range(3)] == reasons
        assert (await one.shared.assign("7-0", "7", at_most)).reason == "done"  # the table is already theirs
        assert (await one.shared.assign("8-0", None, at_most)).reason == "done"
        assert (await one.shared.assign("8-9", "8", at_most)).reason == "done"
        assert [one.kept["assignments"].get(table) for table in ("7-0", "8-0", "8-9")] == ["7", None, "8"]

    with_sharing(steps)


@pytest.mark.parametrize(("minutes", "reason"), [(0, "minutes"), (1, "done"), (480, "done"), (481, "minutes")])
def test_an_alarm_is_shelved_for_one_minute_to_eight_hours(minutes, reason):
    async def steps(one):
        one.kept["alarms"] = {KEY: HeldAlarm(to_text(START)), OTHER: HeldAlarm(to_text(START))}
        assert (await one.shared.shelve(KEY, minutes, "a new one comes", ANNA)).reason == reason
        assert (await one.shared.shelve(KEY, 5, " ", ANNA)).reason == "because"
        assert one.kept["alarms"][OTHER].shelved is None
        if reason == "done":
            one.now = START + (minutes * 60 - 1) * SECOND
            assert (await one.shared.unshelve(OTHER)).reason == "not_shelved"
            assert (await one.shared.unshelve(KEY)).reason == "done"
            assert one.kept["alarms"][KEY].shelved is None
        assert (await one.shared.unshelve(KEY)).reason == "not_shelved"

    with_sharing(steps)


def test_an_expired_shelf_cannot_be_removed():
    async def steps(one):
        one.kept["alarms"] = {KEY: HeldAlarm(to_text(START))}
        await one.shared.shelve(KEY, 5, "a new one comes", ANNA)
        one.now += 5 * 60 * SECOND
        assert (await one.shared.unshelve(KEY)).reason == "not_shelved"

    with_sharing(steps)


def test_an_alarm_names_the_first_person_who_acknowledged_it():
    async def steps(one):
        one.kept["alarms"] = {KEY: HeldAlarm(to_text(START)), OTHER: HeldAlarm(to_text(START))}
        for person in (ANNA, ION):
            one.now += SECOND
            assert (await one.shared.acknowledge(KEY, person)).reason == "done"
        assert one.kept["alarms"][KEY].acknowledged == AlarmAcknowledgement("7", "Anna Pop", to_text(START + SECOND))
        assert one.kept["alarms"][OTHER].acknowledged is None
        assert (await one.shared.acknowledge("t9:unheard", ANNA)).reason == "no_alarm"

    with_sharing(steps)


@pytest.mark.parametrize(("noted", "stands"), [(1, 2), (2, 2), (3, 3)])
def test_a_note_of_a_higher_level_is_never_lowered(noted, stands):
    """A floor that has sent level 2 does not overwrite another floor's note of level 3."""

    async def steps():
        room = CallingFloor()
        call = FaultAlert("t1", "e1", 11, called=2, restarted="", level=2, offer=0, since="")
        room.documents.kept["t1.mailed"] = AlertNote("e1", 11, noted, "annex", "")
        await room.calling._note(call)
        assert room.documents.kept["t1.mailed"].level == stands

    on_loop(steps)


def test_a_console_lasts_as_long_as_anybody_looks_at_it():
    """Each table and language has one console; when its last viewer leaves, its subscriptions end."""

    class Counting(SubscribeOnlyConnection):
        gone = 0

        async def unsubscribe(self) -> None:
            self.gone += 1

    async def steps():
        line = Counting()
        consoles = Consoles(line, CountingTable(), "main", {"version": "v1"})
        with consoles._follow("t1", "en") as first:
            with consoles._follow("t1", "en") as second, consoles._follow("t1", "ro"), consoles._follow("t2", "en"):
                assert second is first
                assert consoles.open_count == 3
                await until(lambda: all(console.shown for console, _ in consoles._open.values()))
                tasks = [task for _, task in consoles._open.values()]
            assert consoles.open_count == 1
            await asyncio.wait(tasks[1:])
            assert line.gone == 2
        assert consoles.open_count == 0
        await asyncio.wait(tasks)
        assert line.gone == 3

    on_loop(steps)
