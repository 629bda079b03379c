"""Search of one table's rounds, the latest first: by player, bet, amount, time, result, fault, resettlement.

The journal is read backwards, at most FAR records for one answer; an answer says where the search continues.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, takewhile
from pathlib import Path
from typing import Literal

from msgspec import Struct

from ..core import records as r
from ..core.clock import Time
from ..core.records import Record
from ..core.ulid import round_of
from ..journal import Damaged, head_of, opening_seq, read, read_backwards, stretches_within
from .round_stories import KINDS, NONE, NoSuchRound, Revisions, RoundStory, rounds_in, summary_with
from .sheet_bets import bets_of

FAR = 300_000  # records that are searched for one answer
NEARLY = FAR // 2  # after so many searched records, an answer says that there may be earlier rounds
OF_BETS = ("bet_accepted", "decided")
Way = Literal["settled", "cancelled", "disputed", "resettled"]


class RoundQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What a round must match; all that is given holds. Amounts are stakes of one bet, in minor units.

    `bet`: id of the round, or of a bet in it; `since`, `until`: opening, `until` not included.
    """

    player: str | None = None
    bet: str | None = None
    least: int | None = None
    most: int | None = None
    since: Time | None = None
    until: Time | None = None
    winner: str | None = None
    fault: str | None = None
    how: Way | None = None
    before: int | None = None  # number of the round behind which the search continues

    @property
    def of_bets(self) -> bool:
        """True if the bets of a round decide whether it matches."""
        return any(one is not None for one in (self.player, self.least, self.most))


class FoundRounds(Struct, frozen=True):
    """Rounds found, the latest first. `more`: round behind which the search continues; None: there are no others."""

    rounds: tuple[RoundStory, ...]
    more: int | None


def find_rounds(journal: Path, query: RoundQuery, most: int, revisions: Revisions = NONE) -> FoundRounds:
    """Find rounds in the journal and its archives, at most `most`. Raises NoSuchRound, JournalError."""
    stories, last, looked = list[RoundStory](), None, 0
    for one in _rounds(journal, query):
        last, looked = one[0].round or 0, looked + len(one)
        short = summary_with(journal, one, revisions)
        if matches(query, one, short):
            stories.append(short)
        if len(stories) == most:
            return FoundRounds(tuple(stories), last)
    return FoundRounds(tuple(stories), last if last is not None and last > 1 and looked > NEARLY else None)


def _rounds(journal: Path, query: RoundQuery) -> Iterator[list[Record]]:
    """Yield the rounds opened in the time of a query, the latest first: each as its records of KINDS and its bets.

    If the clock was set back, that time is in several places of the record.
    """
    kinds = (*KINDS, *OF_BETS) if query.of_bets else KINDS
    end, left = _search_begin(journal, query), FAR
    for stretch in reversed(stretches_within(journal, query.since, query.until)):
        if stretch.first >= end or left <= 0:
            continue
        records = read_backwards(journal, min(end, _next_opening(journal, stretch.last)), kinds)
        for one in rounds_in(islice(takewhile(partial(_is_from, stretch.first), records), left)):
            left -= len(one)
            yield one


def _is_from(first: int, record: Record) -> bool:
    return record.seq >= first


def _search_begin(journal: Path, query: RoundQuery) -> int:
    """Record before which the search begins."""
    if query.before is None:
        return head_of(journal).seq + 1
    seq = opening_seq(journal, query.before)
    if seq is None:
        raise NoSuchRound(query.before)
    return seq


def _next_opening(journal: Path, after: int) -> int:
    """Number of the record that opened the next round; the end of the journal if there is none."""
    try:
        opened = next(iter(read(journal, after, ("opened",))), None)
    except Damaged:
        return after + 1  # an archive is missing there; the rounds before it can still be found
    return head_of(journal).seq + 1 if opened is None else opened.seq


def matches(query: RoundQuery, records: Sequence[Record], short: RoundStory) -> bool:
    """True if a round matches. `records`: of its bets and of KINDS, in order; `short`: the round in short."""
    if query.bet is not None and not _has_id(records[0], round_of(query.bet)):
        return False
    if query.how is not None and not _is(query.how, short):
        return False
    if query.fault is not None and query.fault not in short.faults:
        return False
    if query.winner is not None and (short.outcome or {}).get("winner") != query.winner:
        return False
    return not query.of_bets or _has_bet(query, records)


def _has_id(opened: Record, round_id: str) -> bool:
    return isinstance(opened.what, r.Opened) and opened.what.round_id == round_id != ""


def _is(how: Way, short: RoundStory) -> bool:
    if how == "disputed":
        return short.disputed
    return short.revision > 0 if how == "resettled" else short.end == how


def _has_bet(query: RoundQuery, records: Sequence[Record]) -> bool:
    """True if one bet of the round matches all that is asked about bets."""
    return any(
        (query.player is None or bet.player == query.player)
        and (query.least is None or bet.stake >= query.least)
        and (query.most is None or bet.stake <= query.most)
        for bet in bets_of(records)
    )
