"""Acts of people at the floor: the right to them, their effect, and their entry in the floor's record."""

import asyncio

import pytest

from controller.core import events as e
from controller.floor.storage.floor_record import verify
from tests.floor.service import AUDITOR, ENGINEER, MANAGER, OTHER, SUPERVISOR, paused, studio
from tests.patience import on_loop, until
from tests.web.staff import NAMES


async def call(floor, fault: int, table: str = "t1") -> None:
    """Wait until the floor has received this fault."""
    await until(lambda: (status := floor.hall.status_of(table)).fault is not None and status.fault.seq == fault)


def strip(floor, table: str = "t1"):
    """Return the open fault of a table, as the floor knows it."""
    status = floor.hall.status_of(table)
    return None if status is None else status.fault


def test_a_claimed_call_is_acknowledged_at_the_table(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, fault = await floor.signed_in(MANAGER), paused(table)
            await call(floor, fault)
            answer = await maria.act("claim", table="t1", fault=fault)
            assert answer.body == {"says": "done", "reason": "done", "done": True}
            assert table.table.state.fault.seen_by == NAMES[MANAGER]
            kinds = [(one["kind"], one["by"]) for one in floor.recorded("claimed", "commanded")]
            assert kinds == [("claimed", MANAGER), ("commanded", MANAGER)]
            released = await maria.act("release", table="t1", fault=fault, person=MANAGER)
            assert released.body["done"]
            assert [(one["table"], one["fault"]) for one in floor.recorded("released")] == [("t1", fault)]
            assert verify(floor.floor.components.record.path).wrong is None

    on_loop(steps)


def test_a_call_claimed_again_is_acknowledged_again_at_its_table(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, livia = await floor.signed_in(MANAGER), await floor.signed_in(OTHER)
            fault, seen = paused(table), []
            await call(floor, fault)
            for person, number in ((maria, MANAGER), (livia, OTHER), (maria, MANAGER)):
                for _ in range(2):  # touched twice, it counts once
                    assert (await person.act("claim", table="t1", fault=fault)).body["done"]
                seen.append((table.table.state.fault.seen_by, table.table.state.seq - fault))
                assert (await person.act("release", table="t1", fault=fault, person=number)).body["done"]
            assert seen == [(NAMES[MANAGER], 1), (NAMES[OTHER], 2), (NAMES[MANAGER], 3)]

    on_loop(steps)


def test_the_dealer_of_a_round_keeps_no_claim_on_it(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            livia, maria = await floor.signed_in(OTHER), await floor.signed_in(MANAGER)
            table.table.take(e.DealerOn(NAMES[OTHER], id=OTHER))
            fault = paused(table)
            await call(floor, fault)
            refused = (await livia.act("claim", table="t1", fault=fault)).body
            assert (refused["done"], refused["reason"]) == (False, "refused")
            assert "call another shift manager" in refused["says"]
            assert (await maria.act("claim", table="t1", fault=fault)).body["done"]
            assert table.table.state.fault.seen_by == NAMES[MANAGER]
            kinds = [one["kind"] for one in floor.recorded("claimed", "commanded", "released")]
            assert kinds == ["claimed", "commanded", "released", "claimed", "commanded"]

    on_loop(steps)


def test_of_two_simultaneous_claims_only_one_reaches_the_table(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus, "main", "second") as (one, two, table):
            people = await asyncio.gather(one.signed_in(MANAGER), two.signed_in(OTHER))
            fault = paused(table)
            await asyncio.gather(call(one, fault), call(two, fault))
            answers = await asyncio.gather(*(person.act("claim", table="t1", fault=fault) for person in people))
            (lost,) = (index for index, answer in enumerate(answers) if not answer.body["done"])
            names = [NAMES[MANAGER], NAMES[OTHER]]
            assert answers[lost].body == {"says": f"{names[1 - lost]} has it", "reason": "taken", "done": False}
            assert table.table.state.fault.seen_by == names[1 - lost]
            loser = (one, two)[lost]
            assert loser.recorded("claimed", "commanded") == []

    on_loop(steps)


@pytest.mark.proof
def test_a_call_that_is_over_cannot_be_claimed(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, fault = await floor.signed_in(MANAGER), paused(table)
            await call(floor, fault)
            table.table.take(e.Rule("burn", "m", "seen", fault=fault))
            await until(lambda: floor.hall.status_of("t1").fault is None)
            late = await maria.act("claim", table="t1", fault=fault)
            assert (late.body["done"], late.body["reason"]) == (False, "over")
            never = await maria.act("claim", table="t9", fault=1)
            assert never.body["reason"] == "no_table"

    on_loop(steps)


def test_unknown_tables_and_people_without_tables_are_not_assigned(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            maria = await floor.signed_in(MANAGER)
            answer = await maria.act("assign", table="t99", person=SUPERVISOR)
            assert (answer.body["done"], answer.body["reason"]) == (False, "no_table")
            assert (await maria.act("assign", table="t99", person=None)).body["done"]
            answer = await maria.act("assign", table="t1", person=AUDITOR)
            assert (answer.body["done"], answer.body["reason"]) == (False, "no_person")
            assert floor.recorded("assigned") == []

    on_loop(steps)


REFUSED = {
    ENGINEER: ("claim", "release", "assign"),
    AUDITOR: ("claim", "release", "assign", "acknowledge", "shelve", "unshelve"),
    SUPERVISOR: ("claim", "release", "assign", "acknowledge", "shelve", "unshelve"),
}
BODIES = {
    "claim": {"table": "t1", "fault": 1},
    "release": {"table": "t1", "fault": 1, "person": MANAGER},
    "assign": {"table": "t1", "person": SUPERVISOR},
    "acknowledge": {"key": "t1:lost:panel"},
    "shelve": {"key": "t1:lost:panel", "minutes": 5, "because": "x"},
    "unshelve": {"key": "t1:lost:panel"},
}


def test_acts_beyond_a_persons_role_are_refused_in_words(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            for number, acts in REFUSED.items():
                who = await floor.signed_in(number)
                for act in acts:
                    answer = await who.act(act, **BODIES[act])
                    assert (answer.status, answer.body["reason"]) == (403, "forbidden"), act
                    assert NAMES[number] in answer.body["detail"]
                may = (await who.now())["head"]["may"]
                assert set(may) == set(BODIES) - set(acts)
            assert floor.recorded(*["claimed", "released", "assigned", "acknowledged", "shelved", "unshelved"]) == []

    on_loop(steps)


@pytest.mark.proof
def test_no_floor_assigns_a_supervisor_more_tables_than_allowed(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus, "main", "second", tables=("t1", "t2"), at_most=1) as (one, two, *_):
            here, livia = await asyncio.gather(one.signed_in(MANAGER), two.signed_in(OTHER))
            assert (await here.act("assign", table="t1", person=SUPERVISOR)).body["done"]
            refused = await livia.act("assign", table="t2", person=SUPERVISOR)
            assert refused.body == {"says": "2 tables: at most 1", "reason": "at_most", "done": False}
            assert (await livia.act("assign", table="t2", person=OTHER)).body["done"]  # a manager has any number
            assert (await livia.act("assign", table="t1", person=OTHER)).body["done"]
            nobody = await livia.act("assign", table="t1", person=AUDITOR)
            assert (nobody.body["done"], nobody.body["reason"]) == (False, "no_person")
            assert (await livia.act("assign", table="t1", person=None)).body["done"]
            kinds = [(one["kind"], one["table"], one["person"]) for one in two.recorded("assigned", "unassigned")]
            assert kinds == [("assigned", "t2", OTHER), ("assigned", "t1", OTHER), ("unassigned", "t1", None)]

    on_loop(steps)


def test_an_engineer_acknowledges_shelves_and_unshelves_an_alarm(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            emil = await floor.signed_in(ENGINEER)
            table.table.take(e.LostDevice("panel", "unplugged"))
            await until(lambda: floor.recorded("raised"))
            key = floor.recorded("raised")[0]["key"]
            assert (await emil.act("acknowledge", key=key)).body["done"]
            assert (await emil.act("shelve", key=key, minutes=30, because="on its way")).body["done"]
            assert (await emil.act("unshelve", key=key)).body["done"]
            again = await emil.act("unshelve", key=key)
            assert (again.body["done"], again.body["says"]) == (False, "it is not shelved")
            too_long = await emil.act("shelve", key=key, minutes=481, because="x")
            assert (too_long.status, too_long.body["reason"]) == (400, "malformed")
            acts = floor.recorded("acknowledged", "shelved", "unshelved")
            assert [one["kind"] for one in acts] == ["acknowledged", "shelved", "unshelved"]
            assert acts[1]["because"] == "on its way"

    on_loop(steps)


@pytest.mark.proof
def test_an_act_without_the_pages_token_is_refused(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            maria = await floor.signed_in(MANAGER)
            answer = await maria.ask(
                "POST", "/api/floor/acts", {"act": "release", **BODIES["release"]}, {"x-csrf": "no"}
            )
            assert answer.status == 403
            maria.cookie = None
            assert (await maria.act("release", **BODIES["release"])).status == 401

    on_loop(steps)
