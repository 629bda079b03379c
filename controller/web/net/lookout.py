"""Lookout over what pages and devices need of this PC, while the table runs.

A table runs without its pages. What keeps people from them, or a device from the table, is told to whoever asks.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from ...core.coded_message import CodedMessage
from ...table.beats import seconds_to_beat

EVERY = 2.0  # seconds


class Watched(Protocol):
    """Interface of a part that can come late, go, or be renewed."""

    @property
    def trouble(self) -> CodedMessage | str | None:
        """What is wrong with it, and what comes of that; of a device in the words of its driver."""

    def look(self) -> None:
        """See how it is now."""


class Lookout:
    """Looks after them, by name."""

    def __init__(self, watched: Mapping[str, Watched]) -> None:
        self._watched = dict(watched)
        self._timer: asyncio.TimerHandle | None = None

    def add(self, name: str, watched: Watched) -> None:
        """One more, before the start."""
        self._watched[name] = watched

    @property
    def troubles(self) -> Mapping[str, CodedMessage | str | None]:
        """Troubles found by the last look, by name."""
        return {name: watched.trouble for name, watched in self._watched.items()}

    @property
    def told(self) -> Sequence[CodedMessage | str]:
        """Texts of the troubles found by the last look."""
        return tuple(filter(None, self.troubles.values()))

    def start(self) -> None:
        """Look, and again and again; not at all where there is nothing to look after."""
        if self._watched:
            self._look()

    def _look(self) -> None:
        for watched in self._watched.values():
            watched.look()
        self._timer = asyncio.get_running_loop().call_later(seconds_to_beat(EVERY), self._look)

    def stop(self) -> None:
        """Stop looking; no further look is scheduled."""
        if self._timer is not None:
            self._timer.cancel()
