"""Connection of emulated hands to a table: its own socket, or the address printed for a kiosk."""

import asyncio
import json
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from ssl import CERT_REQUIRED
from types import SimpleNamespace
from urllib.parse import urlsplit

import click
import pytest

from controller.cli.client import NoAnswer, TableReply
from controller.lab.commands import dealers_line
from controller.lab.commands.dealers_line import AtScreen, AtSocket, TableAddress
from controller.lab.demo.api_pace import DealerNotAccepted, NoTable

KIOSK = "http://127.0.0.1:8032/kiosk/abc"
CSRF = {"table": "t1", "csrf": "word"}


@pytest.mark.parametrize(
    ("said", "kind"),
    [("unix:/run/t1.sock", AtSocket), (KIOSK, AtScreen), ("https://[::1]:8032/kiosk/abc", AtScreen)],
)
def test_an_address_is_a_socket_or_that_of_a_kiosk(said, kind):
    assert type(TableAddress().convert(said, None, None)) is kind


@pytest.mark.parametrize(
    "said",
    ["unix:", "/run/t1.sock", "http://127.0.0.1:8032", "http://127.0.0.1/manager", "ftp://t/kiosk/a", "http:/kiosk/a"],
)
def test_another_address_is_refused_with_what_was_expected(said):
    with pytest.raises(click.BadParameter, match=r"expected unix:SOCKET, or the address that `tablectl kiosk CONFIG`"):
        TableAddress().convert(said, None, None)


@pytest.mark.parametrize(("scheme", "kind"), [("http", HTTPConnection), ("https", HTTPSConnection)])
def test_a_screen_connects_to_its_address_with_a_timeout(scheme, kind):
    connection = AtScreen(urlsplit(f"{scheme}://127.0.0.1:8032/kiosk/abc"))._connect()
    assert (type(connection), connection.host, connection.port) == (kind, "127.0.0.1", 8032)
    assert connection.timeout == dealers_line.PATIENCE


@pytest.mark.parametrize(
    ("host", "verified"),
    [("127.0.0.1", False), ("[::1]", False), ("localhost", False), ("10.1.2.3", True), ("t1.studio.example", True)],
)
def test_only_this_pc_is_trusted_without_a_certificate(host, verified):
    context = AtScreen(urlsplit(f"https://{host}:8032/kiosk/abc"))._connect()._context
    assert (context.check_hostname, context.verify_mode == CERT_REQUIRED) == (verified, verified)


def test_requests_at_the_socket_have_the_dealers_role(monkeypatch):
    requests = []

    def ask(*what):
        requests.append(what)
        return TableReply(200, {"life": "idle"})

    monkeypatch.setattr(dealers_line, "ask", ask)
    line = AtSocket(Path("/run/t1.sock"))
    assert asyncio.run(line.ask("POST", "/api/commands", {"command": "open"})).body == {"life": "idle"}
    assert requests == [(Path("/run/t1.sock"), "POST", "/api/commands?role=dealer", {"command": "open"})]


@pytest.mark.parametrize(("status", "error"), [(401, DealerNotAccepted), (403, DealerNotAccepted)])
def test_a_refused_request_raises_with_its_reason(monkeypatch, status, error):
    monkeypatch.setattr(dealers_line, "ask", lambda *_: TableReply(status, {"detail": "not yours"}))
    with pytest.raises(error, match=r"^the table does not let these hands deal: not yours$"):
        asyncio.run(AtSocket(Path("/run/t1.sock")).ask("GET", "/api/state"))


def test_a_socket_without_a_table_is_no_table(monkeypatch):
    def ask(*_):
        raise NoAnswer("no table runs at /run/t1.sock")

    monkeypatch.setattr(dealers_line, "ask", ask)
    with pytest.raises(NoTable, match="no table runs at"):
        asyncio.run(AtSocket(Path("/run/t1.sock")).ask("GET", "/api/state"))


