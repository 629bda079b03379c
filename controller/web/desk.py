"""What the shift manager looks into, beside the table itself, over HTTP.

    POST /api/preview                     one `rule` command; what it would lead to. Nothing is recorded
    GET  /api/rounds?before=N&count=K     rounds, the latest first, in short
    GET  /api/rounds/N                    what happened in a round, line by line

`?lang=` says in which language (by default English). The one rule: nothing here changes anything, and what takes time
is done off the table's loop.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..core import events as e
from ..core.state import State
from ..foresight import Change, Foreseen, Refunds, foresee
from ..rounds import MOST, Line, NoSuchRound, Round, rounds, story
from ..table import Table
from .api import HALTED, LARGEST, SignOn
from .bodies import body_of
from .commands import Caller, Forbidden, Malformed, Rule, permit, read
from .meaning import as_event
from .problems import as_json
from .screens.manager_words import ManagerWords

PAGE = 20  # rounds
READERS = 2  # who look into the record at a time: the others wait, so that the threads are there for the table

P = ParamSpec("P")
T = TypeVar("T")


class NextFault(Struct, frozen=True):
    """The fault that a ruling brings to light."""

    code: str
    says: str
    rulings: tuple[str, ...]


class Preview(Struct, frozen=True):
    """What a ruling would lead to. What is null is not so, or depends on a card that lies face down (`open`)."""

    verdict: Literal["leads", "refused"]
    fault: int
    ruling: str
    says: str  # in one sentence
    reason: str | None = None  # of a refusal
    life: str | None = None
    due: str | None = None
    outcome: str | None = None
    next: NextFault | None = None
    cards: tuple[Change, ...] = ()
    refunds: Refunds | None = None
    manual: bool = False
    open: bool = False


class Told(Struct, frozen=True):
    """A round in short, and what it came to in words."""

    round: Round
    result: str | None


class Rounds(Struct, frozen=True):
    """Rounds, the latest first."""

    rounds: tuple[Told, ...]


class Timeline(Struct, frozen=True):
    """A round as it went. `cut`: there is more to it than is told."""

    round: Round
    result: str | None
    lines: tuple[Line, ...]
    cut: bool


class Desk:
    """The shift manager's questions to one table, at one of its doors. `sign_on` says who is asking there."""

    def __init__(self, table: Table, journal: Path, sign_on: SignOn) -> None:
        self._table, self._journal, self._sign_on = table, journal, sign_on
        self._reading = asyncio.Semaphore(READERS)
        self.routes = [
            Route("/api/preview", self.preview, methods=["POST"]),
            Route("/api/rounds", self.rounds, methods=["GET"]),
            Route("/api/rounds/{number}", self.round, methods=["GET"]),
        ]

    # ── rulings ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def preview(self, request: Request) -> Response:
        """What a ruling would lead to."""
        caller, words = await self._manager(request), words_of(request)
        command = _ruling(caller, await body_of(request, LARGEST))
        state = self._table.state
        event = as_event(caller, command, state)
        assert isinstance(event, e.Rule)  # noqa: S101 - what `rule` means
        if self._table.halted is not None:
            return as_json(Preview("refused", command.fault, command.ruling, HALTED, "halted"))
        return as_json(await asyncio.to_thread(self._preview, words, state, event))

    def _preview(self, words: ManagerWords, state: State, event: e.Rule) -> Preview:
        end = foresee(self._table.house, state, event, self._table.now())
        fault = event.fault or 0
        if not isinstance(end, Foreseen):
            return Preview("refused", fault, event.ruling, words.refusal(end.reason), end.reason)
        return _told(words, event, end, state)

    # ── rounds ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def rounds(self, request: Request) -> Response:
        """Rounds, the latest first."""
        await self._manager(request)
        words, before = words_of(request), _number(request.query_params.get("before"), "before")
        count = _number(request.query_params.get("count"), "count") or PAGE
        async with self._reading:
            found = await _found(rounds, self._journal, before, min(count, MOST))
        return as_json(Rounds(tuple(Told(one, _result(one, words)) for one in found)))

    async def round(self, request: Request) -> Response:
        """One round, line by line."""
        await self._manager(request)
        words, number = words_of(request), _number(request.path_params["number"], "round")
        async with self._reading:
            told = await _found(story, self._journal, number or 0)
        return as_json(Timeline(told.round, _result(told.round, words), told.lines, told.cut))

    async def _manager(self, request: Request) -> Caller:
        caller = await self._sign_on(request)
        if caller.role != "manager":
            raise Forbidden(f"this is for the manager, not for the {caller.role}")
        return caller


def _ruling(caller: Caller, sent: bytes) -> Rule:
    """The one ruling that is asked about. Raises Malformed, Forbidden."""
    commands = read(sent)
    for command in commands:
        permit(caller, command)
    if len(commands) == 1 and isinstance(commands[0], Rule):
        return commands[0]
    raise Malformed("expected one command `rule`")


def _said(event: e.Rule) -> dict[str, Any]:
    return {"card": event.card, "place": event.place}


def _told(words: ManagerWords, event: e.Rule, end: Foreseen, state: State) -> Preview:
    known = end.next
    fault = None if known is None else {"code": known.code, "expected": known.expected, "got": known.got}
    return Preview(
        "leads",
        event.fault or 0,
        event.ruling,
        words.foreseen(event.ruling, _said(event), end, state),
        life=end.life,
        due=None if end.due is None else words.expected(end.due),
        outcome=None if end.outcome is None else words.outcome(state.round.game, end.outcome),
        next=None if known is None or fault is None else NextFault(known.code, words.fault(fault), known.rulings),
        cards=end.cards,
        refunds=end.refunds,
        manual=end.manual,
        open=end.open,
    )


def words_of(request: Request) -> ManagerWords:
    """In the language asked for. Raises HTTPException for one that there is not."""
    try:
        return ManagerWords(request.query_params.get("lang", "en"))
    except LookupError as error:
        raise HTTPException(400, f"lang: {error}") from None


def _number(text: str | None, name: str) -> int | None:
    """Raises HTTPException for what is no round's number."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(2**53)) and int(text)):
        raise HTTPException(400, f"{name}: expected a number from 1 on, got {text[:40]!r}")
    return int(text)


async def _found(find: Callable[P, T], *what: P.args, **named: P.kwargs) -> T:
    """What the record says, read in a thread. Raises HTTPException for a round that it does not hold."""
    try:
        return await asyncio.to_thread(find, *what, **named)
    except NoSuchRound as missing:
        raise HTTPException(404, str(missing)) from None


def _result(one: Round, words: ManagerWords) -> str | None:
    return one.because if one.outcome is None else words.outcome(one.game, one.outcome)
