"""Watch for another floor that runs under this floor's name and key, and say so on the page and in the log."""

import secrets
import socket
import time
from collections.abc import Callable, Mapping

import structlog

from ...bus.floor_beats import Process, Twins
from ...bus.keys import public_of
from ...core.coded_message import CodedMessage, coded
from .live_tables import LiveTables


class TwinWatch:
    """Watch of one floor. `process`: sent in its heartbeats, so that it knows its own from another floor's."""

    def __init__(
        self, floor: str, seed: str, live_tables: LiveTables, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self.process = Process(socket.gethostname(), secrets.token_hex(8))
        self._floor, self._live_tables, self._twin_host = floor, live_tables, ""
        self._twins = Twins(floor, public_of(seed), self.process, steady)
        self._log = structlog.get_logger()

    def take(self, subject: str, headers: Mapping[str, str] | None, body: bytes) -> None:
        """Handle a heartbeat of any floor."""
        self._twins.take(subject, headers, body)

    @property
    def trouble(self) -> CodedMessage | None:
        """Name of a PC on which another floor of this name runs; None if there is none."""
        twins = self._twins.live_processes
        return coded("floor_twin", name=self._floor, host=twins[0].host) if twins else None

    def tell(self) -> None:
        """Show the trouble on the page, and log its begin and its end."""
        twins = self._twins.live_processes
        host = twins[0].host if twins else ""
        if host and not self._twin_host:
            self._log.error("floor_twin", name=self._floor, host=host)
        if self._twin_host and not host:
            self._log.warning("floor_twin_over", name=self._floor, host=self._twin_host)
        self._twin_host = host
        self._live_tables.set_twin(self.trouble)
