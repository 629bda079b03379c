"""The way of a dealer's hands to a table: its own socket, or the address that `tablectl kiosk` prints.

A kiosk's address is good once: what the table gives for it is kept as a browser keeps it, until the program ends.
"""

import asyncio
import json
import ssl
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import click

from ..demo.afar import Line, NoTable, NotLetIn
from .client import NoAnswer, Reply, ask

PATIENCE = 30.0  # seconds for an answer


class AtSocket:
    """The table's own socket."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def ask(self, method: str, target: str, body: object = None) -> Reply:
        """One request, as the dealer. Raises NoTable, NotLetIn."""
        try:
            return let_in(await asyncio.to_thread(ask, self._path, method, f"{target}?role=dealer", body))
        except NoAnswer as error:
            raise NoTable(str(error)) from None


class AtScreen:
    """A screen of this PC that is made the dealer's."""

    def __init__(self, address: SplitResult) -> None:
        self._address = address
        self._cookie: str | None = None

    async def ask(self, method: str, target: str, body: object = None) -> Reply:
        """One request, as the dealer. Raises NoTable, NotLetIn."""
        return await asyncio.to_thread(self._ask, method, target, body)

    def _ask(self, method: str, target: str, body: object) -> Reply:
        headers = {"cookie": self._cookie or self._claim()}
        if body is not None:  # the word for it is another after each start of the table
            headers["x-csrf"] = let_in(self._request("GET", "/session?role=dealer", headers)).body["csrf"] or ""
        return let_in(self._request(method, f"{target}?role=dealer", headers, body))

    def _claim(self) -> str:
        """What a browser would keep. Raises NotLetIn."""
        connection = self._connect()
        try:
            connection.request("GET", self._address.path)
            answer = connection.getresponse()
            said, cookie = answer.read(), answer.getheader("set-cookie")
        except (OSError, HTTPException) as error:
            raise NoTable(self._silent(error)) from None
        finally:
            connection.close()
        if cookie is None:
            raise NotLetIn(f"{self._address.netloc}: {_detail(said)}")
        self._cookie = cookie.partition(";")[0]
        return self._cookie

    def _request(self, method: str, target: str, headers: dict[str, str], body: object = None) -> Reply:
        connection = self._connect()
        try:
            connection.request(method, target, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return Reply(answer.status, json.loads(answer.read()))
        except (OSError, HTTPException, ValueError) as error:
            raise NoTable(self._silent(error)) from None
        finally:
            connection.close()

    def _connect(self) -> HTTPConnection:
        host, port = self._address.hostname or "", self._address.port
        if self._address.scheme == "http":
            return HTTPConnection(host, port, timeout=PATIENCE)
        trusting = ssl.create_default_context()  # it is this PC, under no name that a certificate could have
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        return HTTPSConnection(host, port, timeout=PATIENCE, context=trusting)

    def _silent(self, error: Exception) -> str:
        why = " ".join(str(error).split()) or type(error).__name__
        return f"no table answers at {self._address.netloc} ({why}): start it with `tablectl run CONFIG`"


class TableAddress(click.ParamType[Line]):
    """Where the table is that the hands are to deal at."""

    name = "URL"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Line:
        """The way there."""
        address = urlsplit(value)
        if address.scheme == "unix" and address.path:
            return AtSocket(Path(address.path))
        if address.scheme in ("http", "https") and address.hostname and address.path.startswith("/kiosk/"):
            return AtScreen(address)
        return self.fail(
            f"expected unix:SOCKET, or the address that `tablectl kiosk CONFIG` prints, got {value!r}", param, ctx
        )


def let_in(reply: Reply) -> Reply:
    """The same answer. Raises NotLetIn for one that it has for strangers."""
    if reply.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        raise NotLetIn(f"the table does not let these hands deal: {reply.body['detail']}")
    return reply


def _detail(said: bytes) -> str:
    try:
        return str(json.loads(said)["detail"])
    except (ValueError, KeyError, TypeError):
        return "expected the address that `tablectl kiosk CONFIG` has printed"
