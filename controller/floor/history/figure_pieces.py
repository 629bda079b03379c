"""Figures of a table in pieces that can be added up: one hour, shift, dealer and game each.

A piece ends where a shift begins. Figures are the accounts' (`controller.accounts`), as those of `tablectl journal
stats` are. A table's records come in order, each once; unfinished rounds, faults and times are stored beside the
figures. An entry that belongs to another time, such as the difference of a resettlement, is added to the piece of that
time.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec import Struct, field

from ...accounts.entry import CountedDevice
from ...accounts.ledger import Ledger
from ...accounts.open_time import HOUR, OpenTime
from ...config.shifts import ShiftsSection, hour_at, shift_at
from ...core import records as r
from ...core.clock import Time
from ...core.records import Record
from ...reports.figures import Figures
from ...reports.statistics import NOBODY, Statistics, name_of

COUNTED = frozenset({"all", "device", "fault", "currency"})  # kinds of groups that are stored; others are their sums


class FigureKey(NamedTuple):
    """Key of the figures of one piece.

    `part`: record number; a loss takes back the figures of all parts from some record on.
    `by`, `name`: kind and name of the group, as in `journal stats`.
    """

    part: int
    since: Time
    dealer: str
    game: str
    by: str
    name: str


class CountingState(Struct):
    """State of the counting of one epoch.

    `seq`: last counted record; `part`: record behind which the present hour began;
    `ends`: last record that counts, if later ones were lost.
    """

    seq: int = 0
    part: int = 0
    piece: Time = -1
    ends: int | None = None
    game: str = ""
    open: OpenTime = field(default_factory=OpenTime)
    ledger: Ledger = field(default_factory=Ledger)


class Pieces:
    """Counts the records of one table, in order, into figures by piece."""

    def __init__(self, standing: CountingState, shifts: ShiftsSection) -> None:
        self.standing, self._shifts = standing, shifts
        self.began: list[tuple[int, bytes]] = []  # parts, each with the standing before it
        self._statistics: dict[tuple[int, Time, str, str], Statistics] = {}

    def take(self, record: Record) -> None:
        """Count the next record of the table."""
        now, piece = self.standing, piece_begin(record.at, self._shifts)
        if piece != now.piece:
            self.began.append((now.seq, msgspec.json.encode(now)))
            now.part, now.piece = now.seq, piece
        if isinstance(record.what, r.Opened | r.Configured):
            now.game = record.what.game
        self._was_open(record)
        for entry in now.ledger.take(record):
            at, dealer = entry.belongs or (record.at, record.dealer)
            self._statistics_of(piece_begin(at, self._shifts), dealer).enter(record, entry)
        now.seq = record.seq

    def _statistics_of(self, since: Time, dealer: str | None) -> Statistics:
        key = self.standing.part, since, dealer or NOBODY, self.standing.game
        statistics = self._statistics.get(key)
        if statistics is None:
            statistics = self._statistics[key] = Statistics()
        return statistics

    def _was_open(self, record: Record) -> None:
        """Count the time that the table was open since the record before, piece by piece."""
        span = self.standing.open.take(record)
        for since, time in () if span is None else pieces_between(*span, self._shifts):
            self._statistics_of(since, record.dealer).figures_of(("all", "")).counts["open"] += time

    def figures(self) -> Iterator[tuple[FigureKey, Figures]]:
        """Yield the figures of all pieces, for the kinds of groups in COUNTED."""
        for piece, statistics in self._statistics.items():
            for group, figures in statistics.figures_by_group.items():
                if group[0] in COUNTED:
                    yield FigureKey(*piece, group[0], name_of(group)), figures

    def devices(self) -> Iterator[tuple[str, CountedDevice]]:
        """Yield the devices that have figures, with the names in their keys."""
        for statistics in self._statistics.values():
            for group in statistics.figures_by_group:
                if isinstance(group[1], CountedDevice):
                    yield name_of(group), group[1]


def pieces_between(since: Time, until: Time, shifts: ShiftsSection) -> Iterator[tuple[Time, Time]]:
    """Yield the pieces that a time span touches, and the time of the span within each."""
    while since < until:
        piece = piece_begin(since, shifts)
        end = min(until, _next(since, shifts))
        yield piece, end - since
        since = end


def piece_begin(at: Time, shifts: ShiftsSection) -> Time:
    """Return the beginning of the piece that contains a time."""
    cuts = _cuts(hour_at(at, shifts.time_zone), shifts.minutes, shifts.zone)
    return cuts[bisect_right(cuts, at) - 1]


def _next(at: Time, shifts: ShiftsSection) -> Time:
    cuts = _cuts(hour_at(at, shifts.time_zone), shifts.minutes, shifts.zone)
    index = bisect_right(cuts, at)
    return cuts[index] if index < len(cuts) else cuts[0] + HOUR


@lru_cache(maxsize=1024)
def _cuts(begun: Time, minutes: tuple[int, ...], zone: str) -> tuple[Time, ...]:
    """Beginning of an hour of the studio's clocks, and beginnings of shifts within it."""
    cuts, tz = [begun], ShiftsSection(zone=zone).time_zone
    while (until := shift_at(cuts[-1], minutes, tz).until) < begun + HOUR:
        cuts.append(until)
    return tuple(cuts)
