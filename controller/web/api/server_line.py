"""The line to the game server, where the config says by which name it is known: it is there while at least one stream
of the record is open to it. Over the bus each signed question for events is such a stream, a short one.

A table that has heard no game server for so long says that it is lost, and found as soon as there is a stream again.
A line that is cut and there again meanwhile is worth no word. At a start the same time runs: whoever has not come by
its end is lost. The end of the program itself is no loss.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from ...config.web import ServerSection
from ...core.events import FoundDevice, LostDevice
from ...table.loop import Table
from .commands import Caller


class ServerLine:
    """Of one table, at all its doors."""

    def __init__(self, table: Table, section: ServerSection) -> None:
        self._table, self._names, self._grace = table, frozenset(section.names), section.grace
        self._streams = 0
        self._lost = False  # as it was said last: a table that is halted knows it later
        self._wait: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """From here on it is waited for. Where none is any more, one that was lost keeps no round from starting."""
        self._lost = "server" in self._table.state.lost
        if self._names:
            self._expect()
        elif self._lost:
            structlog.get_logger().info("server_not_waited_for", table=self._table.house.table)
            self._found()

    def stop(self) -> None:
        """The streams end now, as the program does."""
        self._names = frozenset()
        self._waited()

    @contextmanager
    def streaming(self, caller: Caller) -> Iterator[None]:
        """For as long as a stream is open to that caller."""
        if caller.role != "server" or caller.name not in self._names:
            yield
            return
        self._streams += 1
        self._waited()
        if self._lost:
            self._found()
        try:
            yield
        finally:
            self._streams -= 1
            if not self._streams and self._names:
                self._expect()

    def _expect(self) -> None:
        self._waited()
        self._wait = asyncio.get_running_loop().call_later(self._grace, self._lose)

    def _waited(self) -> None:
        if self._wait is not None:
            self._wait.cancel()
            self._wait = None

    def _lose(self) -> None:
        self._wait = None
        if not self._lost:
            self._lost = True
            self._table.take(LostDevice("server", f"no stream of its own for {self._grace} s"))

    def _found(self) -> None:
        self._lost = False
        self._table.take(FoundDevice("server"))