class PreparedPages:
    """Fake pages of a table: prepared answers by path, and a list of the received requests."""

    def __init__(self, monkeypatch) -> None:
        self.asked = list[tuple]()
        self.answers = {
            "/kiosk/abc": (b"", "tablectl-kiosk=key; Path=/; HttpOnly"),
            "/session?role=dealer": (json.dumps(CSRF).encode(), None),
            "/api/state?role=dealer": (b'{"life":"idle"}', None),
            "/api/commands?role=dealer": (b'{"verdicts":[]}', None),
        }
        self.status, self.closed = 200, 0
        monkeypatch.setattr(AtScreen, "_connect", lambda _: self)

    def request(self, method, target, body=None, headers=None):
        self.asked.append((method, target, body, headers))
        answer = self.answers[target]
        if isinstance(answer, Exception):
            raise answer
        self._answer = answer

    def getresponse(self):
        body, cookie = self._answer
        return SimpleNamespace(status=self.status, read=lambda: body, getheader=lambda _: cookie)

    def close(self):
        self.closed += 1


@pytest.fixture
def server(monkeypatch) -> PreparedPages:
    return PreparedPages(monkeypatch)


def test_a_screen_opens_its_address_once_and_shows_it(server):
    line = AtScreen(urlsplit(KIOSK))
    for _ in range(2):
        assert asyncio.run(line.ask("GET", "/api/state")).body == {"life": "idle"}
    assert asyncio.run(line.ask("POST", "/api/commands", {"command": "open"})).body == {"verdicts": []}
    cookie = {"cookie": "tablectl-kiosk=key"}
    posted = {**cookie, "x-csrf": "word"}
    assert [one[:2] for one in server.asked] == [
        ("GET", "/kiosk/abc"),
        ("GET", "/api/state?role=dealer"),
        ("GET", "/api/state?role=dealer"),
        ("GET", "/session?role=dealer"),
        ("POST", "/api/commands?role=dealer"),
    ]
    assert server.asked[1][2:] == (None, cookie)
    assert server.asked[-1][2:] == ('{"command": "open"}', posted)
    assert server.closed == len(server.asked)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b'{"detail":"used already"}', "used already"),
        (b"<html>", "expected the address that `tablectl kiosk CONFIG` has printed"),
        (b"[]", "expected the address that `tablectl kiosk CONFIG` has printed"),
        (b"{}", "expected the address that `tablectl kiosk CONFIG` has printed"),
    ],
)
def test_an_address_without_a_cookie_lets_nobody_in(server, said, why):
    server.answers["/kiosk/abc"] = (said, None)
    with pytest.raises(DealerNotAccepted, match=f"^127.0.0.1:8032: {why}$"):
        asyncio.run(AtScreen(urlsplit(KIOSK)).ask("GET", "/api/state"))


def test_a_revoked_screen_raises_with_its_reason(server):
    line = AtScreen(urlsplit(KIOSK))
    asyncio.run(line.ask("GET", "/api/state"))
    server.status, server.answers["/session?role=dealer"] = 401, (b'{"detail":"revoked"}', None)
    with pytest.raises(DealerNotAccepted, match="revoked"):
        asyncio.run(line.ask("POST", "/api/commands", {}))


@pytest.mark.parametrize("where", ["/kiosk/abc", "/api/state?role=dealer"])
@pytest.mark.parametrize(
    ("error", "why"), [(OSError("Connection\n refused"), "Connection refused"), (OSError(), "OSError")]
)
def test_pages_that_do_not_answer_are_no_table(server, where, error, why):
    server.answers[where] = error
    with pytest.raises(NoTable) as silent:
        asyncio.run(AtScreen(urlsplit(KIOSK)).ask("GET", "/api/state"))
    assert str(silent.value) == f"no table answers at 127.0.0.1:8032 ({why}): start it with `tablectl run CONFIG`"
    assert server.closed == len(server.asked)
