"""A second sign-in ends the browser's first session; a stream lasts as long as its session."""

import re
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request

from controller.config.people import KnownPerson, Person
from controller.web.access import sessions
from controller.web.access.sessions import Sessions
from controller.web.access.sign_on import NetSignOn
from controller.web.api.commands import Caller
from tests.patience import on_loop
from tests.web.net import ELSEWHERE
from tests.web.net import BrowserPerson as Browser
from tests.web.people import at_a_table
from tests.web.rig import capture_log

ANNA = KnownPerson("anna", Person("anna", ("manager",), "hash"))


def test_signing_in_again_ends_that_browsers_first_session_alone(tmp_path):
    async def steps(table):
        one, other = Browser(table, ELSEWHERE), Browser(table, ELSEWHERE)
        for person in (one, other):
            assert (await person.sign_in()).status == 200
        before = one.cookie
        assert (await one.sign_in()).status == 200
        again = Browser(table, ELSEWHERE)
        again.cookie, again.csrf = before, one.csrf
        statuses = [(await person.ask("GET", "/api/state?role=manager")).status for person in (again, one, other)]
        assert statuses == [401, 200, 200]
        with capture_log() as logs:
            left = await one.ask("DELETE", "/session")
        (out,) = (log for log in logs if log["event"] == "signed_out")
        assert (out["table"], out["name"], out["via"]) == ("table", "anna", "127.0.0.1")
        assert re.match('[^=;]+=""; .*max-age=0', left.headers["set-cookie"].lower())
        statuses = [(await person.ask("GET", "/api/state?role=manager")).status for person in (one, other)]
        assert statuses == [401, 200]

    at_a_table(tmp_path, steps)


# ── streams ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("path", "lapsed"), [("/api/screen", True), ("/api/state", False)])
def test_a_stream_lasts_while_its_session_stays_the_same(clock, path, lapsed):
    people = SimpleNamespace(people=lambda: None, find_in=lambda *_: ANNA)
    held = Sessions(clock)
    sign_on = NetSignOn(people, held, "c", at_hand=False)
    key, _ = held.open("anna", ANNA.person.credentials_mark)
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"role=manager", "state": {}}

    async def followed() -> Caller:
        return await sign_on(Request({**scope, "headers": [(b"cookie", f"c={key}".encode()), (b"host", b"x")]}))

    async def steps():
        live = await followed()
        assert live.still()
        clock.now += sessions.IDLE
        assert not live.still()
        if not lapsed:
            with pytest.raises(HTTPException):
                await followed()
            return
        glance = await followed()
        assert glance.still()
        clock.now += sessions.LONGEST - sessions.IDLE - 1
        assert glance.still()
        clock.now += 1
        assert not glance.still()

    on_loop(steps)


@pytest.mark.parametrize("roles", [("auditor",), ("supervisor", "manager")])
def test_a_stream_ends_when_its_persons_roles_change(clock, roles):
    """The browser follows anew, and its page shows what the person may do now."""
    registry = {"anna": ANNA}
    people = SimpleNamespace(people=lambda: None, find_in=lambda _, number: registry[number])
    held = Sessions(clock)
    key, _ = held.open("anna", ANNA.person.credentials_mark)
    headers = [(b"cookie", f"c={key}".encode()), (b"host", b"x")]
    scope = {"type": "http", "method": "GET", "path": "/api/screen", "query_string": b"role=manager", "state": {}}
    sign_on = NetSignOn(people, held, "c", at_hand=False)

    async def steps():
        caller = await sign_on(Request({**scope, "headers": headers}))
        assert caller.still()
        registry["anna"] = KnownPerson("anna", replace(ANNA.person, roles=roles))
        assert not caller.still()
        assert (await sign_on(Request({**scope, "headers": headers}))).still()

    on_loop(steps)
