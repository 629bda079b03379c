"""The kind of place that a stranger's request takes, and the one place of the dealer's screen."""

from pathlib import Path

import pytest
from starlette.requests import Request

from controller.config.people import KnownPerson, Person
from controller.web.access.persons import Persons
from controller.web.access.sign_on import ANYBODY
from controller.web.access.users import UsersFile
from controller.web.access.visitors import classify_visitors
from tests.web.people import at_a_table, kiosk

STRANGERS = [
    ("POST", "/session", "sign_in"), ("POST", "/tables/t1/session", "sign_in"), ("GET", "/session", "page"),
    ("GET", "/manager", "page"), ("GET", "/tables/t1/manager", "page"), ("GET", "/static/base.js", "page"),
    ("GET", "/api/words", "page"), ("GET", "/api/floor/words", "page"), ("GET", "/tables/t1/api/words", "page"),
    ("GET", "/api/events", "viewer"), ("GET", "/api/screen", "viewer"), ("GET", "/api/v1/state", "viewer"),
    ("GET", "/tables/t1/api/screen", "viewer"), ("POST", "/api/commands", "viewer"), ("GET", "/healthz", "watch"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path", "kind"), STRANGERS)
def test_a_strangers_request_has_places_of_its_kind(tmp_path, method, path, kind):
    async def steps(table):
        scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": [(b"host", b"t")]}
        request = Request({**scope, "client": ("192.0.2.9", 1), "state": {}, "caller": ANYBODY})
        assert classify_visitors(table.site.sign_on)(request) == (kind, "192.0.2.9")

    at_a_table(tmp_path, steps)


@pytest.mark.parametrize("target", ["/dealer", "/dealer?role=player", "/api/screen?role=dealer"])
def test_the_dealers_screen_has_one_place_for_all_it_asks(tmp_path, target):
    async def steps(table):
        screen = await kiosk(table)
        path, _, query = target.partition("?")
        headers = [(b"host", b"127.0.0.1"), (b"cookie", screen.cookie.encode())]
        scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": headers}
        request = Request({**scope, "client": ("127.0.0.1", 1), "state": {}})
        request.scope["caller"] = await table.site.sign_on(request)
        assert classify_visitors(table.site.sign_on)(request) == ("dealer", "web:kiosk")

    at_a_table(tmp_path, steps)


def test_a_person_without_a_pin_has_no_known_browser():
    """Otherwise anybody who knows the badge number could forge the mark of a known browser."""
    persons, person = Persons(UsersFile(Path("none")), None), KnownPerson("7", Person("Ana", ("manager",)))
    assert not persons.is_marked(person, persons.mark(person))
