"""Metrics of a table in the format of Prometheus: counts, durations and present values.

They are numbers only, without cards, stakes or names, so anybody may read them; total stakes and returns are only for
callers that the table knows. Counts begin at the start of the program; all other values are read from the state on
request. Training is not counted.
"""

import asyncio
import platform
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import Metric

from ..accounts.figures import FIGURES
from ..core.clock import SECOND
from ..core.currency import to_amount
from ..core.exposure import exposure
from ..core.life import STATES
from ..core.records import Record
from ..journal import JournalError
from ..table.loop import Table
from ..table.ntp import ntp
from .counts import COUNTED, MONEY, TableCounts
from .custody_status import CustodyStatus
from .families import Families, ReadyMetrics
from .timed_journal import TimedJournal
from .web_metrics import WebState


class MetricSources(NamedTuple):
    """Sources of metrics beside the table itself: its devices, its journal and waiting alerts.

    `queued`: returns the number of waiting alerts by target.
    """

    devices: Collection[str] = ()
    queued: Callable[[], Mapping[str, int]] = dict  # called in a thread; raises JournalError
    custody: CustodyStatus | None = None


class Metrics:
    """Metrics of one table and its journal."""

    def __init__(self, table: Table, journal: TimedJournal, around: MetricSources) -> None:
        self._table, self._journal, self._around = table, journal, around
        self._counts = TableCounts(table.house.table, table.state, table.now())
        self._families = Families(table.house.table)
        self._process = ProcessCollector(registry=None)
        self._counting = asyncio.Lock()
        table.subscribe(self.hear)

    def hear(self, _: Table, records: Sequence[Record]) -> None:
        """Count records, which must be durable."""
        self._counts.hear(records)

    async def text(self, web_state: WebState, *, money: bool = False) -> bytes:
        """Return all metrics as text. `money`: with total stakes and returns."""
        queued = await self._count_queued()
        families = [*self._counters(), *self._gauges(), *self._clocks(), *self._record_metrics()]
        families += [*web_state.metrics(self._families), *self._money_families(with_money=money)]
        families += self._exposure(with_money=money)
        families.append(self._families.gauge("alerts_queued", queued, "target"))
        registry = CollectorRegistry()
        for collector in (ReadyMetrics(families), self._journal.histogram, *self._counts.waits.values(), self._process):
            registry.register(collector)
        if web_state.requests is not None:
            registry.register(web_state.requests)
        return generate_latest(registry)

    async def _count_queued(self) -> Mapping[str, int]:
        """Count waiting alerts in a thread, one count at a time; empty if the journal cannot be read."""
        async with self._counting:
            try:
                return await asyncio.to_thread(self._around.queued)
            except JournalError:
                return {}

    def _counters(self) -> Iterator[Metric]:
        counter, counts = self._families.counter, self._counts
        for name, counted in COUNTED.items():
            numbers = {value: counts.by[name][value] for value in (*counted.values, *counts.by[name])}
            yield counter(name, numbers, counted.label)
        yield counter("refusals", counts.refusals, "what", "reason")
        yield counter("paused_seconds", {(): counts.pause_time(self._table.now()) / SECOND})

    def _money_families(self, *, with_money: bool) -> Iterator[Metric]:
        house = self._table.house
        for name in MONEY if with_money else ():
            amount = {house.currency: float(to_amount(self._counts.money[name], house.currency))}
            yield self._families.counter(FIGURES[name].shown["metrics"], amount, "currency")

    def _exposure(self, *, with_money: bool) -> Iterator[Metric]:
        """Exposure of the live round and whether its warning has come. `with_money`: with the amount."""
        state, house, one = self._table.state, self._table.house, self._families.single_gauge
        live = state.live and not state.round.terms.training
        most = exposure(house.game, state.round, house.currency) if live else 0
        if with_money and most is not None:
            amount = {house.currency: float(to_amount(most, house.currency))}
            yield self._families.gauge("exposure_money", amount, "currency")
        yield one("exposure_warned", int(live and state.round.exposed))

    def _gauges(self) -> Iterator[Metric]:
        state, house = self._table.state, self._table.house
        gauge, one = self._families.gauge, self._families.single_gauge
        lives = {str(life): int(life == state.life) for life in STATES}
        present = {name: int(name not in state.lost) for name in (*self._around.devices, *state.lost)}
        about = (house.program, house.game.name, house.game.version, platform.python_version())
        labels = ("version", "game", "sheet", "python")
        yield gauge("build_info", {about: 1}, *labels)
        yield gauge("life", lives, "state")
        yield one("open", int(state.open))
        yield one("halted", int(self._table.halted is not None))
        yield gauge("device_present", present, "device")
        yield one("record_seq", self._journal.head.seq)
        yield one("round", state.round.number)
        yield one("shoe_cards_left", state.shoe.shown_cards_left)

    def _record_metrics(self) -> Iterator[Metric]:
        one, custody = self._families.single_gauge, self._around.custody
        if custody is None:
            return
        progress, troubled = custody.progress, {what: int(says is not None) for what, says in custody.troubles.items()}
        yield self._families.gauge("record_trouble", troubled, "what")
        yield one("record_damaged", progress.damaged or 0)
        if progress.at is not None:
            yield one("record_verified_seconds", progress.at / SECOND)
        if progress.anchored is not None:
            yield one("record_anchored", progress.anchored)

    def _clocks(self) -> Iterator[Metric]:
        clock, one = ntp(), self._families.single_gauge
        yield one("clock_synchronised", None if clock.synchronised is None else float(clock.synchronised))
        yield one("clock_offset_seconds", clock.offset)
        yield one("clock_max_error_seconds", clock.max_error)
        step = self._table.behind / SECOND
        yield one("clock_step_seconds", step)
