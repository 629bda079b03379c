"""HTTP routes for the rounds of a table.

    GET /api/rounds?before=N&count=K&lang=     summaries of rounds, the latest first
    POST /api/rounds?lang=                     rounds that match a search; see `round_search`
    GET /api/rounds/choices?lang=              faults and results that a search can name
    GET /api/rounds/N?lang=                    timeline of a round, line by line

The record is read in threads, a few at a time, because the table needs threads too.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...reports.round_search import find_rounds
from ...reports.round_stories import MOST, NoSuchRound, RoundStory, Story, StoryLine, records_of, rounds, story
from ...reports.sheet_bets import PlayerSums, bets_of, sums_of
from ...table.loop import Table
from ...text.money import money
from ...text.story import tell
from ...text.table_words import TableWords
from ..net.replies import RequestRefused, as_json
from ..screens.report_words import span
from ..screens.revisions import RevisionInWords, describe_outcome, revisions
from ..screens.round_choices import faults, winners
from ..screens.round_texts import OWN_OPEN, OWN_SUMS
from .callers import manager_of
from .request_parameters import number_of, positive_number, words_of
from .round_search import Searched, query_of

PAGE = 20  # rounds

P = ParamSpec("P")
T = TypeVar("T")


class RoundInShort(Struct, frozen=True):
    """Summary of a round, with its result in words.

    `own`: sums of the searched player, in words; `paused`: how long it was paused, as the shift report writes it.
    """

    round: RoundStory
    result: str | None
    own: str | None = None
    paused: str | None = None


class RoundsPage(Struct, frozen=True):
    """Rounds, the latest first. `more`: round before which the search continues; null: no more rounds."""

    rounds: tuple[RoundInShort, ...]
    more: int | None = None


class Timeline(Struct, frozen=True):
    """Timeline of a round. `cut`: true if lines are left out.

    `players`: addresses name a player by the position in this list, from 1. `revisions`: resettlements of the round.
    """

    round: RoundStory
    result: str | None
    lines: tuple[StoryLine, ...]
    cut: bool
    players: tuple[str, ...] = ()
    revisions: tuple[RevisionInWords, ...] = ()


class TableRounds:
    """Routes for the rounds of one table. `looking`: limits how many searches run at once."""

    def __init__(self, table: Table, journal: Path, zone: tzinfo, looking: asyncio.Semaphore) -> None:
        self._table, self._journal, self._zone, self._looking = table, journal, zone, looking
        self.routes = [
            Route("/api/rounds", self.rounds),
            Route("/api/rounds", self.search, methods=["POST"]),
            Route("/api/rounds/choices", self.choices),
            Route("/api/rounds/{number}", self.round),
        ]

    async def rounds(self, request: Request) -> Response:
        """Rounds, the latest first."""
        manager_of(request)
        words, before = words_of(request), number_of(request.query_params.get("before"), "before")
        count = number_of(request.query_params.get("count"), "count") or PAGE
        async with self._looking:
            stories = await _search(rounds, self._journal, before, min(count, MOST), self._table.state.revisions)
        return as_json(RoundsPage(tuple(_round_in_short(one, words) for one in stories)))

    async def choices(self, request: Request) -> Response:
        """GET /api/rounds/choices: faults and results that a search can name."""
        manager_of(request)
        words = words_of(request).words
        return as_json({"faults": faults(words), "winners": winners([self._table.house.game], words)})

    async def search(self, request: Request) -> Response:
        """Rounds that match a search, the latest first. Raises HTTPException (400) for a bad search."""
        manager_of(request)
        words = words_of(request)
        query = await query_of(request, Searched(self._zone, self._table.house.currency))
        async with self._looking:
            page = await _search(find_rounds, self._journal, query, PAGE, self._table.state.revisions)
            sums = await _search(self._sums, page.rounds, query.player)
        pairs = zip(page.rounds, sums, strict=True)
        short = (_round_in_short(one, words, self._player_money(of, words)) for one, of in pairs)
        return as_json(RoundsPage(tuple(short), page.more))

    def _sums(self, stories: Sequence[RoundStory], player: str | None) -> list[PlayerSums | None]:
        """Money of a player in each of these rounds; None without a player. Raises JournalError."""
        if player is None:
            return [None] * len(stories)
        revisions = self._table.state.revisions
        return [sums_of(bets_of(records_of(self._journal, one.round, revisions)), player) for one in stories]

    def _player_money(self, sums: PlayerSums | None, words: TableWords) -> str | None:
        """Money of a player in words; None if no player was searched for."""
        if sums is None:
            return None
        amounts = {"staked": sums.staked, "returned": sums.returned or 0}
        texts = {name: money(amount, self._table.house.currency) for name, amount in amounts.items()}
        return words.say(OWN_OPEN if sums.returned is None else OWN_SUMS).format(**texts)

    async def round(self, request: Request) -> Response:
        """One round, line by line."""
        manager_of(request)
        words, number = words_of(request), positive_number(request.path_params["number"], "round")
        async with self._looking:
            course = await _search(story, self._journal, number, partial(tell, words), self._table.state.revisions)
        return as_json(timeline(course, words))


async def _search(find: Callable[P, T], *what: P.args, **named: P.kwargs) -> T:
    """Run a search of the record in a thread. Raises HTTPException for an unknown round."""
    try:
        return await asyncio.to_thread(find, *what, **named)
    except NoSuchRound as missing:
        raise RequestRefused(404, missing.message) from None


def timeline(course: Story, words: TableWords) -> Timeline:
    """Compose the timeline of a round, in the viewer's language."""
    anew = revisions(course.resettled, course.round.game, words)
    return Timeline(course.round, result(course.round, words), course.lines, course.cut, course.players, anew)


def _round_in_short(one: RoundStory, words: TableWords, own: str | None = None) -> RoundInShort:
    return RoundInShort(one, result(one, words), own, span(one.paused) if one.paused else None)


def result(one: RoundStory, words: TableWords) -> str | None:
    """Return the outcome of a round in words, or why the round is void; None if neither is known."""
    if one.outcome is None and one.revision:
        return describe_outcome(None, one.game, words)
    if one.outcome is None:
        return None if one.why is None else words.void_reason(one.why)
    return words.outcome(one.game, one.outcome)
