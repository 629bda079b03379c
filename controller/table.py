"""A live table: events in, records out, one after the other, on one event loop.

The one rule: nobody is told of anything before it is on disk. When that fails the table is halted: events wait, nothing
is announced, and once writing works again the failure is recorded first, then what waited, in order.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

import structlog

from .clocks import SteadyClock
from .core import events as e
from .core.clock import SECOND, Time
from .core.decide import decide
from .core.house import House
from .core.life import RESTING
from .core.position import Position
from .core.records import Record
from .core.state import State
from .games import GAMES
from .journal import Head, JournalFailed
from .procedure import Step

RETRY = 0.5  # seconds between attempts to write again

Told = Callable[["Table", Sequence[Record]], None]


class Writable(Protocol):
    """What a table needs of its journal."""

    @property
    def head(self) -> Head:
        """The last record."""

    def append(self, records: Sequence[Record]) -> Head:
        """Make records durable. Raises JournalFailed."""

    def recover(self) -> State:
        """The state after the last record."""

    def tidy(self) -> None:
        """Housekeeping, at a quiet moment."""


class Table:
    """The owner of the state. All of it runs on the loop's thread."""

    def __init__(self, house: House, journal: Writable, clock: SteadyClock | None = None) -> None:
        self.house = house
        self.journal = journal
        self.halted: str | None = None  # why nothing can be recorded
        self._clock = clock or SteadyClock()
        self._position = Position(GAMES)
        self._told: list[Told] = []
        self._waiting: deque[tuple[e.Event, Time]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self.state = journal.recover()
        self._log = structlog.get_logger().bind(table=house.table)

    def tell(self, told: Told) -> None:
        """Call this after every event with the records it led to, durable by then; with none when halted or healed."""
        self._told.append(told)

    @property
    def due(self) -> Step | None:
        """The step expected next."""
        return self._position.due(self.state) if self.state.live else None

    def start(self, dealer: str | None) -> None:
        """Take up where the journal ends; a journal without records begins with an open table and a full shoe."""
        if self.state.seq:
            self.take(e.Restarted())
        else:
            self.take(e.OpenTable("config"))
            self.take(e.ShoeReady("config"))
        if dealer and self.state.dealer != dealer and not self.state.live:
            self.take(e.DealerOn(dealer))
        self._set_timer()

    def stop(self) -> None:
        """Take nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        self._told.clear()

    def take(self, event: e.Event) -> None:
        """Something happened, now."""
        at = max(self._clock.now(), self.state.at)
        if self.halted is not None:
            self._waiting.append((event, at))
        else:
            self._handle(event, at)

    def _handle(self, event: e.Event, at: Time) -> None:
        draft = decide(self.house, self._position, self.state, event, max(at, self.state.at))
        if not draft.records:
            return
        try:
            self.journal.append(draft.records)
        except JournalFailed as error:
            self._halt(event, at, str(error))
            return
        self.state = draft.state
        self._set_timer()
        self._announce(draft.records)
        if self.state.life in RESTING:
            asyncio.get_running_loop().call_soon(self.journal.tidy)

    def _announce(self, records: Sequence[Record]) -> None:
        for told in self._told:
            told(self, records)

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self.state.deadline is not None and self.halted is None:
            wait = max(0, self.state.deadline - self._clock.now()) / SECOND
            self._timer = asyncio.get_running_loop().call_later(wait, self.take, e.Tick())

    def _halt(self, event: e.Event, at: Time, reason: str) -> None:
        self._log.error("halted", reason=reason)
        self.halted = reason
        self._waiting.append((event, at))
        self._set_timer()
        asyncio.get_running_loop().call_later(RETRY, self._heal)
        self._announce(())

    def _heal(self) -> None:
        at = self._clock.now()
        draft = decide(self.house, self._position, self.state, e.JournalFailed(self.halted or ""), at)
        try:
            self.journal.append(draft.records)
        except JournalFailed as error:
            self._log.warning("still halted", reason=str(error))
            asyncio.get_running_loop().call_later(RETRY, self._heal)
            return
        self._log.info("healed", waiting=len(self._waiting))
        self.state, self.halted = draft.state, None
        self._announce(draft.records)
        self._set_timer()
        while self._waiting and self.halted is None:
            self._handle(*self._waiting.popleft())
