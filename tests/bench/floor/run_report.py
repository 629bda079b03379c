"""Print the measured figures and an estimate for a studio of 1,000 tables."""

import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .cost import ProcessorShare

AIM, MEMORY = 250.0, 300.0  # ms, MB
SITES, AT_EACH = 5, 200


class Ways(NamedTuple):
    """Milliseconds from the card of each fault to its record, the floor's disk, the page and the screen."""

    recorded: Sequence[float]
    durable: Sequence[float]
    told: Sequence[float]
    painted: Sequence[float]


class Outage(NamedTuple):
    """Number of missed events, seconds until the floor answered and had all of them, and its megabytes."""

    events: int
    there: float
    caught_up: float
    memory: float

    @property
    def speed(self) -> float:
        """Events stored in a second."""
        return self.events / max(self.caught_up - self.there, 0.001)


class RunFigures(NamedTuple):
    """Figures of one run of the bench."""

    tables: int
    seconds: float
    records: int
    ways: Ways
    bare: Sequence[float]
    rates: Mapping[str, float]
    spent: Mapping[str, ProcessorShare]
    outage: Outage | None


def report(figures: RunFigures) -> str:
    """Return the whole report as text."""
    parts = (_times(figures), _load(figures), _outage(figures.outage), _paper(figures))
    return "\n\n".join(part for part in parts if part)


def percentile(times: Sequence[float], share: float) -> float:
    """Return the time that `share` of a hundred times do not exceed."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))]


def _times(figures: RunFigures) -> str:
    ways = figures.ways
    rows = {
        "card → record on the table's disk": ways.recorded,
        "card → durable at the floor": ways.durable,
        "card → the page is told": ways.told,
        f"card → strip painted (aim: p99 {AIM:.0f})": ways.painted,
        "bare publish → subscribe beside it": figures.bare,
    }
    head = f"{figures.tables} tables, {len(ways.recorded)} faults in {figures.seconds:.0f} s, milliseconds"
    lines = [f"{head:52}{'p50':>8}{'p99':>8}{'max':>8}{'number':>8}"]
    for name, times in rows.items():
        shown = (statistics.median(times), percentile(times, 99), max(times)) if times else (float("nan"),) * 3
        lines.append(f"{name:52}" + "".join(f"{value:8.1f}" for value in shown) + f"{len(times):8}")
    return "\n".join(lines)


def _load(figures: RunFigures) -> str:
    rates, each = figures.rates, figures.records / figures.seconds / figures.tables
    messages = f"{rates['in_msgs']:.0f} messages a second into the servers, {rates['out_msgs']:.0f} out of them"
    sizes = f"{rates['in_bytes'] / 1000:.0f} and {rates['out_bytes'] / 1000:.0f} kB"
    lines = [
        f"{figures.records / figures.seconds:.0f} records a second, {each:.2f} of each table",
        f"{messages}, with what they tell each other ({sizes})",
    ]
    lines += [
        f"{name:20}{spent.processor:8.1%} of a processor{spent.memory:8.0f} MB"
        + (f" (aim: below {MEMORY:.0f})" if name == "the floor" else "")
        for name, spent in figures.spent.items()
    ]
    return "\n".join(lines)


def _outage(outage: Outage | None) -> str:
    if outage is None:
        return ""
    return (
        f"a floor that missed {outage.events} events answers after {outage.there:.1f} s and has them all after "
        f"{outage.caught_up:.1f} s: {outage.speed:.0f} a second; "
        f"then it has {outage.memory:.0f} MB"
    )


def _paper(figures: RunFigures) -> str:
    """Estimate 1,000 tables on five sites: a bus and a floor for each site, or one floor for all sites."""
    tables, rate = SITES * AT_EACH, figures.records / figures.seconds / figures.tables
    scale = AT_EACH / figures.tables
    server = max(spent.processor for name, spent in figures.spent.items() if name.startswith("server")) * scale
    floor = figures.spent["the floor"].processor * scale
    messages, size = figures.rates["in_msgs"] * scale, figures.rates["in_bytes"] / max(1.0, figures.rates["in_msgs"])
    gigabytes = AT_EACH * rate * 86400 * 2 * size / 1e9
    lines = [
        f"on paper: {tables} tables on {SITES} sites of {AT_EACH}, {rate:.2f} records a second each, by these figures",
        f"  a site's bus: {messages:.0f} messages a second, its busiest server {server:.0%} of a processor",
        f"  a site's floor: {floor:.0%} of a processor; one floor for all sites: {floor * SITES:.0%}",
        f"  a day: {tables * rate * 86400 / 1e6:.0f} million records; on each server of a site {gigabytes:.0f} GB",
    ]
    if figures.outage is not None:
        missed = AT_EACH * rate * 3600
        lines.append(
            f"  an hour without its floor: {missed:.0f} events, {missed / figures.outage.speed / 60:.1f} minutes"
        )
    return "\n".join(lines)
