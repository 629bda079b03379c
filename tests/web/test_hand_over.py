"""Two persons hand a shift over with their PINs; signed-in persons can open its report page."""

import asyncio

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.core import events as e
from controller.core import records as r
from controller.core.clock import DAY, to_text
from controller.core.views import AUDIENCES, view
from tests.web.net import ELSEWHERE, BrowserPerson
from tests.web.people import at_a_table, manager
from tests.web.staff import PINS, at_a_staffed_table
from tests.web.test_round_search import play


def hand_over_body(giver="103", taker="102", **more):
    return {"from": {"name": giver, "pin": PINS[giver]}, "to": {"name": taker, "pin": PINS[taker]}, **more}


def handed_over(table):
    return [record for record in table.rig.recorded() if record.kind == "handed_over"]


async def signed_in(table, number="103"):
    person = BrowserPerson(table, ELSEWHERE)
    assert (await person.sign_in(number, PINS[number])).status == 200
    return person


def test_a_handover_records_both_persons_and_open_points(tmp_path):
    async def steps(table):
        person = await signed_in(table)
        fault = table.paused()
        shown = (await person.ask("GET", "/session/hand-over")).body
        assert [point for point in shown["points"] if point.startswith("Open fault")]
        answer = await person.ask(
            "POST", "/session/hand-over", hand_over_body(shown=shown["shown"], note="  the panel\nsticks ")
        )
        assert (answer.status, answer.body) == (200, {"table": "table", "by": "Maria", "to": "Sandu"})
        (record,) = handed_over(table)
        to = ("Maria", "Sandu", "102", shown["shown"], fault)
        assert record.what == r.HandedOver(*to, note="the panel sticks", cases=())
        assert (record.person, record.input.origin.via) == ("103", "web:103")
        assert table.table.state.fault.seq == fault
        assert not {PINS["102"], PINS["103"]} & set(repr(table.rig.recorded()).split("'"))

    at_a_staffed_table(tmp_path, steps)


def test_a_handover_shows_and_records_each_open_case(tmp_path):
    async def steps(table):
        person = await signed_in(table)
        for _ in range(2):
            play(table)
            table.rig.take(e.KeyPressed("dropped"), e.KeyPressed("exposed"))
        cases = tuple(case.seq for case in table.table.state.cases)
        assert len(cases) == 4
        for _ in range(2):  # the next shift hands over the same cases
            shown = (await person.ask("GET", "/session/hand-over")).body
            (point,) = [point for point in shown["points"] if point.startswith("Open cases: ")]
            assert (point.count("Round 1: "), point.count("Round 2: ")) == (2, 2)
            assert (await person.ask("POST", "/session/hand-over", hand_over_body(shown=shown["shown"]))).status == 200
        assert [record.what.cases for record in handed_over(table)] == [cases, cases]

    at_a_staffed_table(tmp_path, steps)


def test_a_handover_lists_the_shift_before_too(tmp_path):
    """Shift managers often sign just after the shift began."""

    async def steps(table):
        person = await signed_in(table)
        fault = table.paused()
        table.rig.take(e.Rule("cancel", "Maria", "wet card", fault=fault, person="103"))
        body = hand_over_body(note="shoe sticks")
        assert (await person.ask("POST", "/session/hand-over", body)).status == 200
        here = (await person.ask("GET", "/session/hand-over")).body
        assert here["points"][-2:] == ["Cancelled rounds: 1", "Note: shoe sticks"]
        table.rig.clock.ahead += DAY // 3  # the next shift
        table.rig.take(e.CloseTable("Maria"))
        here = (await person.ask("GET", "/session/hand-over")).body
        assert here["points"][-2:] == [
            "Cancelled rounds of the shift before: 1",
            "Note of the shift before: shoe sticks",
        ]

    at_a_staffed_table(tmp_path, steps)


def test_a_handover_needs_two_authorised_persons_with_their_pins(tmp_path):
    async def steps(table):
        person = await signed_in(table)
        wrong = hand_over_body() | {"to": {"name": "102", "pin": "9999"}}
        for body, status, why in (
            (wrong, 401, "wrong name or PIN"),
            (hand_over_body("103", "103"), 403, "expected two persons, got Maria twice"),
            (hand_over_body("103", "101"), 403, "expected manager or supervisor, Dora is none of them"),
            (hand_over_body("105", "103"), 403, "expected manager or supervisor, Aurel is none of them"),
            ({"from": hand_over_body()["from"]}, 400, "object missing required field `to`"),
        ):
            answer = await person.ask("POST", "/session/hand-over", body)
            assert (answer.status, answer.body["detail"]) == (status, why)
        assert handed_over(table) == []

    at_a_staffed_table(tmp_path, steps)


