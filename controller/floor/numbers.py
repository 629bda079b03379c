"""How tables, dealers, games and shifts do: rounds an hour, rounds stopped and void, how long people take, misreads.

The one rule: nothing is ranked on fewer rounds than `minimum`, and no share is told without how sure it is. A round is
counted once however many faults it has, so that a share of rounds is one. Training never counts.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ..config.shifts import ShiftsSection, shift_at
from ..core.clock import SECOND, Time
from ..reports.figures import Figures, Times
from .counted import Row
from .intervals import Share, share
from .pieces import HOUR

A_WHILE = 0.1  # hours that a table was open, below which rounds an hour say nothing
OF_NUMBERS = ("all", "device")  # whose figures are looked at
By = Literal["table", "dealer", "game", "shift"]


class Took(Struct, frozen=True):
    """How long something took, in seconds; null: it never came to it."""

    count: int
    median: float | None
    most: float | None  # what 95 of a hundred did not exceed


class Number(Struct, frozen=True):
    """The numbers of one of them. `rate`: rounds in an hour of the time open. `rank`: null where it has too few."""

    name: str
    rank: int | None
    rounds: int
    hours: float
    rate: float | None
    faults: int
    stopped: Share  # of all rounds
    voids: Share  # likewise
    acknowledged: Took
    ruled: Took
    misread: Share  # of all cards that a reader reported


class Device(Struct, frozen=True):
    """How well a reader reads."""

    name: str
    rank: int | None
    read: int
    unread: int
    corrected: int
    misread: Share


class Numbers(Struct, frozen=True):
    """Of a time. `few`: those that are not ranked."""

    by: By
    minimum: int
    whole: Number
    ranked: tuple[Number, ...]
    few: tuple[Number, ...]
    devices: tuple[Device, ...]


def numbers(rows: Iterable[Row], by: By, minimum: int, shifts: ShiftsSection) -> Numbers:
    """What these figures come to."""
    whole, each, devices = Figures(), dict[str, Figures](), dict[str, Figures]()
    name = naming(by, shifts)
    for row in rows:
        if row.key.by == "all":
            whole.join(row.kept)
            each.setdefault(name(row), Figures()).join(row.kept)
        elif row.key.by == "device":
            devices.setdefault(row.key.name, Figures()).join(row.kept)
    told = [number(name, figures) for name, figures in each.items() if figures.counts["rounds"]]
    enough = [one for one in told if one.rounds >= minimum]
    few = sorted((one for one in told if one.rounds < minimum), key=lambda one: one.name)
    readers = [device(name, figures) for name, figures in devices.items() if figures.counts["read"]]
    return Numbers(by, minimum, number("", whole), _ranked(enough), tuple(few), _readers(readers, minimum))


def naming(by: By, shifts: ShiftsSection) -> Callable[[Row], str]:
    """Whose figures are whose. A shift is named by when it begins and ends, as its clocks show it."""
    names: dict[Time, str] = {}

    def of_shift(row: Row) -> str:
        if row.key.since not in names:
            names[row.key.since] = str(shift_at(row.key.since, shifts.minutes, shifts.there))
        return names[row.key.since]

    ways: Mapping[By, Callable[[Row], str]] = {
        "table": lambda row: row.table,
        "dealer": lambda row: row.key.dealer,
        "game": lambda row: row.key.game,
        "shift": of_shift,
    }
    return ways[by]


def number(name: str, figures: Figures) -> Number:
    """Of one, not ranked yet."""
    counts = figures.counts
    rounds, hours = counts["rounds"], counts["open"] / HOUR
    return Number(
        name=name,
        rank=None,
        rounds=rounds,
        hours=hours,
        rate=rounds / hours if hours >= A_WHILE else None,
        faults=figures.faults.total(),
        stopped=share(min(counts["stopped"], rounds), rounds),
        voids=share(min(counts["cancelled"], rounds), rounds),
        acknowledged=took(figures.times["acknowledged"]),
        ruled=took(figures.times["ruled"]),
        misread=_misread(figures),
    )


def took(times: Times) -> Took:
    """In seconds."""
    middle, most = (None if at is None else at / SECOND for at in (times.median, times.nineteen_of_twenty))
    return Took(times.count, middle, most)


def device(name: str, figures: Figures) -> Device:
    """Of one reader, not ranked yet."""
    counts = figures.counts
    return Device(name, None, counts["read"], counts["unread"], counts["corrected"], _misread(figures))


def _misread(figures: Figures) -> Share:
    counts = figures.counts
    return share(min(counts["unread"] + counts["corrected"], counts["read"]), counts["read"])


def _ranked(those: Sequence[Number]) -> tuple[Number, ...]:
    """The one that is stopped most often first. Those alike have the same rank."""
    order = sorted(those, key=lambda one: (-(one.stopped.value or 0), one.name))
    values = [one.stopped.value for one in order]
    return tuple(replace(one, rank=values.index(one.stopped.value) + 1) for one in order)


def _readers(those: Sequence[Device], minimum: int) -> tuple[Device, ...]:
    order = sorted(those, key=lambda one: (one.read < minimum, -(one.misread.value or 0), one.name))
    values = [one.misread.value for one in order if one.read >= minimum]
    return tuple(
        replace(one, rank=values.index(one.misread.value) + 1) if one.read >= minimum else one for one in order
    )
