"""What systemd is told of a running table: that it is ready, where it stands, that its loop is alive.

The one rule: the watchdog is fed by the loop that takes the table's events and by nothing else. Where that loop hangs,
systemd ends the program and starts it again, however alive its other threads are; a halted table is alive and says so.

The protocol is sd_notify(3): one datagram of NAME=VALUE lines to the socket that NOTIFY_SOCKET names, where an @ stands
for the zero byte of an abstract one. Without that variable nothing is said.
"""

import asyncio
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from ..core.notation import expected
from ..core.records import Record
from ..core.state import State
from ..table.loop import Table

FEEDS = 3  # in the time after which the watchdog bites: two may be late
PATIENCE = 1.0  # seconds to wait for a systemd that takes nothing, before the table is at work; after that none


class Supervisor:
    """Who started the program and is to hear of it: systemd, or nobody."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self._interval = _interval(environment)
        self._status = ""
        self._standing: Callable[[], str] = str
        self._fed: asyncio.TimerHandle | None = None

    def ready(self, table: Table, beside: Callable[[], Sequence[str]] = tuple) -> None:
        """The record is replayed and the devices are being opened; from now on this loop feeds the watchdog.

        `beside`: what else there is to be told, such as why there are no pages.
        """
        self.begin(lambda: "; ".join([standing(table), *beside()]))
        table.subscribe(self._changed)

    def begin(self, standing: Callable[[], str]) -> None:
        """The program is at work, and stands so; from now on this loop feeds the watchdog."""
        self._standing, self._status = standing, standing()
        self._say("READY=1", f"STATUS={self._status}", patience=PATIENCE)
        if self._interval is not None:
            self._feed(asyncio.get_running_loop(), self._interval)

    def stopping(self) -> None:
        """The end has begun: how long it may take is for systemd's TimeoutStopSec. A feed would wake the watchdog."""
        if self._fed is not None:
            self._fed.cancel()
        self._say("STOPPING=1")

    def _feed(self, loop: asyncio.AbstractEventLoop, interval: float) -> None:
        self._say("WATCHDOG=1")
        self._show()  # what is beside a table changes without it
        self._fed = loop.call_later(interval, self._feed, loop, interval)

    def _changed(self, _table: Table, _records: Sequence[Record]) -> None:
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
            systemd.settimeout(patience)  # one that does not listen is no reason to stop a table
            systemd.sendto("\n".join(lines).encode(), self._address)


def _address(name: str) -> str:
    return "\0" + name[1:] if name.startswith("@") else name


def _interval(environment: Mapping[str, str]) -> float | None:
    """Seconds between two feeds; none where no watchdog waits, or where it waits for another process."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    limit = environment.get("WATCHDOG_USEC", "")
    return int(limit) / 1_000_000 / FEEDS if limit.isdecimal() and int(limit) else None


def standing(table: Table) -> str:
    """Where a table stands, in a line for an engineer: no card is ever in it."""
    state = table.state
    words = f"round {state.round.number} {state.life}" if state.round.number else state.life
    if table.halted is not None:
        words = f"HALTED, the record cannot be written: {' '.join(table.halted.split())}; {words}"
    return words + _fault(state) + ("" if state.open else "; closed") + _missing(state)


def _fault(state: State) -> str:
    fault = state.fault
    return f": {fault.code.replace('_', ' ')}, expected {expected(fault.due)}" if fault else ""


def _missing(state: State) -> str:
    return f"; missing: {', '.join(state.lost)}" if state.lost else ""