def test_a_handover_needs_a_session_and_its_own_page(tmp_path):
    async def steps(table):
        anybody = BrowserPerson(table, ELSEWHERE)
        assert (await anybody.ask("POST", "/session/hand-over", hand_over_body())).status == 401
        assert (await anybody.ask("GET", "/session/hand-over")).status == 403
        person = await signed_in(table)
        person.csrf = None
        assert (await person.ask("POST", "/session/hand-over", hand_over_body())).status == 401
        assert handed_over(table) == []

    at_a_staffed_table(tmp_path, steps)


def test_a_halted_table_is_not_handed_over(tmp_path):
    async def steps(table):
        person = await signed_in(table)
        table.table.halted = "disk full"
        answer = await person.ask("POST", "/session/hand-over", hand_over_body())
        assert (answer.status, answer.body["reason"]) == (503, "halted")
        table.table.halted = None

    at_a_staffed_table(tmp_path, steps)


def test_the_handover_command_takes_two_pins(tmp_path):
    async def steps(table):
        table.paused()
        config = tmp_path / "table.toml"
        config.write_text(f'[game]\nname = "baccarat"\n[api]\nsocket = "{table.socket}"\n')
        arguments = ["shift", "hand-over", str(config), "--from", "103", "--to", "102", "--note", "shoe S7 is due"]
        pins = f"{PINS['103']}\n{PINS['102']}\n"
        done = await asyncio.to_thread(CliRunner().invoke, main, arguments, pins)
        assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "Maria has handed over to Sandu")
        assert done.stdout.startswith("Open fault: A card came out while bets were open\nRound 1 is on\n")
        (record,) = handed_over(table)
        assert (record.what.note, record.input.origin.via.partition(":")[0]) == ("shoe S7 is due", "unix")
        again = await table.ask("GET", "/session/hand-over")
        assert again.body["points"][-1] == "Note: shoe S7 is due"
        wrong = await asyncio.to_thread(CliRunner().invoke, main, arguments, "1\n2\n")
        assert (wrong.exit_code, wrong.stderr) == (1, "tablectl: refused: wrong name or PIN\n")

    at_a_staffed_table(tmp_path, steps)


def test_only_shift_manager_and_auditor_see_a_handover():
    record = r.Record(7, 0, "t1", r.HandedOver("Maria", "Sandu", "102"))
    kinds = {audience: view(record, audience)["kind"] for audience in AUDIENCES}
    assert [audience for audience in AUDIENCES if kinds[audience] != "internal"] == ["auditor", "manager"]


def test_the_report_page_needs_a_sign_in(tmp_path):
    async def steps(table):
        person = await manager(table)
        answer = await person.ask("GET", "/report")
        assert answer.status == 200
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
        assert b"<h1>Shift report</h1>" in answer.body
        day = to_text(table.table.now())[:10]
        romanian = (await person.ask("GET", f"/report?day={day}&lang=ro")).body
        assert b"<h1>Raportul zilei</h1>" in romanian
        assert (romanian.count(b"lang=ro"), answer.body.count(b"lang=ro")) == (4, 0)
        anybody = await BrowserPerson(table, ELSEWHERE).ask("GET", "/report")
        assert (anybody.status, anybody.headers["location"]) == (303, "/manager")
        for query, status in (
            ("day=2001-01-01", 404),
            ("day=x", 400),
            ("day=9999-12-31", 400),
            ("day=0001-01-01", 400),
            ("shift=0", 400),
        ):
            assert (await person.ask("GET", f"/report?{query}")).status == status

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize("number", ["104", "105"])
def test_an_engineer_or_auditor_cannot_hand_a_table_over(tmp_path, number):
    """An engineer or auditor is refused, even with the PINs of two persons who have the right."""

    async def steps(table):
        person = await signed_in(table, number)
        answer = await person.ask("POST", "/session/hand-over", hand_over_body())
        assert (answer.status, handed_over(table)) == (403, [])
        assert answer.body["detail"].startswith("expected manager or supervisor, ")

    at_a_staffed_table(tmp_path, steps)
