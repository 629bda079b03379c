"""Watch the connection to the game server and record when it is lost and found.

The config has the names of the game server. The server is connected while at least one stream of the record is open to
it. On the bus, each signed question for events counts as such a stream, a short one.

If a table has had no stream for the grace period, it records the server as lost, and as found with the next stream. A
shorter break is not recorded. The same grace period runs from a start: a server that has not connected by its end is
lost. The end of the program itself is no loss.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from ...config.web import ServerSection
from ...core.coded_message import coded
from ...core.events import FoundDevice, LostDevice
from ...table.loop import Table
from ...text.coded import render
from .commands import Caller


class ServerLine:
    """Presence of one table's game server, counted over all doors."""

    def __init__(self, table: Table, section: ServerSection) -> None:
        self._table, self._names, self._grace = table, frozenset(section.names), section.grace
        self._streams = 0
        self._lost = False  # the last reported state; a halted table records it later
        self._wait: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start to wait for the server.

        If the config no longer names a server, a lost one is recorded as found, so that it no longer prevents rounds.
        """
        self._lost = "server" in self._table.state.lost
        if self._names:
            self._expect()
        elif self._lost:
            structlog.get_logger().info("server_not_waited_for", table=self._table.house.table)
            self._note_found()

    def stop(self) -> None:
        """Stop recording losses, because the streams now end with the program."""
        self._names = frozenset()
        self._stop_waiting()

    @contextmanager
    def count_stream(self, caller: Caller) -> Iterator[None]:
        """Count a stream as open to that caller while the context lasts."""
        if caller.role != "server" or caller.name not in self._names:
            yield
            return
        self._streams += 1
        self._stop_waiting()
        if self._lost:
            self._note_found()
        try:
            yield
        finally:
            self._streams -= 1
            if not self._streams and self._names:
                self._expect()

    def _expect(self) -> None:
        self._stop_waiting()
        self._wait = asyncio.get_running_loop().call_later(self._grace, self._lose)

    def _stop_waiting(self) -> None:
        if self._wait is not None:
            self._wait.cancel()
            self._wait = None

    def _lose(self) -> None:
        self._wait = None
        if not self._lost:
            self._lost = True
            self._table.take(LostDevice("server", render(coded("server_line_lost", seconds=self._grace))))

    def _note_found(self) -> None:
        self._lost = False
        self._table.take(FoundDevice("server"))
