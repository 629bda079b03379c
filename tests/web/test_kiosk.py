"""The dealer's screen is a browser at the table's own PC that opened a kiosk address, and no other."""

import asyncio
import time

import pytest

from controller.web.access import kiosk as screens
from tests.patience import on_loop
from tests.web.net import ELSEWHERE, BrowserPerson, NetworkTable
from tests.web.people import at_a_table, kiosk
from tests.web.rig import OPEN


async def presses(person) -> int:
    return (await person.ask("POST", "/api/commands", OPEN)).status


def test_a_kiosk_address_works_once_for_one_browser(tmp_path):
    async def steps(table):
        code = screens.offer(table.users)
        first, second = BrowserPerson(table), BrowserPerson(table)
        answer = await first.ask("GET", f"/kiosk/{code}")
        assert (answer.status, answer.headers["location"]) == (303, "/dealer")
        assert all(word in answer.headers["set-cookie"] for word in ("HttpOnly", "SameSite=strict", "Max-Age=34560000"))
        again = await second.ask("GET", f"/kiosk/{code}")
        assert (again.status, again.cookies) == (403, ())
        assert "was used or is too old" in again.body["detail"]
        assert code not in table.users.path.read_text(encoding="utf-8")

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize("later", [screens.MINUTES * 60 + 1, -screens.MINUTES * 60])
def test_a_kiosk_address_expires_after_ten_minutes_or_clock_change(tmp_path, monkeypatch, later):
    async def steps(table):
        code, now = screens.offer(table.users), time.time()
        monkeypatch.setattr(screens.time, "time", lambda: now + later)
        assert (await BrowserPerson(table).ask("GET", f"/kiosk/{code}")).status == 403

    at_a_table(tmp_path, steps)


def test_of_two_simultaneous_kiosk_browsers_only_one_is_accepted(tmp_path):
    async def steps(table):
        code = screens.offer(table.users)
        both = await asyncio.gather(*(BrowserPerson(table).ask("GET", f"/kiosk/{code}") for _ in range(2)))
        assert sorted(answer.status == 303 for answer in both) == [False, True]
        assert len(table.users.users().kiosks) == 1

    at_a_table(tmp_path, steps)


def test_a_kiosk_address_refused_behind_a_proxy_stays_valid(tmp_path):
    async def steps(table):
        code = screens.offer(table.users)
        assert (await BrowserPerson(table, ELSEWHERE).ask("GET", f"/kiosk/{code}")).status == 403
        assert (
            await BrowserPerson(table, {"host": "table1.studio.example"}).ask("GET", f"/kiosk/{code}")
        ).status == 421
        assert (await BrowserPerson(table).ask("GET", f"/kiosk/{code}")).status == 303

    at_a_table(tmp_path, steps)


def test_the_dealers_screen_keeps_its_role_after_a_restart(tmp_path):
    cookies = []

    async def before():
        async with NetworkTable(tmp_path) as table:
            person = await kiosk(table)
            cookies.append(person.cookie)
            with table.users.change() as change:
                change.remove_token("platform")  # the next table adds it again

    async def after():
        async with NetworkTable(tmp_path) as table:
            person = BrowserPerson(table)
            person.cookie = cookies[0]
            answer = await person.open_page("dealer")
            assert (answer.body["role"], "Max-Age=34560000" in answer.headers["set-cookie"]) == ("dealer", True)
            assert await presses(person) == 200

    on_loop(before)
    on_loop(after)


def test_the_kiosk_cookie_is_refused_through_a_proxy(tmp_path):
    async def steps(table):
        person = await kiosk(table)
        for more in (ELSEWHERE, {"forwarded": "for=10.0.0.9"}, {"via": "1.1 proxy"}):
            person.headers = more
            assert await presses(person) == 401
            assert (await person.open_page("dealer")).body["role"] == "player"

    at_a_table(tmp_path, steps)


def test_a_revoked_kiosk_screen_ends_at_once(tmp_path):
    async def steps(table):
        person = await kiosk(table)
        assert await presses(person) == 200
        assert screens.revoke(table.users) == 1
        assert await presses(person) == 401
        assert (await person.ask("GET", "/api/state?role=dealer")).status == 401

    at_a_table(tmp_path, steps)


def test_a_local_browser_without_the_kiosk_cookie_is_a_player(tmp_path):
    async def steps(table):
        assert (await BrowserPerson(table).ask("GET", "/api/state?role=dealer")).status == 401
        person = BrowserPerson(table)
        person.cookie = f"{table.site.sign_on.kiosk_cookie}={'x' * 43}"
        assert (await person.open_page("dealer")).body["role"] == "player"

    at_a_table(tmp_path, steps)


def test_the_record_says_that_a_screen_became_the_dealers(tmp_path):
    async def steps(table):
        await kiosk(table)
        (record,) = [record for record in table.rig.recorded() if record.kind == "signed_in"]
        assert (record.what.by, record.what.door, record.person) == ("kiosk", "kiosk", None)

    at_a_table(tmp_path, steps)


def test_the_record_names_the_dealers_screen_behind_a_command(tmp_path):
    async def steps(table):
        assert await presses(await kiosk(table)) == 200
        (record,) = [record for record in table.rig.recorded() if record.kind == "opened"]
        assert (record.input.origin.via, record.input.origin.command) == ("web:kiosk", "o")

    at_a_table(tmp_path, steps)


def test_in_a_demo_every_local_browser_is_the_dealers(tmp_path):
    """A demo's record does not count, so every browser at its PC may deal."""

    async def steps():
        async with NetworkTable(tmp_path, at_hand=True) as table:
            person = BrowserPerson(table)
            assert (await person.open_page("dealer")).body["role"] == "dealer"
            assert await presses(person) == 200
            assert (await BrowserPerson(table, ELSEWHERE).open_page("dealer")).body["role"] == "player"

    on_loop(steps)
