"""Above a set sum of stakes, two shift managers cancel a round, each with their own PIN.

The record names both.
"""

import asyncio

from click.testing import CliRunner
from msgspec.structs import replace

from controller.cli import main
from controller.core import events as e
from tests.web.net import ELSEWHERE, BrowserPerson
from tests.web.people import with_clock
from tests.web.staff import PINS, at_a_staffed_table

CANCEL = {"command": "rule", "id": "c1", "ruling": "cancel", "because": "wrong shoe"}


def paused(table):
    """Pause a round with 11.00 staked, where two persons are needed above 5.00; return the fault's number."""
    house = table.table.house
    table.table.house = replace(house, terms=replace(house.terms, second_above=500))
    table.rig.take(e.Open(), e.PlaceBet("p1", "tie", 1100), e.CardOut("5H"))
    return table.table.state.fault.seq


async def signed_in(table, number="103"):
    person = BrowserPerson(table, ELSEWHERE)
    assert (await person.sign_in(number, PINS[number])).status == 200
    return person


def two(fault, second="106", pin=None, **more):
    ruling = {**CANCEL, "fault": fault, **more}
    return {"ruling": ruling, "second": {"name": second, "pin": pin or PINS[second]}}


async def verdict(person, body):
    answer = await person.ask("POST", "/api/v1/rulings?role=manager", body)
    assert answer.status == 200, answer
    return answer.body["verdicts"][0]


def recorded(table, kind):
    return [record for record in table.rig.recorded() if record.kind == kind]


def test_a_cancel_by_two_managers_records_both_without_pins(tmp_path):
    async def steps(table):
        person, fault = await signed_in(table), paused(table)
        ruling = {**CANCEL, "fault": fault}
        assert (await person.ask("POST", "/api/preview?role=manager", ruling)).body["second"] is True
        alone = await person.ask("POST", "/api/commands?role=manager", {**ruling, "id": "c0"})
        assert alone.body["verdicts"][0]["reason"] == "needs_second"
        first = await verdict(person, two(fault))
        assert first["verdict"] == "done"
        assert await verdict(person, two(fault)) == first  # sent again: the first answer
        (record,) = recorded(table, "ruled")
        assert (record.what.by, record.person) == ("Maria", "103")
        assert (record.what.second, record.what.second_id) == ("Livia", "106")
        assert not {PINS["103"], PINS["106"]} & set(repr(table.rig.recorded()).split("'"))

    at_a_staffed_table(tmp_path, steps)


def test_the_second_person_is_another_manager_with_their_pin(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person, fault = await signed_in(table), paused(table)
        assert (await verdict(person, two(fault, "103")))["reason"] == "same_person"
        supervisor = await person.ask("POST", "/api/rulings?role=manager", two(fault, "102"))
        assert (supervisor.status, supervisor.body["detail"]) == (403, "expected a manager, Sandu is none")
        for _ in range(3):
            wrong = await person.ask("POST", "/api/rulings?role=manager", two(fault, pin="9999"))
            assert wrong.status == 401
        assert (await person.ask("POST", "/api/rulings?role=manager", two(fault))).status == 429
        assert recorded(table, "sign_ins_refused")[0].what.people == ("106",)
        assert table.table.state.fault.seq == fault
        clock.now += 60
        assert (await verdict(person, two(fault, id="c2")))["verdict"] == "done"

    at_a_staffed_table(tmp_path, steps)


def test_the_two_person_address_accepts_only_signed_in_managers_rulings(tmp_path):
    async def steps(table):
        fault = paused(table)
        assert (await BrowserPerson(table, ELSEWHERE).ask("POST", "/api/rulings", two(fault))).status == 401
        person = await signed_in(table)
        for body, status in (
            ({"ruling": two(fault)["ruling"]}, 400),
            ({**two(fault), "ruling": {"command": "open", "id": "1"}}, 400),
            (two(fault, because="a\nb"), 400),
            (two(fault, by="106"), 403),
        ):
            assert (await person.ask("POST", "/api/rulings?role=manager", body)).status == status
        assert (await (await signed_in(table, "102")).ask("POST", "/api/rulings", two(fault))).status == 403
        assert recorded(table, "ruled") == []

    at_a_staffed_table(tmp_path, steps)


def test_of_two_consoles_at_once_one_cancels(tmp_path):
    async def steps(table):
        one, other = await signed_in(table), await signed_in(table, "106")
        fault = paused(table)
        verdicts = await asyncio.gather(verdict(one, two(fault)), verdict(other, two(fault, "103")))
        assert sorted(one["verdict"] for one in verdicts) == ["done", "refused"]
        assert len(recorded(table, "ruled")) == 1

    at_a_staffed_table(tmp_path, steps)


def test_the_rule_command_asks_the_second_persons_pin(tmp_path):
    async def steps(table):
        paused(table)
        rule = ["rule", "cancel", "with", "106", "--by", "103", "--because", "x", "--socket", str(table.socket)]
        wrong = await asyncio.to_thread(CliRunner().invoke, main, rule, "1\n")
        assert (wrong.exit_code, wrong.stderr) == (1, "tablectl: refused: 106: wrong name or PIN\n")
        done = await asyncio.to_thread(CliRunner().invoke, main, rule, f"{PINS['106']}\n")
        assert done.stdout.splitlines()[0] == 'Maria with Livia ruled cancel because "x"'

    at_a_staffed_table(tmp_path, steps)
