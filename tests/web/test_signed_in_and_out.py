"""What a second sign-in ends, what a mark still opens, and how long a stream follows a session."""

import asyncio
import threading
from types import SimpleNamespace

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from controller.config.people import Known, Person
from controller.text.faults import Words
from controller.web.access import desk as desks
from controller.web.access import sessions
from controller.web.access.attempts import Attempts
from controller.web.access.desk import EACH, QUEUE, Desk, Knock
from controller.web.access.sessions import Sessions
from controller.web.access.sign_on import NetSignOn
from tests.patience import on_loop, until
from tests.web.net import ELSEWHERE
from tests.web.net import Person as Browser
from tests.web.people import at_a_table

ANNA = Known("anna", Person("anna", ("manager",), "hash"))


def test_signing_in_again_ends_that_browsers_first_session_alone(tmp_path):
    async def steps(table):
        one, other = Browser(table, ELSEWHERE), Browser(table, ELSEWHERE)
        for person in (one, other):
            assert (await person.sign_in()).status == 200
        before = one.cookie
        assert (await one.sign_in()).status == 200
        again = Browser(table, ELSEWHERE)
        again.cookie, again.csrf = before, one.csrf
        told = [(await person.ask("GET", "/api/state?role=manager")).status for person in (again, one, other)]
        assert told == [401, 200, 200]
        left = await one.ask("DELETE", "/session")
        assert "max-age=0" in left.headers["set-cookie"].lower()
        told = [(await person.ask("GET", "/api/state?role=manager")).status for person in (one, other)]
        assert told == [401, 200]

    at_a_table(tmp_path, steps)


# ── the desk ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Persons:
    """Anna, whose browser is known by its mark."""

    badge = "with_pin"
    users = SimpleNamespace(path=None)

    def find(self, name: str) -> Known | None:
        return ANNA if name == "anna" else None

    def is_marked(self, known: Known | None, mark: str | None) -> bool:
        return known is not None and mark == "mark"

    def people(self) -> None:
        return None


def test_a_crowd_keeps_strangers_out_and_known_browsers_in(monkeypatch):
    """And who has been tried makes room for the next."""
    go = threading.Event()
    monkeypatch.setattr(desks, "fits", lambda pin, _: go.wait(10) and pin == "right")

    async def steps():
        desk = Desk("t1", lambda _: None, Persons(), Attempts(lambda: 0.0))

        async def knock(source: str, mark: str | None = None) -> int:
            try:
                await desk.admit(Knock("anna", "right", source, mark), Words("en"))
            except HTTPException as refused:
                return refused.status_code
            return 200

        for _ in range(2):
            go.clear()
            crowd = [asyncio.create_task(knock(f"10.0.0.{number // EACH}")) for number in range(QUEUE)]
            await until(lambda: len(desk._waiting) == QUEUE)
            assert await knock("10.0.0.99") == 429
            assert await knock("10.0.0.0") == 429
            known = [asyncio.create_task(knock("10.0.0.0", "mark")) for _ in range(EACH + 1)]
            await until(lambda: len(desk._waiting) == QUEUE + EACH)
            go.set()
            assert await asyncio.gather(*crowd) == [200] * QUEUE
            assert sorted(await asyncio.gather(*known)) == [200] * EACH + [429]
            assert desk._waiting == []

    on_loop(steps)


# ── streams ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("path", "lapsed"), [("/api/screen", True), ("/api/state", False)])
def test_a_stream_lasts_while_its_session_stays_the_same(clock, path, lapsed):
    people = SimpleNamespace(people=lambda: None, of=lambda _: ANNA)
    held = Sessions(clock)
    sign_on = NetSignOn(people, held, "c", at_hand=False)
    key, _ = held.open("anna", ANNA.person.shows)
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"role=manager", "state": {}}

    async def followed() -> Request:
        request = Request({**scope, "headers": [(b"cookie", f"c={key}".encode()), (b"host", b"x")], "state": {}})
        await sign_on(request)
        return request

    async def steps():
        live = await followed()
        assert live.state.still()
        clock.now += sessions.IDLE
        assert not live.state.still()
        if not lapsed:
            with pytest.raises(HTTPException):
                await followed()
            return
        glance = await followed()
        assert glance.state.still()
        clock.now += sessions.LONGEST - sessions.IDLE - 1
        assert glance.state.still()
        clock.now += 1
        assert not glance.state.still()

    on_loop(steps)
