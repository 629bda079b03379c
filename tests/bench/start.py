"""Measure how long a command takes to answer, beside a Python that does nothing, in turns in one run.

The fastest start of each counts, as the others waited for a busy machine. `status` asks a simulated table.

    python -m tests.bench.start [--starts N]
"""

import argparse
import os
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import NamedTuple

import msgspec

from controller.core.state import State
from controller.web.api.table_state import build_state

TABLECTL = Path(sys.executable).with_name("tablectl")
AIMS = {"--version": 6, "status": 10}  # times a bare Python, at most


class StartTimes(NamedTuple):
    """Milliseconds: by the clock, and of the processor."""

    wall: float
    cpu: float


class QuietTableHandler(BaseHTTPRequestHandler):
    """HTTP answers of a simulated table in which nothing has happened yet."""

    def do_GET(self) -> None:
        well = {"troubles": [], "clock": {"synchronised": None, "offset": None, "max_error": None, "step": 0.0}}
        body = msgspec.json.encode(well if self.path == "/healthz" else build_state(State(), None, None, "manager"))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing about a request."""


@contextmanager
def answering(path: str) -> Iterator[None]:
    """Serve the simulated table on the Unix socket `path` inside the block."""
    with socketserver.UnixStreamServer(path, QuietTableHandler) as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        yield
        server.shutdown()


def start(command: Sequence[object]) -> StartTimes:
    began = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return StartTimes((time.perf_counter() - began) * 1000, (used.ru_utime + used.ru_stime) * 1000)


def measure(commands: Sequence[Sequence[object]], starts: int) -> list[StartTimes]:
    times = [[start(command) for command in commands] for _ in range(starts)]
    return [StartTimes(*map(min, zip(*of_one, strict=True))) for of_one in zip(*times, strict=True)]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--starts", type=int, default=30)
    given = words.parse_args()
    with tempfile.TemporaryDirectory() as folder, answering(path := f"{folder}/table.sock"):
        arguments = {"--version": ("--version",), "status": ("status", "--socket", path)}
        commands = [(sys.executable, "-c", "pass"), *((TABLECTL, *arguments[name]) for name in AIMS)]
        bare, *others = measure(commands, given.starts)
    print(f"{f'the quickest of {given.starts} starts':28}{'clock':>10}{'processor':>13}{'aim':>8}")
    print(f"{'python -c pass':28}{bare.wall:7.1f} ms{bare.cpu:10.1f} ms")
    for (name, aim), took in zip(AIMS.items(), others, strict=True):
        print(f"{f'tablectl {name}':28}{took.wall / bare.wall:8.1f} x{took.cpu / bare.cpu:11.1f} x{aim:6} x")


if __name__ == "__main__":
    main()
