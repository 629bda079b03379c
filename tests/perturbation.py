"""Pytest plugin that delays threads and event loops by short sleeps, to find races in tests and code.

    PERTURBED=7 python -m pytest -p tests.perturbation -n 2 tests/outputs

The seed and a test's name decide how often threads, SQLite, sockets and event loops are delayed in this test, and how
often `until` looks. The same seed need not show the same race again: repeat the test with several seeds.
"""

import asyncio
import concurrent.futures.thread as pool
import os
import random
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest

from tests import patience

SEED = os.environ.setdefault("PERTURBED", str(random.randrange(10_000)))  # pytest's workers inherit it
BUDGET = 4.0  # seconds of all sleeps of a test
DRAWS: dict[str, tuple[float, ...]] = {  # each test draws one value of each
    "thread": (0.0, 0.3, 1.0),  # share of the calls that are delayed
    "sqlite": (0.0, 0.1, 0.6),
    "socket": (0.0, 0.05, 0.3),
    "loop": (0.0, 0.004, 0.04),
    "longest": (0.004, 0.03, 0.1),  # seconds of a sleep
    "look": (0.001, 0.005, 0.03),  # seconds between two looks of `until`
    "switch": (0.00005, 0.005, 0.02),  # seconds until a thread that computes lets another one do so
}

_sleep = time.sleep  # tests replace the public one
_dice = random.Random(SEED)
_drawn = dict.fromkeys((*DRAWS, "left"), 0.0)


def pytest_report_header() -> str:
    return f"seed of the perturbed order: {SEED} (repeat: PERTURBED={SEED})"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item):
    _dice.seed(f"{SEED} {item.nodeid}")
    _drawn.update({name: _dice.choice(of) for name, of in DRAWS.items()}, left=BUDGET)
    item.user_properties.append(("perturbed", dict(_drawn)))
    patience.PAUSE = _drawn["look"]
    sys.setswitchinterval(_drawn["switch"])
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    if report.failed:
        report.sections.append(("perturbed", f"{SEED}: {item.user_properties}"))
    return report


def late(place: str) -> None:
    """Sleep in a part of the calls; the test drew for each place how large this part is."""
    if _drawn["left"] > 0 and _dice.random() < _drawn[place]:
        _drawn["left"] -= (pause := _dice.random() * _drawn["longest"])
        _sleep(pause)


def slow(does: Callable[..., Any], place: str) -> Callable[..., Any]:
    """Return the function with a possible delay before and after each call."""

    @wraps(does)
    def slowed(*given: Any, **named: Any) -> Any:
        late(place)
        try:
            return does(*given, **named)
        finally:
            late(place)

    return slowed


class SlowConnection(sqlite3.Connection):
    execute = slow(sqlite3.Connection.execute, "sqlite")


_submit, _connect = pool.ThreadPoolExecutor.submit, sqlite3.connect
pool.ThreadPoolExecutor.submit = lambda self, does, /, *given, **named: _submit(
    self, slow(does, "thread"), *given, **named
)
sqlite3.connect = lambda *given, **named: _connect(*given, **{"factory": SlowConnection} | named)
for owner, name, place in (
    (threading.Thread, "run", "thread"),
    (asyncio.Handle, "_run", "loop"),
    *((socket.socket, each, "socket") for each in ("recv", "send", "sendall", "accept")),
):
    setattr(owner, name, slow(getattr(owner, name), place))
