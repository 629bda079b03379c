"""Conflicts of two people on a real bus: only one of them gets the call, the table or the alarm."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from types import SimpleNamespace
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace
from nats.aio.client import Client
from structlog.testing import capture_logs

from controller.bus.bus_client import BusClient
from controller.bus.keys import new_seed, public_of
from controller.bus.seals import Seals
from controller.bus.status import Status
from controller.floor.shared_state import exchange
from controller.floor.shared_state.documents import Assignments, CallClaim
from controller.floor.shared_state.exchange import Document, SharedDocuments
from controller.floor.shared_state.state import Shared
from controller.text.coded import render
from controller.text.faults import Words
from tests.bus.cluster import Cluster
from tests.clocks import TableClock
from tests.floor.bare_floor import BareFloor, FloorViewer, publish_statuses, run_bare_floor
from tests.floor.statuses import START, calling_status, status
from tests.patience import on_loop, until

ANNA, ION = FloorViewer("7", "Anna Pop"), FloorViewer("8", "Ion Rusu")
ENGLISH = Words("en")
UNSURE = "the bus did not answer: check whether it was done"


class Both(NamedTuple):
    """Two floors, and a client that publishes statuses of tables."""

    one: BareFloor
    other: BareFloor
    admin: Client

    async def know(self, *statuses: Status) -> None:
        """Publish statuses and wait until both floors have them."""
        for one in statuses:
            await publish_statuses(self.one.bus, self.admin, one)
            await until(lambda one=one: all(floor.hall.status_of(one.table) == one for floor in self[:2]))


@asynccontextmanager
async def floors(bus) -> AsyncIterator[Both]:
    """Run two floors that know a call at t1 and none at t2. Their clocks stand still: no silent tables."""
    async with (
        bus.client("admin") as admin,
        BareFloor(bus, "main", TableClock()) as one,
        BareFloor(bus, "second", TableClock()) as other,
    ):
        both = Both(one, other, admin)
        await both.know(calling_status(), status("t2"))
        yield both


def claimant(floor: BareFloor, table: str = "t1"):
    """Return the name of the person who has claimed the call, None without a claim."""
    call = floor.strip(table).call
    return call and call.claim and call.claim.name


def test_of_nine_claims_at_two_floors_exactly_one_wins(bus):
    async def steps():
        async with floors(bus) as pair:
            both = pair[:2]
            people = [FloorViewer(str(number), f"Person {number}") for number in range(9)]
            for seq in range(11, 16):
                await pair.know(calling_status(seq=seq))
                race = (both[number % 2].shared.claim("t1", seq, one) for number, one in enumerate(people))
                outcomes = await asyncio.gather(*race)
                winners = [one for one, outcome in zip(people, outcomes, strict=True) if outcome.done]
                assert len(winners) == 1
                losers = {outcome.says(ENGLISH) for outcome in outcomes if not outcome.done}
                assert losers == {f"{winners[0].name} has it"}
                await until(lambda name=winners[0].name: [claimant(floor) for floor in both] == [name, name])

    on_loop(steps)


@pytest.mark.proof
def test_one_of_nine_claims_wins_while_servers_are_killed(tmp_path):
    names = tuple(f"floor{number}" for number in range(9))

    async def steps():
        async with AsyncExitStack() as stack:
            admin = await stack.enter_async_context(three.client("admin"))
            floors = [
                await stack.enter_async_context(BareFloor(three, name, servers=three.urls[number % 3 :]))
                for number, name in enumerate(names)
            ]
            for seq in range(11, 29):
                await publish_statuses(three, admin, calling_status(seq=seq))
                await until(lambda seq=seq: all(is_called(floor, seq) for floor in floors))
                killed = await three.leader("KV_tablectl_claims") if seq % 6 == 4 else None
                race = [
                    floor.shared.claim("t1", seq, FloorViewer(name, name))
                    for floor, name in zip(floors, names, strict=True)
                ]
                if killed is not None:
                    killed.kill()
                outcomes = await asyncio.gather(*race)
                if killed is not None:
                    await asyncio.to_thread(killed.start)
                    await asyncio.to_thread(three.wait_until_well)
                winners = [name for name, outcome in zip(names, outcomes, strict=True) if outcome.done]
                refusals = {outcome.says(ENGLISH) for outcome in outcomes if not outcome.done}
                assert len(winners) == 1 or (killed is not None and winners == [])
                for name in winners:
                    await until(lambda name=name: [claimant(floor) for floor in floors] == [name] * 9)
                    assert refusals <= {f"{name} has it", *([UNSURE] if killed else [])}

    with Cluster(tmp_path / "bus", {"tables": ("t1",), "floors": names, "platforms": ()}) as three:
        on_loop(steps)


def is_called(floor: BareFloor, seq: int) -> bool:
    """True if the floor has this call of t1 and is connected."""
    status = floor.hall.status_of("t1")
    return status is not None and status.seq == seq and floor.line.there.is_set()


def test_a_claim_can_be_repeated_released_and_taken_by_another(bus):
    async def steps():
        async with floors(bus) as (one, other, _):
            assert (await one.shared.claim("t1", 11, ANNA)).done
            assert (await other.shared.claim("t1", 11, ANNA)).done
            refused = await other.shared.release("t1", 11, ANNA.id, ION)
            assert refused.says(ENGLISH) == "Anna Pop has claimed it: only Anna Pop or a shift manager can give it back"
            assert refused.says(Words("ro")).startswith("Anna Pop a spus că vine")
            assert (await other.shared.release("t1", 11, ANNA.id, ION, anybodys=True)).done
            late = await one.shared.release("t1", 11, ANNA.id, ANNA)
            assert (late.reason, late.says(ENGLISH)) == ("unheld", "nobody has claimed this call")
            assert (await other.shared.claim("t1", 11, ION)).done
            await until(lambda: claimant(one) == "Ion Rusu")

    on_loop(steps)


def test_a_call_that_is_not_open_cannot_be_claimed(bus):
    async def steps():
        async with floors(bus) as (one, _, _):
            for table, fault, reason in (
                ("t1", 10, "over"),
                ("t2", 11, "over"),
                ("t1", 0, "over"),
                ("t9", 11, "no_table"),
            ):
                assert (await one.shared.claim(table, fault, ANNA)).reason == reason
            assert claimant(one) is None

    on_loop(steps)


def test_the_previous_calls_claim_does_not_block_this_one(bus):
    """A claim of fault 11 does not count for the later fault 30 of the same table."""

    async def steps():
        async with floors(bus) as pair:
            one, other, _ = pair
            assert (await one.shared.claim("t1", 11, ANNA)).done
            await pair.know(calling_status(seq=30))
            await until(lambda: claimant(other) is None)
            assert (await other.shared.claim("t1", 30, ION)).done
            await until(lambda: claimant(one) == "Ion Rusu")

    on_loop(steps)


def test_a_claim_stays_while_another_pc_continues_its_fault(bus):
    """A takeover begins another epoch; a fault of the same number that began at another time is another one."""

    async def steps():
        async with floors(bus) as pair:
            one, other, _ = pair
            assert (await one.shared.claim("t1", 11, ANNA)).done
            continued = replace(calling_status(), epoch="e2", seq=14)
            await pair.know(continued)
            await until(lambda: [claimant(floor) for floor in (one, other)] == ["Anna Pop", "Anna Pop"])
            assert (await other.shared.claim("t1", 11, ION)).reason == "taken"
            await pair.know(replace(calling_status(waits=7), epoch="e3"))
            assert (await other.shared.claim("t1", 11, ION)).done
            await until(lambda: [claimant(floor) for floor in (one, other)] == ["Ion Rusu", "Ion Rusu"])

    on_loop(steps)


def test_two_floors_together_keep_the_limit_of_assigned_tables(bus):
    async def steps():
        async with floors(bus) as (*both, _):
            given = (both[number % 2].shared.assign(f"t{number}", "8", 6) for number in range(9))
            outcomes = await asyncio.gather(*given)
            assert sum(outcome.done for outcome in outcomes) == 6
            assert {outcome.says(ENGLISH) for outcome in outcomes if not outcome.done} == {"7 tables: at most 6"}
            await until(lambda: all(len(mine(floor)) == 6 for floor in both))
            first = mine(both[0])[0]
            assert (await both[0].shared.assign(first, "8", 6)).done, "it is theirs already"
            assert (await both[0].shared.assign(first, None, None)).done
            assert (await both[1].shared.assign("t50", "8", 6)).done
            assert (await both[1].shared.assign("t51", "9", None)).done

    on_loop(steps)


def mine(floor: BareFloor) -> list[str]:
    """Return the tables that are assigned to person 8."""
    return [f"t{number}" for number in range(9) if floor.hall.owner(f"t{number}") == "8"]


def test_both_floors_share_one_alarm_and_its_acts(bus):
    async def steps():
        async with floors(bus) as pair:
            (one, other, _), key = pair, "t2:lost:panel"
            await pair.know(status("t2", lost=("panel",)))
            await until(lambda: sorted(one.told + other.told) == [("raised", key)])
            assert (await one.shared.shelve(key, 30, "a new one comes", ANNA)).done
            await until(lambda: alarm(other).shelved is not None)
            assert alarm(other).because == "a new one comes"
            assert (await other.shared.unshelve(key)).done
            assert (await one.shared.unshelve(key)).reason == "not_shelved"
            assert (await other.shared.acknowledge(key, ION)).done
            assert (await one.shared.acknowledge(key, ANNA)).done
            await until(lambda: [alarm(floor).acknowledged for floor in (one, other)] == ["Ion Rusu", "Ion Rusu"])
            await pair.know(status("t2"))
            await until(lambda: all(floor.strip("t2").alarms == () for floor in (one, other)))
            assert (await one.shared.acknowledge(key, ANNA)).reason == "no_alarm"
            assert sorted(one.told + other.told) == [("cleared", key), ("raised", key)]

    on_loop(steps)


def alarm(floor: BareFloor, table: str = "t2"):
    """Return the one alarm of a table."""
    (one,) = floor.strip(table).alarms
    return one


@pytest.mark.parametrize(
    ("minutes", "because", "reason"), [(0, "x", "minutes"), (481, "x", "minutes"), (5, " ", "because")]
)
def test_shelving_needs_a_reason_and_at_most_eight_hours(minutes, because, reason):
    one = Shared(BusClient({}), "main", "main", Seals(new_seed(), {}, {}), lambda: START, lambda _: None)
    assert asyncio.run(one.shelve("t2:lost:panel", minutes, because, ANNA)).reason == reason


def test_a_claim_fails_while_the_bus_is_away(bus, monkeypatch):
    async def steps():
        async with floors(bus) as (one, other, _):
            assert (await one.shared.claim("t1", 11, ANNA)).done
            with monkeypatch.context() as patch:
                patch.setattr(exchange, "TIMEOUT", 0.3)
                bus.kill()
                outcome = await other.shared.claim("t1", 11, ION)
            assert outcome.says(ENGLISH) == UNSURE
            await asyncio.to_thread(bus.start)
            await asyncio.gather(*(floor.line.there.wait() for floor in (one, other)))
            await until(lambda: one.line.client.is_connected and other.line.client.is_connected)
            assert (await other.shared.claim("t1", 11, ION)).says(ENGLISH) == "Anna Pop has it"
            assert (await one.shared.release("t1", 11, ANNA.id, ANNA)).done
            await until(lambda: claimant(other) is None)

    on_loop(steps)


def test_an_unreadable_shared_document_is_replaced(bus):
    async def steps():
        async with floors(bus) as (one, other, _):
            stream = one.line.client.jetstream()
            for key, body in (
                ("t1.call", b"\xff"),
                ("assignments", b"[1]"),
                ("alarms", b'{"a": 7}'),
                ("what.else.x", b""),
            ):
                await stream.publish(f"$KV.tablectl_claims.main.{key}", body)
            assert (await one.shared.claim("t1", 11, ANNA)).done
            assert (await other.shared.assign("t1", "8", 6)).done
            await until(lambda: claimant(other) == "Anna Pop" and one.hall.owner("t1") == "8")

    on_loop(steps)


def test_a_document_that_cannot_be_read_is_logged(bus):
    async def steps():
        async with run_bare_floor(bus) as floor:
            subject = "$KV.tablectl_claims.main.t1.call"
            await until(lambda: floor.line.client.is_connected)
            headers = floor.seals.seal(subject, b"[1]")
            await floor.line.client.jetstream().publish(subject, b"[1]", headers=headers)
            await until(lambda: any(log["event"] == "no_document" for log in logs))

    with capture_logs() as logs:
        on_loop(steps)
    (line,) = (log for log in logs if log["event"] == "no_document")
    assert (line["key"], line["reason"]) == ("t1.call", "Expected `object`, got `array`")


def test_a_document_that_the_bus_refuses_is_a_trouble(bus, monkeypatch):
    """The trouble is reported until the document is stored."""
    monkeypatch.setattr(exchange, "PATIENCE", 0)

    async def steps():
        async with run_bare_floor(bus) as floor:
            await until(lambda: floor.line.client.is_connected)
            documents = floor.shared.documents
            with capture_logs() as logs:
                assert not await documents.change("assignments", Assignments, lambda _: {"t1": "8" * 600_000})
            (line,) = (log for log in logs if log["event"] == "not_shared")
            (trouble,) = documents.troubles
            assert (line["key"], line["reason"]) == ("assignments", "message size exceeds maximum allowed")
            assert "assignments cannot be stored: " in render(trouble)
            assert (await floor.shared.claim("t1", 11, ANNA)).reason == "no_table"
            assert documents.troubles == [trouble]
            assert await documents.change("assignments", Assignments, lambda _: {"t1": "8"})
            assert documents.troubles == []

    on_loop(steps)


class Doubtful(SharedDocuments):
    """Shared documents on a bus that stores everything and never answers."""

    def __init__(self) -> None:
        seed = new_seed()
        seals = Seals(seed, {}, {"main": public_of(seed)})
        super().__init__(SimpleNamespace(client=SimpleNamespace(is_connected=True)), "main", seals)
        self.kept, self.writes = None, 0

    async def _read(self, *_: object) -> Document[Assignments]:
        return Document(self.kept, self.writes)

    async def _write(self, _: str, __: int, body: bytes) -> None:
        self.kept, self.writes = msgspec.json.decode(body), self.writes + 1
        raise TimeoutError


def test_an_edit_without_an_answer_is_not_made_twice():
    one = Doubtful()
    assert asyncio.run(one.change("assignments", Assignments, lambda _: {"t1": "8"}))
    assert one.writes == 1


def test_a_claim_has_the_fields_that_floors_agree_on():
    assert CallClaim.__struct_fields__ == ("epoch", "fault", "seq", "id", "name", "floor", "at", "since")
