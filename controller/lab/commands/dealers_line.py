"""Connection of an emulated dealer to a table: its own socket, or an address from `tablectl kiosk`.

A kiosk's address works once: the cookie that the table returns is kept until the program ends.
"""

import asyncio
import json
import ssl
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import click

from ...cli.client import NoAnswer, TableReply, ask
from ...web.net.address import is_loopback
from ..demo.api_pace import DealerNotAccepted, NoTable, TableLine

PATIENCE = 30.0  # seconds for an answer


class AtSocket:
    """Connection to a table through its own socket."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def ask(self, method: str, target: str, body: object = None) -> TableReply:
        """Send one request as the dealer. Raises NoTable, DealerNotAccepted."""
        try:
            return let_in(await asyncio.to_thread(ask, self._path, method, f"{target}?role=dealer", body))
        except NoAnswer as error:
            raise NoTable(str(error)) from None


class AtScreen:
    """Connection to a table as an authorised dealer's screen on this PC."""

    def __init__(self, address: SplitResult) -> None:
        self._address = address
        self._cookie: str | None = None

    async def ask(self, method: str, target: str, body: object = None) -> TableReply:
        """Send one request as the dealer. Raises NoTable, DealerNotAccepted."""
        return await asyncio.to_thread(self._ask, method, target, body)

    def _ask(self, method: str, target: str, body: object) -> TableReply:
        headers = {"cookie": self._cookie or self._claim()}
        if body is not None:  # a write needs the CSRF word, which changes at each start of the table
            headers["x-csrf"] = let_in(self._request("GET", "/session?role=dealer", headers)).body["csrf"] or ""
        return let_in(self._request(method, f"{target}?role=dealer", headers, body))

    def _claim(self) -> str:
        """Open the kiosk's address and return the cookie it sets. Raises NoTable, DealerNotAccepted."""
        connection = self._connect()
        try:
            connection.request("GET", self._address.path)
            answer = connection.getresponse()
            body, cookie = answer.read(), answer.getheader("set-cookie")
        except (OSError, HTTPException) as error:
            raise NoTable(self._no_answer_text(error)) from None
        finally:
            connection.close()
        if cookie is None:
            raise DealerNotAccepted(f"{self._address.netloc}: {_detail(body)}")
        self._cookie = cookie.partition(";")[0]
        return self._cookie

    def _request(self, method: str, target: str, headers: dict[str, str], body: object = None) -> TableReply:
        connection = self._connect()
        try:
            connection.request(method, target, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return TableReply(answer.status, json.loads(answer.read()))
        except (OSError, HTTPException, ValueError) as error:
            raise NoTable(self._no_answer_text(error)) from None
        finally:
            connection.close()

    def _connect(self) -> HTTPConnection:
        host, port = self._address.hostname or "", self._address.port
        if self._address.scheme == "http":
            return HTTPConnection(host, port, timeout=PATIENCE)
        context = ssl.create_default_context()
        if is_loopback(host):  # this PC has no name that a certificate could have
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return HTTPSConnection(host, port, timeout=PATIENCE, context=context)

    def _no_answer_text(self, error: Exception) -> str:
        why = " ".join(str(error).split()) or type(error).__name__
        return f"no table answers at {self._address.netloc} ({why}): start it with `tablectl run CONFIG`"


class TableAddress(click.ParamType[TableLine]):
    """Command-line parameter: address of the table at which the emulated dealer deals."""

    name = "URL"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> TableLine:
        """Parse the address into a connection; refuse any other text."""
        try:
            address = urlsplit(value)
        except ValueError:  # for example `[` without `]`
            address = urlsplit("")
        if address.scheme == "unix" and address.path:
            return AtSocket(Path(address.path))
        if address.scheme in ("http", "https") and address.hostname and address.path.startswith("/kiosk/"):
            return AtScreen(address)
        return self.fail(
            f"expected unix:SOCKET, or the address that `tablectl kiosk CONFIG` prints, got {value!r}", param, ctx
        )


def let_in(reply: TableReply) -> TableReply:
    """Return the reply unchanged. Raises DealerNotAccepted if it is 401 or 403."""
    if reply.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        raise DealerNotAccepted(f"the table does not let these hands deal: {reply.body['detail']}")
    return reply


def _detail(body: bytes) -> str:
    try:
        return str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return "expected the address that `tablectl kiosk CONFIG` has printed"
