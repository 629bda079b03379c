"""Dealers sign on with their badge number and PIN, or a shift manager signs them on."""

import asyncio

from click.testing import CliRunner

from controller.cli import main
from controller.config.people_change import change_registry
from controller.core import events as e
from controller.core.views import view
from tests.pins import recorded_text
from tests.web.net import ELSEWHERE, BrowserPerson
from tests.web.people import at_a_table, kiosk
from tests.web.staff import PINS, at_a_staffed_table


def sign_on(person, number, pin, role="dealer"):
    return person.ask("POST", f"/session/dealer?role={role}", {"name": number, "pin": pin})


def deals(number, **more):
    return {"command": "dealer", "id": f"d{number}", "name": number, **more}


def test_a_dealer_signs_on_with_badge_number_and_pin(tmp_path):
    async def steps(table):
        screen = await kiosk(table)
        answer = await sign_on(screen, "101", PINS["101"])
        assert (answer.status, answer.body) == (200, {"table": "table", "dealer": "Dora", "id": "101"})
        records = table.rig.recorded()
        changed = next(record for record in reversed(records) if record.kind == "dealer_changed")
        assert (changed.what.to, changed.what.to_id, changed.what.by) == ("Dora", "101", None)
        assert records[-1].what.door == "dealer"
        assert PINS["101"] not in recorded_text([(record, record.input) for record in records])
        table.rig.take(e.Open())
        opened = table.rig.recorded()[-1]
        assert (opened.dealer, opened.what.dealer_id) == ("Dora", "101")
        assert "101" not in recorded_text(view(opened, "server"))  # badge numbers stay in the studio

    at_a_staffed_table(tmp_path, steps)


def test_sign_on_refuses_wrong_pins_non_dealers_and_live_rounds(tmp_path):
    async def steps(table):
        screen = await kiosk(table)
        assert (await sign_on(screen, "101", "9999")).status == 401
        no_dealer = await sign_on(screen, "103", PINS["103"])
        assert (no_dealer.status, no_dealer.body["detail"]) == (403, "expected a dealer, Maria is none")
        table.rig.take(e.Open())
        late = await sign_on(screen, "101", PINS["101"])
        assert (late.status, late.body["reason"]) == (409, "round_on")
        assert table.table.state.dealer == "d1"

    at_a_staffed_table(tmp_path, steps)


def test_only_the_dealer_screen_and_socket_accept_a_dealers_pin(tmp_path):
    async def steps(table):
        elsewhere = BrowserPerson(table, ELSEWHERE)
        assert (await sign_on(elsewhere, "101", PINS["101"])).status == 401
        await elsewhere.sign_in("103", PINS["103"])
        assert (await sign_on(elsewhere, "101", PINS["101"], "manager")).status == 403
        reply = await table.ask("POST", "/session/dealer", {"name": "Dora", "pin": PINS["101"]})
        assert (reply.status, reply.body["id"]) == (200, "101")

    at_a_staffed_table(tmp_path, steps)


def test_without_a_registry_the_shift_manager_signs_dealers_on(tmp_path):
    async def steps(table):
        answer = await sign_on(await kiosk(table), "d2", "2580")
        says = "this table has no registry of persons: the shift manager signs dealers on; see `tablectl people`"
        assert (answer.status, answer.body["detail"]) == (403, says)
        (verdict,) = await table.send(deals("d2"))
        assert (verdict["verdict"], verdict["records"][0]["to_id"]) == ("done", "d2")

    at_a_table(tmp_path, steps)


def test_unknown_and_non_dealer_badge_numbers_are_refused(tmp_path):
    async def steps(table):
        head = table.table.state.seq
        for number, says in (
            ("999", "name: expected the badge number or name of a person in the registry, got '999'"),
            ("103", "name: expected a dealer, Maria (103) is none: see `tablectl people`"),
        ):
            reply = await table.ask("POST", "/api/commands", deals(number))
            assert (reply.status, reply.body["detail"]) == (403, says)
        assert table.table.state.seq == head
        (verdict,) = await table.send(deals("101", by="103"))
        (event,) = verdict["records"]
        assert (event["to"], event["to_id"], event["by"], event["person"]) == ("Dora", "101", "Maria", "103")

    at_a_staffed_table(tmp_path, steps)


def test_a_dealing_manager_cannot_rule_under_any_name_or_door(tmp_path):
    async def steps(table):
        await table.send(deals("106"))
        fault = table.paused()
        rules = {"command": "rule", "fault": fault, "ruling": "cancel", "because": "mine"}
        page = BrowserPerson(table, ELSEWHERE)
        await page.sign_in("LIVIA", PINS["106"])
        answer = await page.ask("POST", "/api/commands", {**rules, "id": "r1"})
        assert answer.body["verdicts"][0]["reason"] == "own_round"
        for number, by in enumerate(("106", "Livia", "lıvıa", "LIVIA")):
            (verdict,) = await table.send({**rules, "id": f"s{number}", "by": by})
            assert verdict["reason"] == "own_round"
        with change_registry(table.people) as change:
            change.rename("106", "Livia Stan")
        (verdict,) = await table.send({**rules, "id": "s9", "by": "Livia Stan"})
        assert verdict["reason"] == "own_round"
        (verdict,) = await table.send({**rules, "id": "s10", "by": "103"})
        assert verdict["verdict"] == "done"

    at_a_staffed_table(tmp_path, steps)


