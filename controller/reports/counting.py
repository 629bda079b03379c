"""A record read into statistics: `tablectl journal stats`.

    rounds opened, settled (of them manual: with a card entered or corrected by hand), cancelled; disputed afterwards;
        settled anew, and what that has moved (`adjusted`): on the day when it was done, under the dealer of the round;
        those of training apart, and left out of all else
    cards out of the shoe, and of those that the reader reported: unread, and corrected (`accounts.card_reads`)
    paused: from the fault that stopped play until it went on or was cancelled; of a fault: while that one was open
    acknowledged, ruled: from a fault until a shift manager had seen it, and until the ruling on it
    away: how long a device was lost

What has not ended is not counted.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..accounts.card_reads import NO_CHANGE, READER_FAULTS, CardChange
from ..core import records as r
from ..core.clock import from_text
from .begun import Begun, Unruled
from .money_moved import MOVES, money_of
from .statistics import Statistics, Whose


class Counting:
    """Counts the records of a table, or of several, one by one."""

    def __init__(self, statistics: Statistics, begun: Mapping[str, Begun] | None = None) -> None:
        """`begun`: by table, what the records before these have left open."""
        self.records = 0
        self.begun: dict[str, Begun] = dict(begun or {})
        self._statistics = statistics

    def take(self, record: r.Record) -> None:
        """One more record. A kind that is not counted is passed over."""
        self.records += 1
        kind = type(record.what)
        count = _COUNTS.get(kind) if not record.training or kind in _EQUIPMENT else _TRAINING.get(kind)
        table = self.begun.get(record.table)
        if table is None:
            table = self.begun[record.table] = Begun()
        change = table.cards.take(record)
        if change is not NO_CHANGE:
            _cards(self._statistics, table, record, change)
        if count is not None:
            count(self._statistics, table, record, record.what)


# ── rounds and money ─────────────────────────────────────────────────────────────────────────────────────────────


def _opened(statistics: Statistics, _: Begun, record: r.Record, __: r.Opened) -> None:
    statistics.add(record, {"rounds": 1})


def _trained(statistics: Statistics, _: Begun, record: r.Record, __: r.Opened) -> None:
    statistics.add(record, {"training": 1})


def _settled(statistics: Statistics, _: Begun, record: r.Record, what: r.Settled) -> None:
    statistics.add(record, {"settled": 1, "manual": int(what.manual)})


def _cancelled(statistics: Statistics, table: Begun, record: r.Record, _: r.Cancelled) -> None:
    because = [("fault", table.fault.code)] if table.fault else []
    statistics.add(record, {"cancelled": 1}, *because)
    _goes_on(statistics, table, record, None)


def _counted(statistics: Statistics, _: Begun, record: r.Record, what: r.What) -> None:
    statistics.add(record, money_of(what))


def _disputed(statistics: Statistics, _: Begun, record: r.Record, __: r.Disputed) -> None:
    statistics.add(record, {"disputed": 1})


def _resettled(statistics: Statistics, _: Begun, record: r.Record, what: r.Resettled) -> None:
    statistics.add(record, {"resettled": 1, **money_of(what)})


# ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _cards(statistics: Statistics, table: Begun, record: r.Record, change: CardChange) -> None:
    if change.cards:
        statistics.add(record, {"cards": change.cards})
    if change.read or change.unread or change.corrected:
        counts = {"read": change.read, "unread": change.unread, "corrected": change.corrected}
        statistics.add(record, counts, _device(table, record, "shoe"))


# ── faults and rulings ───────────────────────────────────────────────────────────────────────────────────────────


def _faulted(statistics: Statistics, table: Begun, record: r.Record, what: r.Faulted) -> None:
    started = record.at if table.paused is None else table.paused
    _over(statistics, table, record)
    table.fault, table.paused = Unruled(record.seq, record.at, what.code), started
    statistics.of(("fault", what.code)).counts["count"] += 1
    device = [_device(table, record, "shoe")] if what.code in READER_FAULTS else []
    for figures in statistics.whose(record, *device):
        figures.faults[what.code] += 1


def _over(statistics: Statistics, table: Begun, record: r.Record) -> None:
    """The fault that was open is ruled on: another may follow before play goes on."""
    if table.fault:
        statistics.of(("fault", table.fault.code)).times["paused"].add(record.at - table.fault.at)
    table.fault = None


def _goes_on(statistics: Statistics, table: Begun, record: r.Record, _: object) -> None:
    _over(statistics, table, record)
    if table.paused is not None:
        statistics.time(record, "paused", record.at - table.paused)
    table.paused = None


def _acknowledged(statistics: Statistics, table: Begun, record: r.Record, what: r.Acknowledged) -> None:
    fault = table.fault
    if fault and fault.seq == what.fault and not fault.seen:
        fault.seen = True
        statistics.time(record, "acknowledged", record.at - fault.at, ("fault", fault.code), ("manager", what.by))


def _ruled(statistics: Statistics, table: Begun, record: r.Record, what: r.Ruled) -> None:
    also: list[Whose] = [("manager", what.by)]
    fault = table.fault
    if fault and fault.seq == what.fault:
        also.append(("fault", fault.code))
        statistics.time(record, "ruled", record.at - fault.at, *also)
    for figures in statistics.whose(record, *also):
        figures.rulings[what.ruling] += 1


def _refused(statistics: Statistics, table: Begun, record: r.Record, what: r.RulingRefused) -> None:
    fault = [("fault", table.fault.code)] if table.fault and table.fault.seq == what.fault else []
    statistics.add(record, {"refused_rulings": 1}, ("manager", what.by), *fault)


# ── devices ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _lost(statistics: Statistics, table: Begun, record: r.Record, what: r.DeviceLost) -> None:
    table.lost[what.device] = record.at
    statistics.of(_device(table, record, what.device)).counts["lost"] += 1


def _found(statistics: Statistics, table: Begun, record: r.Record, what: r.DeviceFound) -> None:
    since = table.lost.pop(what.device, None)
    if since is not None:  # of the one that was lost, though another may stand in for it now
        statistics.of(_device(table, record, what.device)).times["away"].add(record.at - since)
    table.found[what.device] = what


def _clock_set(_: Statistics, table: Begun, _record: r.Record, what: r.ClockSet) -> None:
    """What has lasted until then has lasted as long as before."""
    step = from_text(what.to) - from_text(what.from_)
    table.lost = {device: since + step for device, since in table.lost.items()}


def _device(table: Begun, record: r.Record, device: str) -> Whose:
    return device_of(record.table, device, table.found.get(device))


def device_of(table: str, device: str, found: r.DeviceFound | None) -> Whose:
    """A device of a table, as it was found last; where it was changed for another one, each for itself.

    Its own number tells it, or the port it is at. On USB the address is another one each time it is plugged in.
    """
    which = ""
    if found is not None and found.serial:
        which = f" with serial number {found.serial}"
    elif found is not None and found.address and not found.address.startswith("usb "):
        which = f" at {found.address}"
    return "device", f"{device} of {table}{which}"


_COUNTS: Mapping[type, Callable[[Statistics, Begun, r.Record, Any], None]] = {
    r.Opened: _opened,
    r.Settled: _settled,
    r.Cancelled: _cancelled,
    r.Disputed: _disputed,
    r.Resettled: _resettled,
    r.Faulted: _faulted,
    r.Resumed: _goes_on,
    r.Acknowledged: _acknowledged,
    r.Ruled: _ruled,
    r.RulingRefused: _refused,
    r.DeviceLost: _lost,
    r.ClockSet: _clock_set,
    r.DeviceFound: _found,
    **dict.fromkeys(MOVES.keys() - {r.Resettled}, _counted),
}
_EQUIPMENT = frozenset({r.DeviceLost, r.DeviceFound})
_TRAINING: Mapping[type, Callable[[Statistics, Begun, r.Record, Any], None]] = {r.Opened: _trained}
