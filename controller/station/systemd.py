"""Notify systemd about a running table: ready, status line, watchdog.

Invariant: only the loop that takes the table's events feeds the watchdog. If that loop hangs, systemd ends the program
and starts it again, even if its other threads are alive. A halted table is alive and says so.

The protocol is sd_notify(3): one datagram of NAME=VALUE lines to the socket that NOTIFY_SOCKET names, where an @ stands
for the zero byte of an abstract one. Without that variable nothing is sent.
"""

import asyncio
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from ..core.coded_message import coded
from ..core.notation import due_text
from ..core.records import Record
from ..core.state import State
from ..table.loop import Table
from ..text.coded import render

FEEDS = 3  # feeds within the time limit of the watchdog: two may be late
PATIENCE = 1.0  # seconds to wait for a systemd that does not answer at the start; later nothing waits for it


class Supervisor:
    """Connection to the systemd that started the program; without one it sends nothing."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self._interval = _interval(environment)
        self._status = ""
        self._standing: Callable[[], str] = str
        self._fed: asyncio.TimerHandle | None = None

    def report_ready(self, table: Table, beside: Callable[[], Sequence[str]] = tuple) -> None:
        """Report readiness: the record is replayed, and the devices are being opened.

        From now on this loop feeds the watchdog. `beside`: further parts of the status line, such as why there are no
        pages.
        """
        self.begin(lambda: "; ".join([describe_state(table), *beside()]))
        table.subscribe(self._show_change)

    def begin(self, standing: Callable[[], str]) -> None:
        """Report readiness with this status line; from now on this loop feeds the watchdog."""
        self._standing, self._status = standing, standing()
        self._say("READY=1", f"STATUS={self._status}", patience=PATIENCE)
        if self._interval is not None:
            self._feed(asyncio.get_running_loop(), self._interval)

    def report_stop(self) -> None:
        """Report that the program ends, and feed the watchdog no more: TimeoutStopSec limits the time.

        A feed would wake the watchdog again.
        """
        if self._fed is not None:
            self._fed.cancel()
        self._say("STOPPING=1")

    def _feed(self, loop: asyncio.AbstractEventLoop, interval: float) -> None:
        self._say("WATCHDOG=1")
        self._show()  # the other parts of the status change without a record
        self._fed = loop.call_later(interval, self._feed, loop, interval)

    def _show_change(self, _table: Table, _records: Sequence[Record]) -> None:
        self._show()

    def _show(self) -> None:
        status = self._standing()
        if status != self._status:
            self._status = status
            self._say(f"STATUS={status}")

    def _say(self, *lines: str, patience: float = 0) -> None:
        if not self._address:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.settimeout(patience)  # a systemd that does not listen must not stop a table
            systemd.sendto("\n".join(lines).encode(), self._address)


def _address(name: str) -> str:
    return "\0" + name[1:] if name.startswith("@") else name


def _interval(environment: Mapping[str, str]) -> float | None:
    """Seconds between two feeds; None without a watchdog, or if it watches another process."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    limit = environment.get("WATCHDOG_USEC", "")
    return int(limit) / 1_000_000 / FEEDS if limit.isdecimal() and int(limit) else None


def describe_state(table: Table) -> str:
    """Describe a table's state in one line for an engineer; it never names a card."""
    state = table.state
    words = f"round {state.round.number} {state.life}" if state.round.number else state.life
    if table.halted is not None:
        words = render(coded("unit_halted", reason=" ".join(render(table.halted).split()), said=words))
    return words + _fault(state) + ("" if state.open else "; closed") + _describe_missing(state)


def _fault(state: State) -> str:
    fault = state.fault
    return f": {fault.code.replace('_', ' ')}, expected {due_text(fault.due)}" if fault else ""


def _describe_missing(state: State) -> str:
    return f"; missing: {', '.join(state.lost)}" if state.lost else ""