# ── the registry changes in mid-shift ────────────────────────────────────────────────────────────────────────────


def test_two_people_with_one_pin_are_two_people(tmp_path):
    async def steps(table):
        with change_registry(table.people) as change:
            change.set_pin("105", PINS["103"])
        one, other = BrowserPerson(table, ELSEWHERE), BrowserPerson(table, ELSEWHERE)
        answers = [await one.sign_in("103", PINS["103"]), await other.sign_in("105", PINS["103"])]
        assert [answer.body["name"] for answer in answers] == ["Maria", "Aurel"]
        assert (await other.ask("POST", "/api/commands", deals("101"))).status == 403

    at_a_staffed_table(tmp_path, steps)


def test_removing_a_person_pin_or_role_signs_them_out(tmp_path):
    async def steps(table):
        people = [BrowserPerson(table, ELSEWHERE) for _ in range(3)]
        for person, number in zip(people, ("103", "102", "106"), strict=True):
            assert (await person.sign_in(number, PINS[number])).status == 200
        with change_registry(table.people) as change:
            change.remove("103")
            change.set_pin("102", "7391")
            change.set_roles("106", ["dealer"])
        answers = await asyncio.gather(*(person.ask("POST", "/session/alive") for person in people))
        assert [answer.status for answer in answers] == [401] * 3
        assert (await people[0].sign_in("103", PINS["103"])).status == 401

    at_a_staffed_table(tmp_path, steps)


def test_a_removed_role_is_refused_at_the_next_command(tmp_path):
    async def steps(table):
        person = BrowserPerson(table, ELSEWHERE)
        await person.sign_in("103", PINS["103"])
        with change_registry(table.people) as change:
            change.set_roles("103", ["auditor"])
        answer = await person.ask("POST", "/api/commands", deals("101"))
        assert (answer.status, answer.body["detail"]) == (
            403,
            "dealer is for a supervisor or manager, which Maria is not",
        )

    at_a_staffed_table(tmp_path, steps)


def test_a_missing_or_damaged_registry_refuses_all_persons(tmp_path):
    async def steps(table):
        person = BrowserPerson(table, ELSEWHERE)
        await person.sign_in("103", PINS["103"])
        table.people.path.write_text("[people.1", encoding="utf-8")
        assert (await person.ask("POST", "/api/commands", deals("101"))).status == 503
        table.people.path.unlink()
        assert (await person.ask("POST", "/api/commands", deals("101"))).status == 503
        assert (await BrowserPerson(table, ELSEWHERE).sign_in("anna", "2580")).status == 503
        assert (
            await BrowserPerson(table, {"authorization": f"Bearer {table.token}"}).ask("GET", "/api/state")
        ).status == 200

    at_a_staffed_table(tmp_path, steps)


# ── from the command line ────────────────────────────────────────────────────────────────────────────────────────


def test_the_dealer_command_signs_on_and_off(tmp_path):
    async def tablectl(table, *words, stdin=None):
        arguments = ["dealer", *words, "--socket", str(table.socket)]
        result = await asyncio.to_thread(CliRunner().invoke, main, arguments, stdin)
        lines = [line for line in result.output.splitlines() if not line.startswith("20")]  # without the log
        return result.exit_code, *lines

    async def steps(table):
        assert await tablectl(table, "101") == (0, "dealer Dora signed on")
        says = "tablectl: name: expected the badge number or name of a person in the registry, got '999'"
        assert await tablectl(table, "999") == (2, says)
        refused = await tablectl(table, "106", "--pin", stdin="9999\n")
        assert refused == (1, "tablectl: refused: wrong name or PIN")
        assert await tablectl(table, "106", "--pin", stdin=f"{PINS['106']}\n") == (0, "Livia deals")
        assert table.table.state.dealer_id == "106"
        assert await tablectl(table, "-") == (0, "the dealer has signed off")

    at_a_staffed_table(tmp_path, steps)


def test_acknowledging_at_the_socket_needs_a_persons_name(tmp_path):
    async def steps(table):
        table.rig.take(e.Open(), e.CardOut("5H"))
        command = {"command": "ack", "id": "a1", "fault": table.table.state.fault.seq}
        reply = await table.ask("POST", "/api/commands", command)
        assert reply.status == 403
        assert not [record for record in table.rig.recorded() if record.kind == "acknowledged"]
        await table.send({**command, "by": "103"})
        assert [record.what.by for record in table.rig.recorded() if record.kind == "acknowledged"] == ["Maria"]

    at_a_staffed_table(tmp_path, steps)
