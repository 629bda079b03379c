"""Rounds of a table and their timelines, read from the record for the shift manager.

The timelines are made from the shift manager's view, which contains no hidden card. Only the records of the requested
rounds are read, however long the journal is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ..accounts.rounds import round_of
from ..core import records as r
from ..core.causes import VoidReason
from ..core.clock import SECOND, to_text
from ..core.coded_message import coded
from ..core.records import Record
from ..core.state import Revision
from ..core.withholding import withhold
from ..journal import head_of, opening_seq, read, read_backwards, record_at
from ..text.coded import WithMessage
from ..text.records import QUIET
from .sheet_bets import bets_of, players_of

MOST = 50  # rounds in one answer
FAR = 20_000  # records of KINDS that are searched for a list, and records of a round in its timeline
KINDS = ("opened", "settled", "cancelled", "disputed", "faulted", "resumed")
SUMMED = frozenset({"bet_accepted", "paid", "refunded"})  # consecutive records of one of these kinds are one line
Revisions: TypeAlias = Mapping[int, Revision]
NONE: Revisions = {}
Tell: TypeAlias = Callable[[str, Sequence[Record]], str]  # game and records of one event -> line of the timeline


class RoundStory(Struct, frozen=True):
    """Summary of one round."""

    round: int
    opened: str
    game: str
    dealer: str | None
    end: str  # settled, cancelled, or live
    outcome: dict[str, Any] | None
    because: str | None  # reason why the round was cancelled
    why: VoidReason | None  # the same reason as data
    faults: tuple[str, ...]  # codes of its faults
    manual: bool
    training: bool
    disputed: bool
    paused: float  # seconds of all pauses that are over
    revision: int = 0  # how many times it was settled anew; `outcome` is the latest
    resettled: str | None = None  # time of the last resettlement


class StoryLine(Struct, frozen=True):
    """Line of a timeline. `after`: seconds since the round was opened."""

    seq: int
    at: str
    after: float
    kind: str
    text: str


class Story(Struct, frozen=True):
    """Timeline of one round. `cut`: lines were left out; `players`: in the order of their first bet.

    `resettled`: records that settled it anew.
    """

    round: RoundStory
    lines: tuple[StoryLine, ...]
    cut: bool
    players: tuple[str, ...] = ()
    resettled: tuple[Record, ...] = ()


class NoSuchRound(WithMessage):
    """Round that is neither in the journal nor in the archives beside it."""

    def __init__(self, number: int) -> None:
        super().__init__(coded("round_not_recorded", number=number))


def rounds(journal: Path, before: int | None, count: int, revisions: Revisions = NONE) -> list[RoundStory]:
    """Return up to `count` rounds before round `before`, the latest first. Raises NoSuchRound, JournalError.

    `revisions`: those of rounds that were settled anew, as the table knows them.
    """
    start = head_of(journal).seq + 1
    if before is not None:
        seq = opening_seq(journal, before)
        if seq is None:
            raise NoSuchRound(before)
        start = seq
    latest = islice(rounds_in(islice(read_backwards(journal, start, KINDS), FAR)), count)
    return [summary_with(journal, one, revisions) for one in latest]


def summary_with(journal: Path, records: Sequence[Record], revisions: Revisions) -> RoundStory:
    """Summarise a round, with its resettlements from the journal. Raises JournalError."""
    return summary([*records, *_resettlements(journal, revisions.get(records[0].round or 0))])


def rounds_in(latest_first: Iterable[Record]) -> Iterator[list[Record]]:
    """Records of each round, in order, the latest round first."""
    of_round: list[Record] = []
    for record in latest_first:
        if record.round is None:
            continue
        of_round.append(record)
        if isinstance(record.what, r.Opened):
            yield of_round[::-1]
            of_round = []


def _resettlements(journal: Path, revision: Revision | None) -> list[Record]:
    """Records by which a round was settled anew, in order. Raises JournalError."""
    records: list[Record] = []
    seq = None if revision is None else revision.seq
    while seq is not None:
        record = record_at(journal, seq)
        what, seq = record.what, None
        if isinstance(what, r.Resettled):
            record, seq = replace(record, what=what.whole_record), what.replaces
        records.append(record)
    return records[::-1]


def story(journal: Path, number: int, tell: Tell, revisions: Revisions = NONE) -> Story:
    """Compose the timeline of a round, with lines written by `tell`, which gets no withheld card.

    `revisions`: those of rounds that were settled anew, as the table knows them. Raises NoSuchRound, JournalError.
    """
    return compose_story(records_of(journal, number, revisions), tell)


def records_of(journal: Path, number: int, revisions: Revisions = NONE) -> list[Record]:
    """Return at most FAR + 1 records of a round in order, then its resettlements. Raises NoSuchRound, JournalError."""
    start = opening_seq(journal, number)
    if start is None:
        raise NoSuchRound(number)
    since = takewhile(lambda record: _is_within(record, number), read(journal, start - 1))
    records = [one for one in islice(since, FAR + 1) if one.round == number and one.kind not in r.AFTERWARDS]
    return [*records, *_resettlements(journal, revisions.get(number))]


def _is_within(record: Record, number: int) -> bool:
    return record.round in (None, number) or record.kind in r.AFTERWARDS


def compose_story(records: Sequence[Record], tell: Tell) -> Story:
    """Compose the timeline of a round from its records; the first one must have opened it."""
    resettled = tuple(record for record in records if isinstance(record.what, r.Resettled))
    short = summary(records)
    lines = tuple(_lines(records[:FAR], short.game, tell))
    return Story(short, lines, len(records) > FAR, players_of(bets_of(records)), resettled)


def summary(records: Iterable[Record]) -> RoundStory:
    """Summarise a round as it is settled now, from its records in order; the first one must have opened it."""
    one = round_of(records)
    if one is None:
        raise TypeError("expected the records of a round, the one that opened it first")
    return RoundStory(
        round=one.number,
        opened=to_text(one.opening.at),
        game=one.opened.game,
        dealer=one.opening.dealer,
        end=one.end,
        outcome=one.outcome,
        because=one.void_reason,
        why=one.why,
        faults=tuple(one.faults),
        manual=one.figures["manual"] > 0,
        training=one.opening.training,
        disputed=one.figures["disputed"] > 0,
        paused=one.figures["paused"] / SECOND,
        revision=one.revision,
        resettled=None if one.resettled is None else to_text(one.resettled),
    )


# ── a round's lines ──────────────────────────────────────────────────────────────────────────────────────────────


def _lines(records: Sequence[Record], game: str, tell: Tell) -> Iterator[StoryLine]:
    start = records[0].at
    for group in _group_records(records):
        first = group[0]
        text = tell(game, [replace(record, what=withhold(record.what)) for record in group])
        yield StoryLine(first.seq, to_text(first.at), (first.at - start) / SECOND, first.kind, text)


def _group_records(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield each record as a list of its own, and consecutive records of one kind of money as one list."""
    group: list[Record] = []
    for record in records:
        if record.kind in QUIET:
            continue
        if group and not (record.kind in SUMMED and record.kind == group[0].kind):
            yield group
            group = []
        group.append(record)
    if group:
        yield group
