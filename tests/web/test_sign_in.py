"""Signing in over the network: a name, a PIN, and how often it may be wrong."""

import asyncio
import json
import threading

import pytest

from controller.web.access import attempts, door
from controller.web.access.users import fits
from tests.web.net import PIN, Person
from tests.web.people import at_a_table, manager, with_clock
from tests.web.rig import logged, until


def test_a_name_and_its_pin_make_a_session(tmp_path):
    async def steps(table):
        person = Person(table)
        answer = await person.sign_in()
        assert answer.body == {"table": "table", "role": "manager", "name": "anna", "csrf": person.csrf}
        cookie = answer.headers["set-cookie"]
        assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Secure", "Path=/", "Max-Age=43200"))
        assert (await person.open_page()).body["name"] == "anna"
        assert (await person.open_page("dealer")).body["role"] == "dealer"  # the same browser, on the dealer's page

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(("name", "pin"), [("anna", "2581"), ("carl", PIN), ("bea", PIN), ("anna", ""), ("", "")])
def test_a_wrong_name_and_a_wrong_pin_are_refused_in_the_same_words(tmp_path, name, pin):
    async def steps(table):
        answer = await Person(table).sign_in(name, pin)
        assert (answer.status, answer.body["detail"]) == (401, "wrong name or PIN; tries left: 4")
        assert "set-cookie" not in answer.headers

    at_a_table(tmp_path, steps)


def test_after_five_wrong_pins_the_right_one_is_refused_too_for_five_minutes(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = Person(table)
        told = [(await person.sign_in("anna", "1357")) for _ in range(attempts.TRIES)]
        assert [answer.status for answer in told] == [401] * 4 + [429]
        assert told[3].body["detail"] == "wrong name or PIN; tries left: 1"
        locked = await person.sign_in()
        assert (locked.status, locked.headers["retry-after"]) == (429, "300")
        assert locked.body["detail"] == "locked after wrong PINs: try again in 5 min 0 s"
        assert (await person.sign_in("bea", "1379")).status == 200
        clock.now += attempts.LOCKED - 1
        assert (await person.sign_in()).status == 429
        clock.now += 1
        assert (await person.sign_in()).status == 200

    at_a_table(tmp_path, steps)


def test_the_right_pin_makes_the_wrong_ones_before_it_forgotten(tmp_path):
    async def steps(table):
        person = Person(table)
        for _ in range(3):
            for _ in range(attempts.TRIES - 1):
                assert (await person.sign_in("anna", "1357")).status == 401
            assert (await person.sign_in()).status == 200

    at_a_table(tmp_path, steps)


def test_a_wrong_pin_is_logged_and_no_pin_ever_is(tmp_path):
    async def steps(table):
        with logged() as lines:
            await Person(table).sign_in("anna", "4917")
            await Person(table).sign_in()
        assert [line["event"] for line in lines] == ["sign_in_refused", "signed_in"]
        assert "4917" not in json.dumps(lines)
        assert PIN not in json.dumps(lines)

    at_a_table(tmp_path, steps)


def test_a_pin_that_was_typed_for_the_name_is_not_logged_either(tmp_path):
    async def steps(table):
        with logged() as lines:
            await Person(table).sign_in("2580", "anna")
        assert [(line["event"], line["name"]) for line in lines] == [("sign_in_refused", None)]

    at_a_table(tmp_path, steps)


def test_guesses_at_many_names_set_no_locked_one_free(clock):
    tried = attempts.Attempts(clock)
    for _ in range(attempts.TRIES):
        tried.wrong("anna")
    for number in range(5000):
        tried.wrong(f"n{number}")
    assert tried.locked("anna") == attempts.LOCKED
    clock.now += attempts.LOCKED
    tried.wrong("bea")
    assert list(tried._wrong) == ["bea"]


def test_what_other_programs_of_this_pc_have_a_browser_keep_signs_nobody_out(tmp_path):
    async def steps(table):
        person = await manager(table)
        for other in ('theirs={"a":1}', "a b=c", "flag", "x[y]=z"):
            answer = await person.ask("GET", "/session", headers={"cookie": f"{other}; {person.cookie}"})
            assert answer.body["name"] == "anna"

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"content-type": "text/plain"}, 400),
        ({"content-type": "application/x-www-form-urlencoded"}, 400),
    ],
)
def test_a_page_of_another_site_signs_nobody_in(tmp_path, headers, status):
    async def steps(table):
        assert (await Person(table).sign_in(**headers)).status == status

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(
    "body", [None, [], {}, {"name": "anna"}, {"name": 1, "pin": 2}, {"name": "a", "pin": "b", "x": 1}]
)
def test_a_sign_in_that_is_none_is_said_to_be(tmp_path, body):
    async def steps(table):
        answer = await Person(table).ask("POST", "/session", body, {"content-type": "application/json"})
        assert answer.status == 400
        assert answer.body["reason"] == "bad_request"

    at_a_table(tmp_path, steps)


def test_guesses_do_not_hold_the_table_up(tmp_path):
    """A PIN takes long to try, on purpose; a card that comes meanwhile is dealt meanwhile."""

    async def steps(table):
        guesses = [asyncio.create_task(Person(table).sign_in(f"n{number}", "1357")) for number in range(2)]
        await until(lambda: table.site._front._waiting)
        table.paused()
        assert not any(guess.done() for guess in guesses)
        statuses = [(await guess).status for guess in guesses]
        assert statuses == [401, 401]

    at_a_table(tmp_path, steps)


def test_who_guesses_at_one_pc_leaves_room_for_those_at_others(tmp_path, monkeypatch):
    held = threading.Event()
    monkeypatch.setattr(door, "fits", lambda *what: held.wait(10) and fits(*what))

    async def steps(table):
        guesses = [asyncio.create_task(Person(table).sign_in("bea", "1357")) for _ in range(door.QUEUE)]
        await until(lambda: sum(guess.done() for guess in guesses) == door.QUEUE - door.EACH)
        signing_in = asyncio.create_task(Person(table, host="127.0.0.2").sign_in())
        await until(lambda: len(table.site._front._waiting) == door.EACH + 1)
        held.set()
        assert (await signing_in).status == 200
        assert sorted([(await guess).status for guess in guesses]) == [401, 401, 429, 429, 429, 429, 429, 429]

    at_a_table(tmp_path, steps)
