"""The caller of each request is identified once, at the network door and at the socket."""

import pytest

from controller.web.access.local import LocalSignOn
from controller.web.access.sign_on import NetSignOn
from tests.web.people import at_a_table, manager
from tests.web.test_access import COMMANDS


@pytest.fixture
def signed(monkeypatch) -> list[str]:
    """Paths of the requests whose caller a door has identified, one entry for each time."""
    paths: list[str] = []
    for door in (NetSignOn, LocalSignOn):

        async def noted(sign_on, request, found=door.__call__):
            paths.append(request.url.path)
            return await found(sign_on, request)

        monkeypatch.setattr(door, "__call__", noted)
    return paths


def test_each_request_is_identified_once(tmp_path, signed):
    async def steps(table):
        person = await manager(table)
        signed.clear()
        for ask in (person.ask, table.ask):
            for method, path, body in (
                ("GET", "/api/state", None),
                ("POST", "/api/commands", COMMANDS["open"]),
                ("POST", "/api/preview", COMMANDS["rule"]),
                ("GET", "/api/rounds", None),
                ("GET", "/healthz", None),
                ("GET", "/nothing", None),
            ):
                await ask(method, path, body)
                assert (path, signed) == (path, [path])
                signed.clear()

    at_a_table(tmp_path, steps)
