"""Measure how fast a floor shows a call after an unexpected card, and the load of its programs.

All programs are real and on this PC: three bus servers that keep three copies and flush at each message; tables with a
journal on disk and an emulated shoe on a pty each, at most ten in a process, so that Python's lock is not measured; the
floor as a `tablectl floor` process; a browser on its page. In a studio each of these has a PC of its own.

    python -m tests.bench.floor [--tables N] [--seconds S] [--outage S] [--folder DIR]
"""

import argparse
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import structlog

from .bus_round_trips import BusRoundTrips
from .cost import ProgramMeter, family
from .floor_wall import wall
from .run_report import Outage, RunFigures, Ways, report
from .stored_times import StoredTimes, count
from .studio import NAME, PIN, MeasuredFloor, cluster, monitored, places
from .tables import OPEN, Tables, TimedFault

TOGETHER = 10  # tables in a process
CALLS = 3  # open at a time, on average: a page draws only the first five in full


class Run:
    """One run of the benchmark: a studio at work, then an outage of its floor."""

    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        self._given, self._folder = given, folder
        self.names = [f"t{number}" for number in range(1, given.tables + 1)]

    def __call__(self) -> RunFigures:
        with ExitStack() as stack:
            bus = stack.enter_context(cluster(self._folder, self.names))
            processes = max(1, -(-len(self.names) // TOGETHER))
            tables = stack.enter_context(Tables(places(self._folder, bus, self.names), processes))
            floor = MeasuredFloor(self._folder / "floor", bus)
            with floor:
                figures = self._at_work(bus, tables, floor)
            if self._given.outage:
                figures = figures._replace(outage=self._after_an_outage(tables, floor))
        return figures

    def _at_work(self, bus, tables: Tables, floor: MeasuredFloor) -> RunFigures:
        with (
            wall(floor.url, NAME, PIN, len(self.names)) as shown,
            BusRoundTrips(bus) as bare,
            StoredTimes(floor.store) as writes,
        ):
            tables.order("play", 1.0)
            time.sleep(self._given.warm)
            bare.times.clear()
            before = sum(tables.order("records"))
            meter = ProgramMeter(self._programs(bus, tables, floor))
            with monitored(bus) as rates:
                seconds = self._err(tables)
            spent, records = meter.spent(), sum(tables.order("records")) - before
            time.sleep(OPEN)  # the last call is painted by then, or never
            faults = [fault for some in tables.order("faults") for fault in some]
            writes.all({(fault.table, fault.seq) for fault in faults})
            sightings = shown.told(), shown.painted()
            if self._given.picture:
                shown.picture(self._given.picture)
            tables.order("rest")
        ways = ways_of(faults, writes.at, *sightings)
        return RunFigures(len(self.names), seconds, records, ways, bare.times, rates, spent, None)

    def _programs(self, bus, tables: Tables, floor: MeasuredFloor) -> dict[str, list[int]]:
        servers = {f"server {server.name}": [server.process.pid] for server in bus.servers}
        return {**servers, "the floor": family(floor.process.pid), "the tables": [one.pid for one in tables.processes]}

    def _err(self, tables: Tables) -> float:
        """Make faults at one table after the other; return how many seconds that took."""
        began, number = time.monotonic(), 0
        while (passed := time.monotonic() - began) < self._given.seconds:
            tables.err(self.names[number * 7 % len(self.names)])
            number += 1
            time.sleep(max(0.0, number * OPEN / min(CALLS, len(self.names) / 2) - passed))
        return time.monotonic() - began

    def _after_an_outage(self, tables: Tables, floor: MeasuredFloor) -> Outage:
        """Let the floor miss the events of `--outage` seconds; measure its start and how it catches up."""
        each = round(self._given.outage)  # at one event a second and table
        before = count(floor.store)
        target = sum(tables.order("hurry", each))
        began = time.monotonic()
        with floor:
            ready = time.monotonic()
            while count(floor.store) < target:
                assert floor.process.poll() is None
                time.sleep(0.05)
            ended = time.monotonic()
            memory = ProgramMeter({"the floor": family(floor.process.pid)}).spent()["the floor"].memory
        return Outage(target - before, ready - began, ended - began, memory)


Times = list[tuple[str, float]]


def ways_of(faults: list[TimedFault], writes: dict[tuple[str, int], float], told_of: Times, painted: Times) -> Ways:
    """Return the milliseconds that each fault took to each place; infinite if it closed before."""

    def since(fault: TimedFault, at: float | None) -> float:
        return float("inf") if at is None else (at - fault.caused) * 1000

    return Ways(
        [since(fault, fault.recorded) for fault in faults],
        [since(fault, writes.get((fault.table, fault.seq))) for fault in faults],
        [since(fault, _seen(fault, told_of)) for fault in faults],
        [since(fault, _seen(fault, painted)) for fault in faults],
    )


def _seen(fault: TimedFault, sightings: Times) -> float | None:
    times = (at for table, at in sightings if table == fault.table)
    return next((at for at in times if fault.caused <= at < fault.caused + OPEN), None)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--tables", type=int, default=40)
    words.add_argument("--seconds", type=float, default=120, help="how long faults are made")
    words.add_argument("--warm", type=float, default=10, help="seconds of play before that")
    words.add_argument(
        "--outage", type=float, default=3600, help="seconds' worth of events that a floor misses; 0: none"
    )
    words.add_argument("--picture", help="where to put what the browser shows at the end")
    words.add_argument("--folder", type=Path, help="where to write; on the disk that is to be measured")
    given = words.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory(dir=given.folder or Path.cwd()) as folder:
        print(report(Run(given, Path(folder))()))


if __name__ == "__main__":
    main()
