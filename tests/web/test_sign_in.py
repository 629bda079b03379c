"""Sign-in over the network: name and PIN, waits after wrong PINs, known browsers, foreign pages."""

import asyncio
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config.pins import pin_matches
from controller.web.access import attempts, credential_checker, pin_queue
from controller.web.access.sources import PinSource
from tests.patience import PATIENCE, until
from tests.pins import recorded_text
from tests.web.foreign_networks import routed
from tests.web.net import ELSEWHERE, PIN, BrowserPerson
from tests.web.people import at_a_table, counted, manager, with_clock
from tests.web.rig import capture_log

__all__ = ["routed"]

NETWORKS = [
    *(PinSource("network", f"10.0.{number}.0/24", "") for number in (1, 2)),
    PinSource("marked", "browser anna.x", ""),
]


def test_a_name_and_its_pin_make_a_session(tmp_path):
    async def steps(table):
        person = BrowserPerson(table)
        answer = await person.sign_in()
        assert answer.body == {"table": "table", "role": "manager", "name": "anna", "csrf": person.csrf}
        cookie = answer.headers["set-cookie"]
        assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Secure", "Path=/", "Max-Age=43200"))
        assert (await person.open_page()).body["name"] == "anna"
        assert (await person.open_page("dealer")).body["role"] == "player"
        await person.be_the_screen()
        assert (await person.open_page("dealer")).body["role"] == "dealer"  # the same browser, on the dealer's page
        assert (await person.open_page()).body["name"] == "anna"

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(("name", "pin"), [("anna", "2581"), ("carl", PIN), ("bea", PIN), ("anna", ""), ("", "")])
def test_wrong_names_and_wrong_pins_are_refused_alike(tmp_path, name, pin):
    async def steps(table):
        answer = await BrowserPerson(table).sign_in(name, pin)
        assert (answer.status, answer.body["detail"]) == (401, "wrong name or PIN")
        assert "set-cookie" not in answer.headers

    at_a_table(tmp_path, steps)


