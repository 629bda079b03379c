"""Regular checks of the parts of this PC that pages and devices need: address, certificate, ports.

The table runs without its pages. `messages` lists the defects for `status`, the pages and `/healthz`.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from ...core.coded_message import CodedMessage
from ...table.beats import seconds_to_beat

EVERY = 2.0  # seconds between two checks


class Watched(Protocol):
    """Interface of a part to check, such as an address that appears late or a certificate that is renewed."""

    @property
    def trouble(self) -> CodedMessage | str | None:
        """Present defect and its effect, as a message, or for a device as its driver's text; None if there is none."""

    def look(self) -> None:
        """Check the part now; `trouble` then has the result."""


class Lookout:
    """Scheduler of the checks, by the name of each part."""

    def __init__(self, watched: Mapping[str, Watched]) -> None:
        self._watched = dict(watched)
        self._timer: asyncio.TimerHandle | None = None

    def add(self, name: str, watched: Watched) -> None:
        """Add a part to check; call this before `start`."""
        self._watched[name] = watched

    @property
    def troubles(self) -> Mapping[str, CodedMessage | str | None]:
        """Troubles found by the last check, by the name of the part; None: no trouble."""
        return {name: watched.trouble for name, watched in self._watched.items()}

    @property
    def messages(self) -> Sequence[CodedMessage | str]:
        """Troubles found by the last check, without the names of the parts."""
        return tuple(filter(None, self.troubles.values()))

    def start(self) -> None:
        """Check all parts now and at intervals; does nothing if there are no parts."""
        if self._watched:
            self._look()

    def _look(self) -> None:
        for watched in self._watched.values():
            watched.look()
        self._timer = asyncio.get_running_loop().call_later(seconds_to_beat(EVERY), self._look)

    def stop(self) -> None:
        """Stop the regular checks."""
        if self._timer is not None:
            self._timer.cancel()
