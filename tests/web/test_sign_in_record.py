"""Sign-ins and refusals are recorded; long guessing makes few records and calls the shift manager."""

import asyncio

from controller.core import records as r
from controller.core.records import Record
from controller.core.views import AUDIENCES, view
from controller.outputs.alert_text import alert
from controller.web.access import refusals
from controller.web.access.refusals import Refusals
from tests.patience import on_loop, until
from tests.pins import recorded_text
from tests.web.net import ELSEWHERE, PIN, BrowserPerson
from tests.web.people import at_a_table
from tests.web.staff import PINS, at_a_staffed_table

KINDS = ("signed_in", "sign_ins_refused")


def recorded(table) -> list[Record]:
    return [record for record in table.rig.recorded() if record.kind in KINDS]


def test_sign_ins_and_refusals_are_recorded_with_source_without_pin(tmp_path):
    async def steps(table):
        person = BrowserPerson(table)
        await person.sign_in("anna", "4917")
        await person.sign_in("4917", "anna")  # the PIN in the field for the name
        await person.sign_in()
        table.api.checker.stop()
        refused, signed_in, more = recorded(table)
        assert refused.what == r.SignInsRefused(1, 0, 1, 0, ("anna",), ("127.0.0.1",))
        assert (signed_in.what, signed_in.person) == (r.SignedIn("anna", "127.0.0.1", "manager", "pin"), "anna")
        assert more.what == r.SignInsRefused(1, 0, 1, 0, (), ("127.0.0.1",))
        text = recorded_text([(record, record.input) for record in table.rig.recorded()])
        assert "4917" not in text
        assert PIN not in text

    at_a_table(tmp_path, steps)


def test_a_thousand_guesses_are_two_records_that_say_how_many():
    async def steps():
        records = []
        refused = Refusals(records.append)
        for number in range(1000):
            refused.count_wrong("anna" if number % 2 else None, f"10.0.0.{number % 20}", number // 20 + 1, 5)
        refused.count_delayed("bea", "10.0.0.1", 900)
        assert [one.wrong for one in records] == [1]
        refused.close()
        assert [(one.wrong, one.delayed, one.most, one.delay) for one in records] == [(1, 0, 1, 5), (999, 1, 50, 900)]
        assert (len(records[1].sources), records[1].people) == (refusals.NAMED, ("anna", "bea"))

    on_loop(steps)


def test_the_refusal_interval_doubles_while_guessing_continues(monkeypatch):
    monkeypatch.setattr(refusals, "FIRST", 0.01)
    monkeypatch.setattr(refusals, "LONGEST", 0.04)

    async def steps():
        records, times = [], []
        refused = Refusals(records.append)
        while len(records) < 5:
            refused.count_wrong("anna", "10.0.0.9", 1, 0)
            if len(times) < len(records):
                times.append(refused._interval)
            await asyncio.sleep(0)
        assert times == [0.01, 0.02, 0.04, 0.04]
        await until(lambda: refused._timer is None)  # no guesses any more
        refused.count_wrong("anna", "10.0.0.9", 1, 0)
        assert refused._interval == 0.01

    on_loop(steps)


def test_five_wrong_pins_in_a_row_alert_the_manager():
    def told(*counts):
        what = r.SignInsRefused(*counts, ("103",), ("10.0.0.9",))
        return alert(Record(7, 0, "t1", what), [])

    assert told(1, 0, 1, 0) is None
    assert told(4, 0, 4, 10) is None
    for called in (told(5, 2, 2, 5), told(1, 0, 5, 20)):
        assert called.subject == "[t1#7] somebody guesses PINs: table t1"
        assert "for: 103" in called.body
        assert called.levels == {1}


def test_only_manager_and_auditor_see_sign_in_records():
    signed_in = Record(7, 0, "t1", r.SignedIn("anna", "10.0.0.7", "manager"))
    refused = Record(8, 0, "t1", r.SignInsRefused(1, 0, 1, 0, ("103",), ("10.0.0.9",)))
    for record in (signed_in, refused):
        kinds = {audience: view(record, audience)["kind"] for audience in AUDIENCES}
        assert [audience for audience in AUDIENCES if kinds[audience] != "internal"] == ["auditor", "manager"]


def test_a_registered_person_is_recorded_with_the_badge_number(tmp_path):
    async def steps(table):
        person = BrowserPerson(table, ELSEWHERE)
        assert (await person.sign_in("maria", PINS["103"])).body["name"] == "Maria"  # by name, in small letters
        answer = await person.ask("POST", "/api/commands", {"command": "table", "id": "t1", "do": "close"})
        (event,) = answer.body["verdicts"][0]["records"]
        assert (event["by"], event["person"], event["origin"]["via"]) == ("Maria", "103", "web:103")
        (signed_in,) = recorded(table)
        assert (signed_in.what.by, signed_in.person) == ("Maria", "103")

    at_a_staffed_table(tmp_path, steps)


def test_a_sign_in_during_a_pause_leaves_the_fault(tmp_path):
    async def steps(table):
        fault = table.paused()
        await BrowserPerson(table).sign_in("anna", "4917")
        await BrowserPerson(table).sign_in()
        assert [record.kind for record in recorded(table)] == ["sign_ins_refused", "signed_in"]
        assert (table.table.state.life, table.table.state.fault.seq) == ("paused", fault)

    at_a_table(tmp_path, steps)
