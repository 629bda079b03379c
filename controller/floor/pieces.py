"""Figures of a table in pieces that can be added up: of an hour, cut where a shift begins, of one dealer and one game.

They are counted by the code of `tablectl journal stats`, so that a floor's numbers are those of the journals. A table's
records come in their order, each once; what they leave open is kept beside the figures.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec import Struct, field

from ..accounts.open_time import HOUR, OpenTime
from ..config.shifts import ShiftsSection, shift_at
from ..core import records as r
from ..core.clock import Time
from ..core.records import Record
from ..reports.begun import Begun
from ..reports.counting import Counting
from ..reports.figures import Figures
from ..reports.statistics import NOBODY, Statistics

COUNTED = frozenset({"all", "device", "fault"})  # whose figures are kept: with these all others are added up


class Key(NamedTuple):
    """Of which piece. `part`: what is counted behind a record is taken back with all parts from there on; `by`, `name`:
    whose figures it has, as `journal stats` has them."""

    part: int
    since: Time
    dealer: str
    game: str
    by: str
    name: str


class Played(Struct):
    """A round that was opened: in which piece, under whom, of which game; whether a fault stopped it."""

    number: int
    since: Time
    dealer: str
    game: str
    stopped: bool = False


class Standing(Struct):
    """Where the counting of a record has come to. `part`: the record behind which the present hour began; `round`:
    the last that was opened, until it is void; `ends`: the last record that counts, where those behind it were lost."""

    seq: int = 0
    part: int = 0
    piece: Time = -1
    ends: int | None = None
    game: str = ""
    open: OpenTime = field(default_factory=OpenTime)
    round: Played | None = None
    begun: Begun = field(default_factory=Begun)


class Pieces:
    """Takes the records of one table, and says what they come to."""

    def __init__(self, table: str, standing: Standing, shifts: ShiftsSection) -> None:
        self.standing, self._table, self._shifts = standing, table, shifts
        self.began: list[tuple[int, bytes]] = []  # parts, with how it stood before each
        self._statistics: dict[tuple[int, Time, str, str], tuple[Statistics, Counting]] = {}

    def take(self, record: Record) -> None:
        """The next one."""
        now, piece = self.standing, cut(record.at, self._shifts)
        if piece != now.piece:
            self.began.append((now.seq, msgspec.json.encode(now)))
            now.part, now.piece = now.seq, piece
        if isinstance(record.what, r.Opened | r.Configured):
            now.game = record.what.game
        self._was_open(record)
        self._of(piece, record.dealer or NOBODY, now.game)[1].take(record)
        self._went(record)
        now.seq = record.seq

    def _of(self, since: Time, dealer: str, game: str) -> tuple[Statistics, Counting]:
        key = self.standing.part, since, dealer, game
        found = self._statistics.get(key)
        if found is None:
            statistics = Statistics()
            found = self._statistics[key] = statistics, Counting(statistics, {self._table: self.standing.begun})
        return found

    def _went(self, record: Record) -> None:
        """Whether its round was stopped, or is void: that counts where the round was opened, so that it is a share."""
        now = self.standing
        match record.what:
            case r.Opened():
                of = Played(record.round or 0, now.piece, record.dealer or NOBODY, now.game)
                now.round = None if record.training else of
            case r.Faulted() if now.round and record.round == now.round.number and not now.round.stopped:
                now.round.stopped = True
                self._count(now.round, "stopped")
            case r.Cancelled() if now.round and record.round == now.round.number:
                self._count(now.round, "void")
                now.round = None

    def _count(self, of: Played, name: str) -> None:
        self._of(of.since, of.dealer, of.game)[0].of(("all", "")).counts[name] += 1

    def _was_open(self, record: Record) -> None:
        """Count the time that the table was open since the record before, piece by piece."""
        span = self.standing.open.take(record)
        for since, time in () if span is None else between(*span, self._shifts):
            self._of(since, record.dealer or NOBODY, self.standing.game)[0].of(("all", "")).counts["open"] += time

    def figures(self) -> Iterator[tuple[Key, Figures]]:
        """What there is of each."""
        for piece, (statistics, _) in self._statistics.items():
            for whose, figures in statistics.all_of_them.items():
                if whose[0] in COUNTED:
                    yield Key(*piece, *whose), figures


def between(since: Time, until: Time, shifts: ShiftsSection) -> Iterator[tuple[Time, Time]]:
    """The pieces that a time touches, and how much of it is in each."""
    while since < until:
        piece = cut(since, shifts)
        end = min(until, _next(since, shifts))
        yield piece, end - since
        since = end


def cut(at: Time, shifts: ShiftsSection) -> Time:
    """The beginning of the piece in which a time is."""
    cuts = _cuts(at // HOUR, shifts.minutes, shifts.zone)
    return cuts[bisect_right(cuts, at) - 1]


def _next(at: Time, shifts: ShiftsSection) -> Time:
    cuts = _cuts(at // HOUR, shifts.minutes, shifts.zone)
    place = bisect_right(cuts, at)
    return cuts[place] if place < len(cuts) else (at // HOUR + 1) * HOUR


@lru_cache(maxsize=1024)
def _cuts(hour: int, minutes: tuple[int, ...], zone: str) -> tuple[Time, ...]:
    """The hour's beginning, and where shifts begin in it."""
    begun, there = hour * HOUR, ShiftsSection(zone=zone).there
    cuts = [begun]
    while (until := shift_at(cuts[-1], minutes, there).until) < begun + HOUR:
        cuts.append(until)
    return tuple(cuts)
