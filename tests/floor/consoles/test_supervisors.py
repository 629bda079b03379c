"""Supervisor at the floor: may rule only at the tables that are assigned to them at that moment."""

import pytest
from nats.errors import TimeoutError as NoAnswer

from controller.core import events as e
from controller.floor.people.viewers import Viewer, who_rules
from controller.text.faults import Words
from tests.clocks import ManualClock
from tests.floor.consoles.test_gateway import BURN, ruled
from tests.floor.service import AUDITOR, ENGINEER, MANAGER, OTHER, SUPERVISOR, paused, studio
from tests.patience import on_loop, until
from tests.web.staff import PINS

NOT_THEIRS = "table t1 is not assigned to Sandu"
NOT_YOURS = "This table is not assigned to you. A shift manager rules."
SCREEN = "/tables/t1/api/screen?role=manager&lang=en"


async def assigned(floor, table="t1", person=SUPERVISOR):
    """Have a shift manager assign the table to a person; return the supervisor, signed in at the floor."""
    maria = await floor.signed_in(MANAGER)
    assert (await maria.act("assign", table=table, person=person)).body["done"]
    await until(lambda: floor.hall.owner(table) == person)
    return await floor.signed_in(SUPERVISOR)


async def is_refused(sandu, floor, table, fault, says=NOT_THEIRS):
    """Check that the supervisor's commands and rulings are refused and change nothing."""
    seq, noted = table.table.state.seq, floor.recorded("commanded")
    for target, body in (
        ("commands", [{**BURN, "fault": fault}]),
        ("rulings", {"ruling": {**BURN, "fault": fault}, "second": {"name": OTHER, "pin": PINS[OTHER]}}),
    ):
        answer = await sandu.ask("POST", f"/tables/t1/api/{target}?role=manager&lang=en", body)
        assert (answer.status, answer.body["reason"], answer.body["detail"]) == (403, "forbidden", says)
    assert (table.table.state.seq, table.table.state.fault.seq) == (seq, fault)
    assert floor.recorded("commanded") == noted


def test_a_supervisors_ruling_records_person_and_floor(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus, tables=("t1", "t2")) as (floor, table, other):
            sandu, fault = await assigned(floor), paused(table)
            rule = {**BURN, "fault": fault}
            foreseen = await sandu.ask("POST", "/tables/t1/api/preview?role=manager", rule)
            assert (foreseen.status, foreseen.body["verdict"]) == (200, "leads")
            answer = await sandu.command("t1", rule)
            assert [one["verdict"] for one in answer.body["verdicts"]] == ["done"]
            (ruling,) = await ruled(bus, table)
            assert (ruling["person"], ruling["by"], ruling["origin"]["via"]) == (SUPERVISOR, "Sandu", "floor:main")
            (noted,) = floor.recorded("commanded")
            assert (noted["by"], noted["table"], noted["ruling"], noted["verdict"]) == (
                SUPERVISOR,
                "t1",
                "burn",
                "done",
            )
            other_fault = paused(other)
            refused = await sandu.command("t2", {**BURN, "fault": other_fault})
            assert (refused.status, refused.body["detail"]) == (403, "table t2 is not assigned to Sandu")
            assert other.table.state.fault.seq == other_fault

    on_loop(steps)


def test_a_supervisor_cannot_rule_at_a_table_just_reassigned(bus, tmp_path):
    """The floor asks the bus before each ruling: an assignment changed at another floor counts at once."""

    async def steps():
        async with studio(tmp_path, bus, "main", "second") as (here, second, table):
            sandu, fault = await assigned(here), paused(table)
            foreseen = await sandu.ask("POST", "/tables/t1/api/preview?role=manager", {**BURN, "fault": fault})
            assert foreseen.body["verdict"] == "leads"
            here.hall.set_assignments = lambda document: (
                None
            )  # this floor has not yet heard of the other floor's change
            livia = await second.signed_in(OTHER)
            assert (await livia.act("assign", table="t1", person=None)).body["done"]
            assert here.hall.owner("t1") == SUPERVISOR
            await is_refused(sandu, here, table, fault)
            assert (await livia.act("assign", table="t1", person=SUPERVISOR)).body["done"]
            done = await sandu.command("t1", {**BURN, "fault": fault, "id": "r2"})
            assert done.body["verdicts"][0]["verdict"] == "done"

    on_loop(steps)


@pytest.mark.proof
def test_a_table_assigned_at_one_floor_counts_at_the_other(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus, "main", "second") as (here, second, table):
            await assigned(here)
            await until(lambda: second.hall.owner("t1") == SUPERVISOR)
            sandu, fault = await second.signed_in(SUPERVISOR), paused(table)
            done = await sandu.command("t1", {**BURN, "fault": fault})
            assert done.body["verdicts"][0]["verdict"] == "done"
            (ruling,) = await ruled(bus, table)
            assert (ruling["person"], ruling["origin"]["via"]) == (SUPERVISOR, "floor:second")

    on_loop(steps)


