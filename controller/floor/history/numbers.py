"""Performance numbers of tables, dealers, games and shifts.

Rounds per hour, rounds stopped and cancelled, waiting times and misreads. Invariant: nothing is ranked on fewer rounds
than `minimum`, and no share is given without its interval. A round is counted once however many faults it has, so that
shares are shares of rounds. Training never counts.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from ...accounts.entry import CountedDevice
from ...accounts.open_time import HOUR, rounds_per_hour
from ...config.shifts import ShiftsSection, shift_at
from ...core.clock import SECOND, Time
from ...reports.figures import Times
from ...text.device_names import device_title
from ...text.faults import Words
from ...web.screens.report_words import NOTHING, span
from .course import Course, Slots, stopped_share, voids
from .figure_file import Column, Span
from .intervals import Share, share
from .sums import Brief, Sums, times

By = Literal["table", "dealer", "game", "shift"]
COLUMNS: Mapping[By, Column] = {"table": "table_", "dealer": "dealer", "game": "game", "shift": "table_"}


class WaitTimes(Struct, frozen=True):
    """Waiting times in seconds; `median` and `most` None: there was none. `text`: both, as a report writes them."""

    count: int
    median: float | None
    most: float | None  # 95th percentile
    text: str


class Number(Struct, frozen=True):
    """Numbers of one table, dealer, game or shift.

    `rate`: rounds per hour of open time; `rank`: None if there are too few rounds.
    """

    name: str
    rank: int | None
    rounds: int
    hours: float
    rate: float | None
    faults: int
    stopped: Share  # of all rounds
    voids: Share  # of all rounds
    acknowledged: WaitTimes
    ruled: WaitTimes
    misread: Share  # of all cards that a reader reported


class ReaderQuality(Struct, frozen=True):
    """Reading quality of one card reader. `rank`: None if it has read too few cards.

    `parts`: kind, table, port and serial number; None for figures that were stored without them.
    """

    name: str
    rank: int | None
    read: int
    unread: int
    corrected: int
    misread: Share
    parts: CountedDevice | None = None


class Numbers(Struct, frozen=True):
    """Numbers of a time span. `few`: names with too few rounds to be ranked."""

    by: By
    minimum: int
    whole: Number
    ranked: tuple[Number, ...]
    few: tuple[Number, ...]
    devices: tuple[ReaderQuality, ...]
    course: Course


class Briefs(Protocol):
    """Source of stored figures, implemented by `FigureFile`."""

    def briefs(self, by: Literal["all", "device"], column: Column, span: Span) -> Iterable[tuple[str, Time, Brief]]:
        """Yield brief figures of the pieces that begin in a time span."""

    def devices(self) -> Mapping[str, CountedDevice]:
        """Parts of the devices by the names in stored figures."""


def numbers(counted: Briefs, by: By, span: Span, minimum: int, shifts: ShiftsSection) -> Numbers:
    """Compute the numbers of a time span, grouped by `by`. Raises FloorFailed."""
    slots, shift = Slots(*span, shifts), cache(lambda at: str(shift_at(at, shifts.minutes, shifts.time_zone)))
    cells = defaultdict[tuple[str, Time], Sums](Sums)  # each figure is added to one cell, and cells to the totals
    devices = defaultdict[str, Sums](Sums)
    for whose, at, brief in counted.briefs("all", COLUMNS[by], span):
        cells[shift(at) if by == "shift" else whose, slots.of(at)].add(brief)
    for name, _, brief in counted.briefs("device", "name", span):
        devices[name].add(brief)
    whole, each, points = Sums(), defaultdict[str, Sums](Sums), defaultdict[Time, Sums](Sums)
    for (name, slot), cell in cells.items():
        for sums in (whole, each[name], points[slot]):
            sums.join(cell)
    groups = [number(name, sums) for name, sums in each.items() if sums.counts.rounds]
    enough = [one for one in groups if one.rounds >= minimum]
    few = sorted((one for one in groups if one.rounds < minimum), key=lambda one: one.name)
    parts = counted.devices()
    readers = [replace(device(name, sums), parts=parts.get(name)) for name, sums in devices.items() if sums.counts.read]
    return Numbers(
        by,
        minimum,
        number("", whole),
        _with_ranks(enough),
        tuple(few),
        _readers(readers, minimum),
        slots.course(points),
    )


def number(name: str, sums: Sums) -> Number:
    """Compute the numbers of one name, without a rank."""
    rounds = sums.counts.rounds
    return Number(
        name=name,
        rank=None,
        rounds=rounds,
        hours=sums.counts.open / HOUR,
        rate=rounds_per_hour(rounds, sums.counts.open),
        faults=sums.faults,
        stopped=stopped_share(sums),
        voids=voids(sums),
        acknowledged=wait_times(times(sums.acknowledged)),
        ruled=wait_times(times(sums.ruled)),
        misread=_misread(sums),
    )


def wait_times(times: Times) -> WaitTimes:
    """Convert waiting times to seconds."""
    middle, most = (None if at is None else at / SECOND for at in (times.median, times.nineteen_of_twenty))
    return WaitTimes(times.count, middle, most, f"{span(middle)} · {span(most)}" if times.count else NOTHING)


def device(name: str, sums: Sums) -> ReaderQuality:
    """Compute the numbers of one card reader, without a rank."""
    return ReaderQuality(name, None, sums.counts.read, sums.counts.unread, sums.counts.corrected, _misread(sums))


def reader_name(one: ReaderQuality, words: Words) -> str:
    """Name of a card reader in a reader's language; figures without its parts have its stored name."""
    return one.name if one.parts is None else device_title(one.parts, words, with_table=True)


def _misread(sums: Sums) -> Share:
    return share(sums.counts.unread + sums.counts.corrected, sums.counts.read)


def _with_ranks(those: Sequence[Number]) -> tuple[Number, ...]:
    """Rank by the share of stopped rounds, highest first; equal shares have equal ranks."""
    order = sorted(those, key=lambda one: (-(one.stopped.value or 0), one.name))
    values = [one.stopped.value for one in order]
    return tuple(replace(one, rank=values.index(one.stopped.value) + 1) for one in order)


def _readers(those: Sequence[ReaderQuality], minimum: int) -> tuple[ReaderQuality, ...]:
    order = sorted(those, key=lambda one: (one.read < minimum, -(one.misread.value or 0), one.name))
    values = [one.misread.value for one in order if one.read >= minimum]
    return tuple(
        replace(one, rank=values.index(one.misread.value) + 1) if one.read >= minimum else one for one in order
    )
