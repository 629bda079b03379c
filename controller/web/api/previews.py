"""Previews of rulings over HTTP.

    POST /api/preview?lang=      one `rule` or `resettle` command; nothing is recorded

A preview changes nothing. It is computed in a thread, a few at a time.
"""

import asyncio
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...core import events as e
from ...core.clock import Time
from ...core.coded_message import coded
from ...core.records import RoundDifference
from ...core.state import State
from ...reports.preview import DrawChange, FollowingFault, PreviewRefused, Refunds, RulingEffect, foresee
from ...reports.preview_resettling import foresee_resettlement
from ...table.loop import Table
from ..net.bodies import body_of
from ..net.replies import as_json
from ..screens.manager_words import ManagerWords
from ..screens.resettle_foreseen import ResettleForeseen, resettlement_in_words
from .api import LARGEST
from .callers import manager_of
from .command_decoder import MalformedCommand, read
from .command_events import as_event
from .commands import Caller, ResettleCommand, RuleCommand
from .intake import ReadRound
from .request_parameters import words_of
from .staff import permit


class NextFault(Struct, frozen=True):
    """Fault that would follow the ruling, in words."""

    code: str
    says: str
    rulings: tuple[str, ...]


class Preview(Struct, frozen=True):
    """Effect of a ruling, in words. A None field does not apply, or depends on a face-down card (`open`)."""

    verdict: Literal["leads", "refused"]
    fault: int
    ruling: str
    says: str  # the effect in one sentence
    reason: str | None = None  # code of a refusal
    life: str | None = None
    due: str | None = None
    outcome: str | None = None
    next: NextFault | None = None
    cards: tuple[DrawChange, ...] = ()
    refunds: Refunds | None = None
    manual: bool = False
    touched: RoundDifference = RoundDifference()  # differences between the round after the ruling and now
    choice: e.Choice | None = None  # what happens to the affected decisions and bets
    choices: tuple[e.Choice, ...] = ()  # the possible values of `choice`
    open: bool = False
    second: bool = False  # a second shift manager has to confirm with PIN or badge


class Previews:
    """Previews at a table. `looking`: limits how many run at once."""

    def __init__(self, table: Table, looking: asyncio.Semaphore, read_round: ReadRound) -> None:
        self._table, self._looking, self._read_round = table, looking, read_round
        self.routes = [Route("/api/preview", self.preview, methods=["POST"])]

    async def preview(self, request: Request) -> Response:
        """POST /api/preview: effect of one ruling."""
        caller, words = manager_of(request), words_of(request)
        command = _rule(caller, await body_of(request, LARGEST))
        if self._table.halted is not None:  # answered before `_looking`: its holders may wait for the failing disk
            return as_json(_refused_preview(command, words, "halted"))
        if isinstance(command, ResettleCommand):
            return as_json(await self._resettlement(caller, command, words))
        async with self._looking:
            state = self._table.state
            event = as_event(caller, command, state)
            assert isinstance(event, e.Rule)  # noqa: S101 - what a ruling means
            house, at = self._table.house, self._table.now()

            def answer() -> Preview:
                end = foresee(house, state, event, at)
                return ruling_preview(words, state, event, _without_stakes(end) if caller.lapsed else end)

            return as_json(await asyncio.to_thread(answer))

    async def _resettlement(self, caller: Caller, command: ResettleCommand, words: ManagerWords) -> ResettleForeseen:
        state = self._table.state
        event = as_event(caller, command, state)
        assert isinstance(event, e.Resettle)  # noqa: S101 - what a resettlement means
        event = await self._read_round(event)
        async with self._looking:
            return await asyncio.to_thread(self._preview_resettlement, words, state, event, self._table.now())

    def _preview_resettlement(self, words: ManagerWords, state: State, event: e.Resettle, at: Time) -> ResettleForeseen:
        return resettlement_in_words(foresee_resettlement(self._table.house, state, event, at), event.past, words)


def ruling_preview(words: ManagerWords, state: State, event: e.Rule, end: RulingEffect | PreviewRefused) -> Preview:
    """Preview of a ruling from its effect, in words; a refusal if it has none."""
    if not isinstance(end, RulingEffect):
        return replace(_refused_preview(event, words, end.reason), choices=end.choices)
    return Preview(
        "leads",
        event.fault or 0,
        event.ruling,
        words.preview_sentence(event, end, state),
        end.refused,
        life=end.life,
        due=None if end.due is None else words.due_step(end.due),
        outcome=None if end.outcome is None else words.outcome(state.round.game, end.outcome),
        next=None if end.next is None else _next(end.next, words),
        cards=end.cards,
        refunds=end.refunds,
        manual=end.manual,
        touched=end.touched,
        choice=end.choice,
        choices=end.choices,
        open=end.open,
        second=end.second,
    )


def _without_stakes(end: RulingEffect | PreviewRefused) -> RulingEffect | PreviewRefused:
    """Effect without the stakes of single players, which a lapsed sign-in does not show."""
    if not isinstance(end, RulingEffect):
        return end
    decisions = tuple(replace(one, stake=0) for one in end.touched.decisions)
    return replace(end, touched=replace(end.touched, decisions=decisions))


def _refused_preview(ruling: RuleCommand | ResettleCommand | e.Rule, words: ManagerWords, reason: str) -> Preview:
    if isinstance(ruling, ResettleCommand):
        return Preview("refused", 0, "resettle", words.refusal("resettle", reason), reason)
    return Preview("refused", ruling.fault or 0, ruling.ruling, words.refusal(ruling.ruling, reason), reason)


def _rule(caller: Caller, sent: bytes) -> RuleCommand | ResettleCommand:
    """Single ruling or resettlement in the request body. Raises MalformedCommand, Forbidden."""
    commands = read(sent).commands
    for command in commands:
        permit(caller, command)
    if len(commands) == 1 and isinstance(commands[0], RuleCommand | ResettleCommand):
        return commands[0]
    raise MalformedCommand(coded("expected_ruling"))


def _next(fault: FollowingFault, words: ManagerWords) -> NextFault:
    return NextFault(fault.code, words.fault(fault.code, fault.due, fault.came), fault.rulings)