@pytest.mark.proof
def test_without_assignments_a_manager_rules_and_a_supervisor_does_not(bus, tmp_path):
    """While the bus does not say to whom a table is assigned, the supervisor's ruling is refused."""

    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            sandu, fault = await assigned(floor), paused(table)

            async def read(*_):
                raise NoAnswer

            floor.floor.components.shared.documents.read = read
            answer = await sandu.command("t1", {**BURN, "fault": fault})
            says = "the bus does not say whose table t1 is: no answer in time"
            assert (answer.status, answer.body["detail"]) == (504, says)
            assert table.table.state.fault.seq == fault
            done = await (await floor.signed_in(MANAGER)).command("t1", {**BURN, "fault": fault})
            assert done.body["verdicts"][0]["verdict"] == "done"

    on_loop(steps)


@pytest.mark.proof
def test_the_dealer_and_lapsed_sign_ins_cannot_rule(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            clock = ManualClock()
            floor.floor.doors.site.sessions._now = clock
            sandu = await assigned(floor)
            table.table.take(e.DealerOn("Sandu", "Maria", SUPERVISOR))
            fault = paused(table)
            (own,) = (await sandu.command("t1", {**BURN, "fault": fault})).body["verdicts"]
            assert (own["verdict"], own["reason"]) == ("refused", "own_round")
            clock.now += 301
            lapsed = await sandu.command("t1", {**BURN, "fault": fault, "id": "r2"})
            assert lapsed.status == 401
            assert table.table.state.fault.seq == fault

    on_loop(steps)


@pytest.mark.proof
def test_the_second_person_must_be_a_shift_manager(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            sandu, fault = await assigned(floor), paused(table)
            maria = await floor.signed_in(MANAGER)
            for person in (sandu, maria):
                body = {"ruling": {**BURN, "fault": fault}, "second": {"name": SUPERVISOR, "pin": PINS[SUPERVISOR]}}
                answer = await person.ask("POST", "/tables/t1/api/rulings?role=manager&lang=en", body)
                assert (answer.status, answer.body["detail"]) == (403, "expected a manager, Sandu is none")
            body["second"] = {"name": OTHER, "pin": PINS[OTHER]}
            done = await sandu.ask("POST", "/tables/t1/api/rulings?role=manager&lang=en", body)
            assert done.body["verdicts"][0]["verdict"] == "done"
            (ruling,) = await ruled(bus, table)
            assert (ruling["person"], ruling["second_id"]) == (SUPERVISOR, OTHER)

    on_loop(steps)


# ── what the consoles show ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_a_console_names_the_ruling_person_and_follows_assignments(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            paused(table)
            maria, sandu, emil = [await floor.signed_in(number) for number in (MANAGER, SUPERVISOR, ENGINEER)]
            async with maria.stream(SCREEN) as hers, sandu.stream(SCREEN) as his, emil.stream(SCREEN) as looking:
                screens = [(await one.next("screen"))[1] for one in (hers, his, looking)]
                assert [one["who_rules"] for one in screens] == [None, NOT_YOURS, "A shift manager rules."]
                assert [one["looks_on"] for one in screens] == [False, True, True]
                for person, says in ((SUPERVISOR, None), (OTHER, NOT_YOURS)):
                    assert (await maria.act("assign", table="t1", person=person)).body["done"]
                    while (shown := (await his.next("screen"))[1])["who_rules"] != says:
                        pass
                    assert shown["looks_on"] == (says is not None)

    on_loop(steps)


def test_a_console_knows_the_viewers_own_round(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            table.table.take(e.DealerOn("MARIA", id=MANAGER))
            paused(table)
            for number, own in ((MANAGER, True), (SUPERVISOR, False)):
                viewer = await floor.signed_in(number)
                async with viewer.stream(SCREEN) as shown:
                    assert (await shown.next("screen"))[1]["own_round"] is own

    on_loop(steps)


@pytest.mark.parametrize(
    ("roles", "here", "elsewhere"),
    [
        ({"manager"}, None, None),
        ({"manager", "supervisor"}, None, None),
        ({"supervisor"}, None, NOT_YOURS),
        ({"supervisor", "engineer"}, None, NOT_YOURS),
        ({"engineer"}, "A shift manager rules.", "A shift manager rules."),
        ({"auditor"}, "A shift manager rules.", "A shift manager rules."),
    ],
)
def test_people_who_cannot_rule_are_told_who_can(roles, here, elsewhere):
    viewer = Viewer(AUDITOR, "Aurel", frozenset(roles))
    assert [who_rules(viewer, owner, Words("en")) for owner in (AUDITOR, OTHER)] == [here, elsewhere]
    assert who_rules(viewer, None, Words("en")) == elsewhere