def test_each_wrong_pin_after_two_doubles_the_wait(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = BrowserPerson(table)
        for seconds in (0, 0, 5, 10, 20, 40, 80):
            answer = await person.sign_in("anna", "1357")
            assert (answer.status, answer.headers.get("retry-after", "0")) == (401, str(seconds))
            if seconds:
                early = await person.sign_in()
                assert (early.status, early.headers["retry-after"]) == (429, str(seconds))
            clock.now += seconds
        assert (await person.sign_in()).status == 200

    at_a_table(tmp_path, steps)


def test_a_refused_sign_in_says_how_long_to_wait(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = BrowserPerson(table)
        details = [(await person.sign_in("anna", "1357")).body["detail"] for _ in range(3)]
        assert details[1:] == ["wrong name or PIN", "wrong name or PIN; the next try from here is in 5 s"]
        assert (await person.sign_in()).body["detail"] == "too soon after wrong PINs: try again in 0 min 5 s"

    at_a_table(tmp_path, steps)


@pytest.mark.usefixtures("routed")
def test_guessing_in_one_network_keeps_nobody_elsewhere_out(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        guesser = BrowserPerson(table, host="127.1.0.9")
        for _ in range(20):
            await guesser.sign_in("anna", "1357")
        assert (await guesser.sign_in()).status == 429  # from there even the right PIN must wait
        assert (await BrowserPerson(table).sign_in()).status == 200

    at_a_table(tmp_path, steps)


def test_a_known_browser_may_sign_in_during_guessing(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        anna = await manager(table)
        await anna.ask("DELETE", "/session")
        guesser = BrowserPerson(table, ELSEWHERE)  # behind the same proxy
        for _ in range(20):
            await guesser.sign_in("anna", "1357")
        assert (await BrowserPerson(table, ELSEWHERE).sign_in()).status == 429
        assert (await anna.sign_in()).status == 200

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize("mark", ["anna.0", "anna." + "0" * 64, "bea.x", "", "anna"])
def test_an_invalid_known_browser_cookie_gives_no_advantage(tmp_path, clock, mark):
    async def steps(table):
        with_clock(table, clock)
        guesser = BrowserPerson(table)
        guesser.cookie = f"{table.site.sign_on.mark_cookie}={mark}"
        for _ in range(3):
            await guesser.sign_in("anna", "1357")
        assert (await BrowserPerson(table).sign_in()).status == 429

    at_a_table(tmp_path, steps)


def test_a_known_browser_cookie_ends_with_the_pin(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        anna = await manager(table)
        anna.cookie = next(one for one in anna.cookie.split("; ") if "-known=" in one)
        assert (await anna.ask("GET", "/api/state?role=manager")).status == 401
        with table.users.change() as change:
            change.set_pin("anna", "7391")
        for _ in range(3):
            await BrowserPerson(table, ELSEWHERE).sign_in("anna", "1357")
        assert (await anna.sign_in("anna", "7391")).status == 429

    at_a_table(tmp_path, steps)


def test_the_right_pin_clears_earlier_wrong_ones(tmp_path):
    async def steps(table):
        person = BrowserPerson(table)
        for _ in range(3):
            for _ in range(attempts.FREE - 1):
                assert (await person.sign_in("anna", "1357")).status == 401
            assert (await person.sign_in()).status == 200

    at_a_table(tmp_path, steps)


def test_a_wrong_pin_is_logged_and_no_pin_ever_is(tmp_path):
    async def steps(table):
        with capture_log() as lines:
            await BrowserPerson(table).sign_in("anna", "4917")
            await BrowserPerson(table).sign_in()
        assert [line["event"] for line in lines] == ["sign_in_refused", "signed_in"]
        assert "4917" not in recorded_text(lines)
        assert PIN not in recorded_text(lines)

    at_a_table(tmp_path, steps)


def test_a_pin_typed_as_the_name_is_not_logged(tmp_path):
    async def steps(table):
        with capture_log() as lines:
            await BrowserPerson(table).sign_in("2580", "anna")
        assert [(line["event"], line["name"]) for line in lines] == [("sign_in_refused", None)]

    at_a_table(tmp_path, steps)


def test_guesses_at_many_names_delay_all_names_from_there(clock, tmp_path):
    tried, (here, there) = counted(tmp_path, clock), NETWORKS[:2]
    for _ in range(20):
        tried.count_wrong(here, "anna")
    for number in range(5000):
        tried.count_wrong(here, f"n{number}")
    assert (tried.wait(here, "anna"), tried.wait(here, "bea")) == (attempts.LONGEST, attempts.IN_ALL)
    assert tried.wait(there, "anna") == 0
    clock.now += attempts.FORGOTTEN
    assert tried.count_wrong(here, "anna") == 1


@given(tries=st.lists(st.tuples(st.sampled_from(NETWORKS),
                                st.sampled_from(["anna", "bea", "carl"]),
                                st.integers(0, 400)), max_size=60))  # fmt: skip
def test_a_source_waits_only_for_its_own_wrong_pins(tries):
    """Tries of other sources change neither the wait nor the count of a source."""
    alone, among, now = {}, [], [0.0]
    together = counted(Path("none"), lambda: now[0])
    for source, name, seconds in tries:
        now[0] += seconds
        own = alone.setdefault(source, counted(Path("none"), lambda: now[0]))
        assert together.wait(source, name) == own.wait(source, name) <= attempts.LONGEST
        if not together.wait(source, name):
            among.append((together.count_wrong(source, name), own.count_wrong(source, name)))
    assert all(one == other for one, other in among)


def test_foreign_cookies_sign_nobody_out(tmp_path):
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
        assert (await BrowserPerson(table).sign_in(**headers)).status == status

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize(
    "body", [None, [], {}, {"name": "anna"}, {"name": 1, "pin": 2}, {"name": "a", "pin": "b", "x": 1}]
)
def test_a_malformed_sign_in_is_refused(tmp_path, body):
    async def steps(table):
        answer = await BrowserPerson(table).ask("POST", "/session", body, {"content-type": "application/json"})
        assert answer.status == 400
        assert answer.body["reason"] == "bad_request"

    at_a_table(tmp_path, steps)


def test_guesses_do_not_hold_the_table_up(tmp_path, monkeypatch):
    """A check of a PIN is slow on purpose; the table takes a card meanwhile."""
    held = threading.Event()
    monkeypatch.setattr(credential_checker, "pin_matches", lambda *what: held.wait(PATIENCE) and pin_matches(*what))

    async def steps(table):
        guesses = [asyncio.create_task(BrowserPerson(table).sign_in(f"n{number}", "1357")) for number in range(2)]
        await until(lambda: table.api.checker.queue.waiting)
        table.paused()
        assert not any(guess.done() for guess in guesses)
        held.set()
        statuses = [(await guess).status for guess in guesses]
        assert statuses == [401, 401]

    at_a_table(tmp_path, steps)


@pytest.mark.usefixtures("routed")
def test_guessing_from_one_pc_does_not_block_others(tmp_path, monkeypatch):
    held = threading.Event()
    monkeypatch.setattr(credential_checker, "pin_matches", lambda *what: held.wait(PATIENCE) and pin_matches(*what))

    async def steps(table):
        guesses = [asyncio.create_task(BrowserPerson(table).sign_in("bea", "1357")) for _ in range(8)]
        await until(lambda: sum(guess.done() for guess in guesses) == 8 - pin_queue.EACH)
        signing_in = asyncio.create_task(BrowserPerson(table, host="127.1.0.2").sign_in())
        await until(lambda: len(table.api.checker.queue.waiting) == pin_queue.EACH + 1)
        held.set()
        assert (await signing_in).status == 200
        assert sorted([(await guess).status for guess in guesses]) == [401, 401, 429, 429, 429, 429, 429, 429]

    at_a_table(tmp_path, steps)
