"""PIN guessing from many addresses: how many tries are possible, and who can still sign in."""

import asyncio
import threading
from collections import Counter

import pytest

from controller.config.pins import pin_matches
from controller.text.coded import render
from controller.web.access import credential_checker
from controller.web.access.pin_queue import STRANGERS
from controller.web.access.wrong_pins import MOST
from tests.patience import PATIENCE, on_loop, until
from tests.web.foreign_networks import routed
from tests.web.net import PIN, BrowserPerson, NetworkTable
from tests.web.people import at_a_table, with_clock
from tests.web.raw_connections import ask
from tests.web.staff import BADGES, NAMES, PINS, at_a_staffed_table

__all__ = ["routed"]

pytestmark = pytest.mark.usefixtures("routed")

ONE_64 = [f"127.9.1.{number}" for number in range(1, 21)]
ONE_24 = [f"127.1.1.{number}" for number in range(1, 21)]
THIS_PC = [f"127.0.0.{number}" for number in range(1, 21)]
NETWORKS = [f"127.{1 + number % 8}.{number}.1" for number in range(1, 60)]
SOMEWHERE = "127.200.1.1"
TYPED = {"content-type": "application/json"}


async def guess(table, hosts, name="anna") -> list[int]:
    """Try one wrong PIN from each address and return the statuses."""
    return [(await BrowserPerson(table, host=host).sign_in(name, "1357")).status for host in hosts]


@pytest.mark.parametrize("hosts", [ONE_64, ONE_24, THIS_PC], ids=["a /64", "a /24", "loopback"])
def test_addresses_of_one_network_share_their_wrong_pins(tmp_path, clock, hosts):
    async def steps(table):
        with_clock(table, clock)
        statuses = await guess(table, hosts * 3)
        assert (statuses.count(401), statuses.count(429)) == (3, 57)

    at_a_table(tmp_path, steps)


