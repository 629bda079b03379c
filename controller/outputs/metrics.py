"""What a monitoring system is told of a table, in the format of Prometheus: how often, how long, and where it stands.

Numbers only. No card, no stake and nobody's name is in it, so that anybody may read it. What is counted
is counted from the start of the program; all else is read from the state when somebody asks. Training is not counted.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ..core import records as r
from ..core.clock import SECOND, Time
from ..core.fault_catalogue import CATALOGUE
from ..core.life import STATES
from ..core.records import Record
from ..core.state import State
from ..journal import JournalError
from ..table.loop import Table
from ..table.ntp import ntp
from .keeping import Custody
from .timed import Timed

RULINGS = sorted({ruling for entry in CATALOGUE.values() for ruling in entry.rulings})


class Counted(NamedTuple):
    """Something that is counted, under one label whose values are known beforehand."""

    says: str
    label: str
    values: Collection[str]


COUNTED: Mapping[str, Counted] = {
    "rounds": Counted("Rounds that have ended.", "end", ("settled", "cancelled")),
    "cards": Counted(
        "Cards that came out of the shoe: read by it, or entered by hand.", "source", ("reader", "manual")
    ),
    "misreads": Counted("Cards that the shoe could not read, or read as another.", "what", ("unread", "corrected")),
    "faults": Counted("Faults, by code.", "code", tuple(CATALOGUE)),
    "rulings": Counted("Rulings of shift managers.", "ruling", RULINGS),
    "bets": Counted("Bets that were answered.", "verdict", ("accepted", "refused")),
}
_COUNTS: Mapping[type, Callable[[Any], tuple[str, str]]] = {
    r.Settled: lambda _: ("rounds", "settled"),
    r.Cancelled: lambda _: ("rounds", "cancelled"),
    r.Faulted: lambda what: ("faults", what.code),
    r.Ruled: lambda what: ("rulings", what.ruling),
    r.BetAccepted: lambda _: ("bets", "accepted"),
    r.BetRefused: lambda _: ("bets", "refused"),
}
_ENDS = (r.Settled, r.Cancelled)


class Surroundings(NamedTuple):
    """What there is to be told beside the table itself: its devices, the alerts that wait, by target, its record."""

    devices: Collection[str] = ()
    queued: Callable[[], Mapping[str, int]] = dict  # called in a thread; raises JournalError
    custody: Custody | None = None


class Metrics:
    """Hears a table, whose journal this is."""

    def __init__(self, table: Table, journal: Timed, around: Surroundings) -> None:
        self._table, self._journal, self._around = table, journal, around
        self._now = table.now
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in COUNTED}
        self._round, self._draws = table.state.round.number, len(table.state.round.draws)
        self._paused: Time = 0  # in pauses that are over
        self._since = self._now() if table.state.life == "paused" else None
        self._process = ProcessCollector(registry=None)
        self._counting = asyncio.Lock()
        table.subscribe(self.hear)

    def hear(self, table: Table, records: Sequence[Record]) -> None:
        """These are durable."""
        for record in records:
            self._count(table.state, record)
        if records:
            self._see_draws(table.state, training=records[-1].training)
            self._see_pause(table.state)

    def _count(self, state: State, record: Record) -> None:
        what = record.what
        meaning = None if record.training else _COUNTS.get(type(what))
        if meaning is not None:
            name, value = meaning(what)
            self._counts[name][value] += 1
        if isinstance(what, _ENDS) and not record.training:
            wrong = sum(draw.source == "reader" and draw.read not in (None, draw.card) for draw in state.round.draws)
            self._counts["misreads"]["corrected"] += wrong
        if isinstance(what, r.Burnt) and state.shoe.changing:
            self._came("reader", read=what.card is not None)

    def _see_draws(self, state: State, *, training: bool) -> None:
        """Every draw has a number and stays; a round begins with none."""
        draws = state.round.draws
        seen = self._draws if state.round.number == self._round else 0
        self._round, self._draws = state.round.number, len(draws)
        for draw in () if training else draws[seen:]:
            if draw.source != "carried":
                self._came(draw.source, read=draw.read is not None)

    def _came(self, source: str, *, read: bool) -> None:
        self._counts["cards"][source] += 1
        self._counts["misreads"]["unread"] += not read

    def _see_pause(self, state: State) -> None:
        if state.life == "paused":
            self._since = state.at if self._since is None else self._since
        elif self._since is not None:
            self._paused += max(0, state.at - self._since)
            self._since = None

    # ── telling ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def text(self, connections: int, troubles: Mapping[str, str | None]) -> bytes:
        """All of it, now. `troubles`: of the pages, by what may have one."""
        queued = await self._queued()
        registry = CollectorRegistry()
        here = (*self._counters(), *self._gauges(), *self._clocks(), *self._of_the_record())
        families = [*here, *self._at_the_doors(connections, queued, troubles)]
        for collector in (_Made(families), self._journal.histogram, self._process):
            registry.register(collector)
        return generate_latest(registry)

    async def _queued(self) -> Mapping[str, int]:
        """Counted by one thread at a time, however many ask; where the record cannot be read nothing is said."""
        async with self._counting:
            try:
                return await asyncio.to_thread(self._around.queued)
            except JournalError:
                return {}

    def _counters(self) -> Iterator[Metric]:
        for name, counted in COUNTED.items():
            numbers = {value: self._counts[name][value] for value in (*counted.values, *self._counts[name])}
            yield self._filled(CounterMetricFamily, name, counted.says, numbers, counted.label)
        paused = self._paused + (0 if self._since is None else max(0, self._now() - self._since))
        says = "Seconds for which play was stopped by a fault, the pause that is on included."
        yield self._filled(CounterMetricFamily, "paused_seconds", says, {"": paused / SECOND})

    def _gauges(self) -> Iterator[Metric]:
        state, gauge = self._table.state, GaugeMetricFamily
        lives = {str(life): int(life == state.life) for life in STATES}
        present = {name: int(name not in state.lost) for name in (*self._around.devices, *state.lost)}
        yield self._filled(gauge, "life", "Where the round stands: 1 for that state.", lives, "state")
        yield self._filled(gauge, "open", "1 while the table is open for play.", {"": int(state.open)})
        halted = int(self._table.halted is not None)
        yield self._filled(gauge, "halted", "1 while the record cannot be written.", {"": halted})
        yield self._filled(gauge, "device_present", "1 for a device that is there.", present, "device")
        yield self._filled(gauge, "record_seq", "The number of the last record.", {"": self._journal.head.seq})
        yield self._filled(gauge, "round", "The number of the round that is on, or was.", {"": state.round.number})
        left = state.shoe.size - state.shoe.out
        yield self._filled(gauge, "shoe_cards_left", "Cards left in the shoe, by its past.", {"": left})

    def _of_the_record(self) -> Iterator[Metric]:
        gauge, custody = GaugeMetricFamily, self._around.custody
        if custody is None:
            return
        kept, troubled = custody.kept, {what: int(says is not None) for what, says in custody.troubles.items()}
        yield self._filled(gauge, "record_trouble", "1 for what is wrong with the record.", troubled, "what")
        says = "The number of the record from which on it does not stand; 0: it stands."
        yield self._filled(gauge, "record_damaged", says, {"": kept.damaged or 0})
        if kept.at is not None:
            verified = {"": kept.at / SECOND}
            yield self._filled(gauge, "record_verified_seconds", "When all of it was verified last.", verified)
        if kept.anchored is not None:
            says = "The number of the record that the anchor remembers."
            yield self._filled(gauge, "record_anchored", says, {"": kept.anchored})

    def _clocks(self) -> Iterator[Metric]:
        kept, gauge = ntp(), GaugeMetricFamily
        told = (
            ("synchronised", "1 while NTP keeps the PC's clock; none where that is not known.", kept.synchronised),
            ("offset_seconds", "What is still to be made up for by NTP.", kept.offset),
            ("max_error_seconds", "By how much the PC's clock may be wrong.", kept.max_error),
            (
                "step_seconds",
                "By how much the PC's clock was set and is not yet followed.",
                self._table.behind / SECOND,
            ),
        )
        for name, says, value in told:
            yield self._filled(gauge, f"clock_{name}", says, {} if value is None else {"": float(value)})

    def _at_the_doors(
        self, connections: int, queued: Mapping[str, int], troubles: Mapping[str, str | None]
    ) -> Iterator[Metric]:
        gauge, troubled = GaugeMetricFamily, {what: int(trouble is not None) for what, trouble in troubles.items()}
        yield self._filled(gauge, "pages_trouble", "1 for what keeps people from the pages.", troubled, "what")
        yield self._filled(gauge, "connections", "Connections that are open at the table's doors.", {"": connections})
        yield self._filled(gauge, "alerts_queued", "Alerts that wait to be delivered.", queued, "target")

    def _filled(
        self,
        family: type[CounterMetricFamily] | type[GaugeMetricFamily],
        name: str,
        says: str,
        numbers: Mapping[str, float],
        label: str = "",
    ) -> Metric:
        made = family(f"tablectl_{name}", says, labels=["table", *filter(None, [label])])
        for value, number in numbers.items():
            made.add_metric([self._table.house.table, *filter(None, [value])], number)
        return made


class _Made(Collector):
    """Metrics that are there already."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        """They."""
        return self._families
