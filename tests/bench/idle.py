"""Measure an idle table: how often it wakes a second, and its processor time a minute.

Tables of four kinds stay idle on this PC: `alone` with its shoe, pages and anchor; `pulled`, with its shoe unplugged;
`devices`, with a missing panel and a missing beacon; and one on the `bus`. --before names a folder with the sources of
another commit (after `make texts` there): its program runs the same tables, and all are measured in turns, in one run.

A wake is a thread that had slept and runs again, as the kernel counts them (voluntary context switches).

    python -m tests.bench.idle [--seconds 20] [--turns 3] [--before FOLDER] [KIND ...]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from drivers.emulators.pty_port import PtyPort
from tests.bus.rig import BusServer
from tests.patience import eventually

NOW = Path(__file__).parents[2]
PROGRAM = "from controller.cli import main; main()"
KINDS = ("alone", "pulled", "devices", "bus")
SETTLE = 5.0  # seconds: until a missing device is reported and the record verified
CONFIG = """
[table]
name = "{name}"
dealer = "d1"
[game]
name = "baccarat"
[shoe]
port = "{folder}/shoe"
[timers]
betting = 3600
[journal]
path = "{folder}/idle.journal"
anchor = "{folder}/idle.anchor"
[api]
socket = "{folder}/idle.sock"
[web]
listen = "127.0.0.1:0"
"""
DEVICES = """
[panel]
model = "xk24"
[beacon]
model = "blink1"
"""


class WakesAndTime(NamedTuple):
    """Wakes and processor time of a program since it began."""

    wakes: int
    processor: float  # seconds


class Rate(NamedTuple):
    """Wakes a second, and processor seconds a minute."""

    wakes: float
    processor: float


class IdleTable:
    """One idle table and its measured rates."""

    def __init__(self, name: str, process: "subprocess.Popen[bytes]") -> None:
        self.name, self._process = name, process
        self.rates: list[Rate] = []

    def measure(self, seconds: float) -> None:
        """Measure wakes and processor time over the given seconds."""
        began, before = time.monotonic(), self._spent()
        time.sleep(seconds)
        took, after = time.monotonic() - began, self._spent()
        spent = after.processor - before.processor
        self.rates.append(Rate((after.wakes - before.wakes) / took, spent / took * 60))

    def _spent(self) -> WakesAndTime:
        if self._process.poll() is not None:
            raise SystemExit(f"{self.name}: the table ended with {self._process.returncode}")
        tasks = Path(f"/proc/{self._process.pid}/task").iterdir()
        lines = (line for task in tasks for line in (task / "status").read_text().splitlines())
        wakes = sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches:"))
        return WakesAndTime(wakes, time.clock_gettime(~self._process.pid << 3 | 2))  # the clock of its processor time

    @property
    def rate(self) -> Rate:
        """The median rate of all turns."""
        return Rate(*map(statistics.median, zip(*self.rates, strict=True)))


@contextmanager
def table(folder: Path, sources: Path, config: str, *, pulled: bool) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a table; yield its process once it has reported its shoe as found or lost."""
    port = PtyPort(folder / "shoe")
    if not pulled:
        port.plug()
    (folder / "idle.toml").write_text(config, encoding="utf-8")
    log = folder / "log"
    environment = {**os.environ, "PYTHONPATH": str(sources)}
    with log.open("w") as out:
        command = [sys.executable, "-c", PROGRAM, "run", folder / "idle.toml"]
        process = subprocess.Popen(command, cwd=sources, env=environment, stdout=out, stderr=out)
    try:
        shoe = '"device_lost"' if pulled else '"device_found"'
        eventually(lambda: shoe in log.read_text() or process.poll() is not None)
        if process.poll() is not None:
            raise SystemExit(log.read_text())
        yield process
    finally:
        process.kill()
        process.wait()
        port.unplug()


def bus_lines(server: BusServer, name: str) -> str:
    """Return the section [bus] of a table's config."""
    section = server.section(name)
    return (
        f"[bus]\nservers = {json.dumps(section.servers)}\ncredentials = {json.dumps(section.credentials)}\n"
        f"floors = {{ main = {json.dumps(section.floors['main'])} }}\n"
    )


def tables(folder: Path, kinds: Sequence[str], sources: dict[str, Path], stack: ExitStack) -> Iterator[IdleTable]:
    """Start a table for each kind and each program; yield them."""
    names = [f"{which}-{kind}" for kind in kinds for which in sources]
    server = None
    if "bus" in kinds:
        who = {"tables": tuple(names), "floors": ("main",), "platforms": ("game",)}
        server = stack.enter_context(BusServer(folder / "server", who))
    more: dict[str, Callable[[str], str]] = {
        "alone": lambda _: "",
        "pulled": lambda _: "",
        "devices": lambda _: DEVICES,
        "bus": lambda name: bus_lines(server, name) if server else "",
    }
    for name in names:
        (own := folder / name).mkdir()
        which, kind = name.split("-")
        config = CONFIG.format(name=name, folder=own) + more[kind](name)
        yield IdleTable(
            f"{kind}, {which}", stack.enter_context(table(own, sources[which], config, pulled=kind == "pulled"))
        )


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("kinds", nargs="*", choices=[[], *KINDS], help="by default all")
    words.add_argument("--seconds", type=float, default=20)
    words.add_argument("--turns", type=int, default=3)
    words.add_argument("--before", type=Path, help="a folder with the sources of another commit")
    given = words.parse_args()
    kinds = given.kinds or KINDS
    sources = {**({"before": given.before.resolve()} if given.before else {}), "now": NOW}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        idle = list(tables(Path(folder), kinds, sources, stack))
        time.sleep(SETTLE)
        for turn in range(given.turns):
            for one in idle if turn % 2 == 0 else reversed(idle):
                one.measure(given.seconds)
    title = f"median of {given.turns} turns of {given.seconds:g} s"
    print(f"{title:28}{'wakes a second':>16}{'processor a minute':>20}{'of a core':>12}")
    for one in idle:
        rate = one.rate
        print(f"{one.name:28}{rate.wakes:16.2f}{rate.processor * 1000:17.1f} ms{rate.processor / 60:12.2%}")


if __name__ == "__main__":
    main()