def test_after_ten_wrong_pins_from_anywhere_a_person_is_closed(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        assert await guess(table, NETWORKS[:10]) == [401] * 10
        answer = await BrowserPerson(table, host=SOMEWHERE).sign_in()
        assert (answer.status, answer.body["reason"]) == (403, "forbidden")
        assert (await BrowserPerson(table, host=SOMEWHERE).sign_in("bea", "1379")).status == 200
        assert "anna" in " ".join(map(render, table.api.lookout.messages))
        table.api.checker.stop()
        recorded = [record.what for record in table.rig.recorded() if record.kind == "sign_ins_refused"]
        assert [what.is_guessing for what in recorded] == [False, True]  # the second record calls the shift manager

    at_a_table(tmp_path, steps)


def test_slow_guesses_alert_the_manager_when_they_close_a_person(tmp_path, clock):
    """Each of them is recorded by itself, as it comes long after the one before."""

    async def steps(table):
        with_clock(table, clock)
        refusals = table.api.checker.refusals
        for host in NETWORKS[:10]:
            await guess(table, [host])
            refusals._timer.cancel()
            refusals._end_period()
        recorded = [record.what for record in table.rig.recorded() if record.kind == "sign_ins_refused"]
        assert [what.is_guessing for what in recorded] == [False] * 9 + [True]

    at_a_table(tmp_path, steps)


def test_who_is_closed_signs_in_by_browser_badge_or_screen(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        person = BrowserPerson(table, host=SOMEWHERE)
        assert (await person.sign_in("106", PINS["106"])).status == 200
        statuses = await guess(table, NETWORKS, "106")
        assert (statuses.count(401), statuses.count(403)) == (10, len(NETWORKS) - 10)
        assert (await person.sign_in("106", PINS["106"])).status == 200
        badge = {"badge": BADGES["106"], "pin": PINS["106"]}
        assert (await BrowserPerson(table, host="127.100.1.1").ask("POST", "/session", badge)).status == 200
        screen = BrowserPerson(table)
        await screen.be_the_screen()
        assert (await screen.sign_in("106", PINS["106"])).status == 200

    at_a_staffed_table(tmp_path, steps)


def test_who_is_closed_shows_the_pin_in_their_own_session(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        maria = BrowserPerson(table, host=SOMEWHERE)
        assert (await maria.sign_in("103", PINS["103"])).status == 200
        maria.cookie = next(one for one in maria.cookie.split("; ") if "-known=" not in one)
        await guess(table, NETWORKS[:11], "103")
        both = {"from": {"name": "103", "pin": PINS["103"]}, "to": {"name": "106", "pin": PINS["106"]}}
        assert (await maria.ask("POST", "/session/hand-over", both)).status == 200

    at_a_staffed_table(tmp_path, steps)


def test_a_restart_does_not_make_wrong_pins_forgotten(tmp_path):
    async def steps():
        for hosts in (NETWORKS[:6], NETWORKS[6:10]):
            async with NetworkTable(tmp_path) as table:
                assert await guess(table, hosts) == [401] * len(hosts)
        async with NetworkTable(tmp_path) as table:
            assert (await BrowserPerson(table, host=SOMEWHERE).sign_in()).status == 403

    on_loop(steps)


def test_somebody_who_must_wait_takes_no_place_in_the_queue(tmp_path, clock, monkeypatch):
    async def steps(table):
        with_clock(table, clock)
        assert await guess(table, NETWORKS[:10], "106") == [401] * 10
        monkeypatch.setattr(table.api.checker, "queue", None)
        for name in ("106", NAMES["106"]):
            assert (await BrowserPerson(table, host=SOMEWHERE).sign_in(name, PINS["106"])).status == 403, name

    at_a_staffed_table(tmp_path, steps)


def test_guesses_from_forty_networks_hold_no_known_person_up(tmp_path, monkeypatch):
    """The queue is full of guesses while one PIN is checked: PINs of known persons are checked next."""
    held, tried = threading.Event(), []

    def slowly(pin: str, hashed: str | None) -> bool:
        tried.append(pin)
        return held.wait(PATIENCE) and pin_matches(pin, hashed)

    async def steps(table):
        person, screen = BrowserPerson(table, host=SOMEWHERE), BrowserPerson(table)
        assert (await person.sign_in("106", PINS["106"])).status == 200
        await screen.be_the_screen()
        monkeypatch.setattr(credential_checker, "pin_matches", slowly)
        wrong = {"name": "106", "pin": "1357"}
        crowd = [asyncio.create_task(ask(table, host, "POST", "/session", wrong, **TYPED)) for host in NETWORKS[:40]]
        await until(lambda: sum(one.done() for one in crowd) == 40 - STRANGERS)
        badge = {"badge": BADGES["106"], "pin": PINS["106"]}
        sign_ins = [
            asyncio.create_task(person.sign_in("106", PINS["106"])),
            asyncio.create_task(screen.sign_in("106", PINS["106"])),
            asyncio.create_task(BrowserPerson(table, host="127.100.1.1").ask("POST", "/session", badge)),
        ]
        await until(lambda: len(table.api.checker.queue.waiting) == STRANGERS + len(sign_ins))
        held.set()
        assert [(await one).status for one in sign_ins] == [200] * len(sign_ins)
        assert tried[: len(sign_ins) + 1] == ["1357"] + [PINS["106"]] * len(sign_ins)
        await asyncio.gather(*crowd)

    at_a_staffed_table(tmp_path, steps)


def test_guesses_from_twenty_connections_hinder_nobody_elsewhere(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)

        async def on_and_on(host):
            while not over:
                await ask(table, host, "POST", "/session", {"name": "bea", "pin": "1357"}, **TYPED)

        over = False
        guessing = [asyncio.create_task(on_and_on(host)) for host in NETWORKS[:20]]
        statuses = [
            (await BrowserPerson(table, host=f"127.50.{number}.1").sign_in("anna", PIN)).status for number in range(12)
        ]
        over = True
        await asyncio.gather(*guessing)
        assert statuses == [200] * 12

    at_a_table(tmp_path, steps)


@pytest.mark.proof
def test_guessing_at_speed_gets_ten_tries_a_person(tmp_path):
    """Forty networks guess everybody's PIN at full speed, while a manager signs in again and again."""
    tried = Counter[str]()

    async def steps(table):
        person, over = BrowserPerson(table, host=SOMEWHERE), asyncio.Event()
        assert (await person.sign_in("106", PINS["106"])).status == 200

        async def on_and_on(host: str, number: int) -> None:
            while not over.is_set():
                number += 1
                name = list(PINS)[number % len(PINS)]
                credentials = {"name": name, "pin": f"{number:04}"}
                answer = await ask(table, host, "POST", "/session", credentials, **TYPED)
                tried[name] += answer.status == 401

        guessing = [asyncio.create_task(on_and_on(host, 3000 + 7 * n)) for n, host in enumerate(NETWORKS[:40])]
        statuses = [(await person.sign_in("106", PINS["106"])).status for _ in range(40)]
        await until(lambda: all(tried[name] == MOST for name in PINS))
        over.set()
        await asyncio.gather(*guessing)
        assert statuses == [200] * len(statuses)
        assert set(tried.values()) == {MOST}

    at_a_staffed_table(tmp_path, steps)
