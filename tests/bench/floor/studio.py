"""Parts of a studio on this PC: three bus servers, places of tables, and a `tablectl floor` process."""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.bus.streams import Retention
from controller.config.people import PeopleFile
from controller.config.people_change import change_registry
from tests.bus.cluster import Cluster
from tests.ports import free

from .tables import BY, TablePlace

NAME, PIN = "Anna Pop", "2580"
PATIENCE = 120.0  # seconds for a start
TABLECTL = Path(sys.executable).with_name("tablectl")


def cluster(folder: Path, tables: Sequence[str]) -> Cluster:
    """Return a cluster of three bus servers with room for all messages of the benchmark."""
    who = {"tables": tuple(tables), "floors": ("main",), "platforms": ("game",)}
    return Cluster(folder / "bus", who, max_file="3G", keeping=Retention("main", replicas=3, events_gb=2))


def places(folder: Path, bus: Cluster, tables: Sequence[str]) -> list[TablePlace]:
    return [TablePlace(name, folder / "tables" / name, bus.section(name)) for name in tables]


class MeasuredFloor:
    """Floor in a process of its own; the context manager starts it and waits until it accepts connections."""

    def __init__(self, folder: Path, bus: Cluster) -> None:
        folder.mkdir(exist_ok=True)
        self.url, self.store = f"http://127.0.0.1:{free()}", folder / "main.floor"
        self._config, self._log = folder / "floor.toml", folder / "log"
        section = bus.floor_section()
        self._config.write_text(
            f"""[floor]
name = "main"
[bus]
servers = {json.dumps(section.servers)}
studio = "{section.studio}"
credentials = "{section.credentials}"
admin = "{section.admin}"
[web]
listen = "{self.url.removeprefix("http://")}"
""",
            encoding="utf-8",
        )
        with change_registry(PeopleFile(folder / "people.toml")) as change:
            change.add(BY, NAME, ["manager"], PIN)

    def __enter__(self) -> "MeasuredFloor":
        with self._log.open("ab") as log:
            self.process = subprocess.Popen([TABLECTL, "floor", self._config], stdout=log, stderr=log)
        until = time.monotonic() + PATIENCE
        while not self._answers():
            assert self.process.poll() is None, self._log.read_text()
            assert time.monotonic() < until, self._log.read_text()
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", int(self.url.rpartition(":")[2])), timeout=5):
            return True
        return False


@contextmanager
def monitored(bus: Cluster) -> Iterator[dict[str, float]]:
    """Yield a dict that gets the servers' messages and bytes per second at the end of the block."""
    rates: dict[str, float] = {}
    began, before = time.monotonic(), _traffic(bus)
    yield rates
    took = time.monotonic() - began
    rates.update({key: (value - before[key]) / took for key, value in _traffic(bus).items()})


def _traffic(bus: Cluster) -> dict[str, int]:
    pages = []
    for server in bus.servers:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.monitoring}/varz", timeout=30) as page:
            pages.append(json.load(page))
    keys = ("in_msgs", "out_msgs", "in_bytes", "out_bytes")
    return {key: sum(page[key] for page in pages) for key in keys}
