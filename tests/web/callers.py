"""Callers at every door of a staffed table, each with its connection and its credentials."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.web.net import ELSEWHERE, BrowserPerson
from tests.web.staff import PINS


class CallerAnswer(NamedTuple):
    """Answer to a request: status, headers, and the body, or the first event of a stream."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class CallerConnection:
    """HTTP connection of one caller, kept open between requests. `headers`: sent with each request."""

    def __init__(self, address: Any, headers: Mapping[str, str] = {}) -> None:
        self._address, self._headers = address, {"host": "localhost", **headers}
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, target: str, body: object = None) -> CallerAnswer:
        if self._ends is None:
            opened = asyncio.open_unix_connection if isinstance(self._address, str) else asyncio.open_connection
            self._ends = await opened(*([self._address] if isinstance(self._address, str) else self._address))
        reader, writer = self._ends
        content = b"" if body is None else json.dumps(body).encode()
        headers = {**self._headers, "content-type": "application/json", "content-length": str(len(content))}
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        writer.write("\r\n".join(lines).encode() + content)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        status = int(head[0].split()[1])
        if fields.get("content-type", "").startswith("text/event-stream"):
            text = await reader.readuntil(b"data: ") and await reader.readuntil(b"\n")
            self.close()
            return CallerAnswer(status, fields, text)
        text = await reader.readexactly(int(fields.get("content-length", "0")))
        if fields.get("connection") == "close":
            self.close()
        return CallerAnswer(status, fields, text)

    def close(self) -> None:
        if self._ends is not None:
            self._ends[1].close()
        self._ends = None


class DoorCaller(NamedTuple):
    """One caller: `ask` sends a request, `role` is added to each target, `by` to each command."""

    ask: Any
    role: str | None = None
    by: str | None = None
    close: Any = None


WHO = (
    *(f"session {number}" for number in PINS if number != "101"),
    "session 103 lapsed", "session 103 without word", "session 103 with another word", "session 103 of another PIN",
    "kiosk", "kiosk through a proxy", "kiosk without word", "kiosk from another page",
    "token", "token as manager", "token as player", "wrong token", "basic",
    "nobody at this PC", "nobody elsewhere", "nobody as manager", "nobody as dealer", "nobody as nonsense",
    *(f"socket as {role}" for role in ("nobody", "manager", "dealer", "server", "player")),
    *(f"socket by {number}" for number in (*PINS, "999")),
    *(f"floor by {number}" for number in (*PINS, "999")), "floor",
    "floor as dealer", "floor as player", "floor as server",
    "platform", "platform by 103", "platform as player", "platform as manager", "unsigned platform", "unsigned floor",
)  # fmt: skip


async def caller(table: Any, who: str, over_the_bus: Any) -> DoorCaller:
    """Return the caller of a row of `WHO`, ready to send requests."""
    kind, *rest = who.split()
    role = rest[1] if rest[:1] == ["as"] else None
    by = rest[1] if rest[:1] == ["by"] else None
    if kind in ("floor", "platform", "unsigned"):
        name = "" if kind == "unsigned" else "main"
        return DoorCaller(over_the_bus(table, rest[0] if kind == "unsigned" else kind, name), role, by)
    if kind == "socket":
        return _row(CallerConnection(str(table.socket)), role, by)
    return _row(CallerConnection(("127.0.0.1", table.port), await _headers(table, who)), role, by)


def _row(line: CallerConnection, role: str | None, by: str | None) -> DoorCaller:
    return DoorCaller(line.ask, None if role == "nobody" else role, by, line.close)


async def _headers(table: Any, who: str) -> Mapping[str, str]:
    """Return the headers that a browser or program of this row sends with each request."""
    match who.split():
        case ["session", number, *how]:
            return await _session(table, number, " ".join(how))
        case ["kiosk", *how]:
            return await _kiosk(table, " ".join(how))
        case ["token", *_]:
            return {"authorization": f"Bearer {table.token}"}
        case ["wrong", "token"]:
            return {"authorization": "Bearer x"}
        case ["basic"]:
            return {"authorization": "Basic YW5uYToyNTgw"}
        case ["nobody", "elsewhere"]:
            return ELSEWHERE
    return {}


async def _session(table: Any, number: str, how: str) -> Mapping[str, str]:
    person = BrowserPerson(table, ELSEWHERE)
    answer = await person.sign_in(number, PINS[number])
    assert answer.status == 200, answer
    assert person.cookie is not None
    held = table.site.sessions._sessions[dict(one.split("=") for one in person.cookie.split("; "))[_cookie(table)]]
    if how == "lapsed":
        held.used -= 1000.0
    if how == "of another PIN":
        held.credentials_mark = "another"
    word = {"": person.csrf, "lapsed": person.csrf, "of another PIN": person.csrf, "with another word": "x" * 43}
    return {**ELSEWHERE, "cookie": person.cookie, **({"x-csrf": word[how]} if how in word else {})}


def _cookie(table: Any) -> str:
    return table.site.sign_on.cookie


async def _kiosk(table: Any, how: str) -> Mapping[str, str]:
    person = BrowserPerson(table)
    await person.be_the_screen()
    await person.open_page("dealer")
    more = {"through a proxy": ELSEWHERE, "from another page": {"origin": "http://elsewhere.example"}}.get(how, {})
    return {"cookie": person.cookie or "", **({} if how == "without word" else {"x-csrf": person.csrf or ""}), **more}
