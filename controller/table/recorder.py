"""Record of a live table, and the state that follows from it.

Invariant: records are on disk before any listener is called. While writing fails, the table is halted and calls no
listener with records.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self

import structlog

from ..core.clock import Time
from ..core.coded_message import CodedMessage
from ..core.decide.input_groups import GroupPart
from ..core.draft import Draft
from ..core.house import House
from ..core.records import ClockSet, Record
from ..core.state import State
from ..core.withholding import with_salt
from ..journal import JournalFailed, new_salt
from ..text.coded import render
from .clocks import Clock
from .writable import Writable

CountListener = Callable[[GroupPart, str], None]


class Recorder(ABC):
    """Journal, state and listeners of a table. A subclass decides what is recorded (`Table`)."""

    def __init__(self, house: House, journal: Writable, clock: Clock) -> None:
        self.house = house
        self.journal = journal
        self.halted: CodedMessage | str | None = None  # why nothing can be recorded
        self.halted_at: Time = 0  # when that began
        self.state = journal.recover()
        self._clock = RecordClock(clock)
        self._listeners: list[Callable[[Any, Sequence[Record]], None]] = []
        self._count_listeners: list[CountListener] = []
        self._log = structlog.get_logger().bind(table=house.table)

    def subscribe(
        self, listener: Callable[[Self, Sequence[Record]], None], counted: CountListener | None = None
    ) -> None:
        """Call a listener after every transaction with its records, which are durable by then.

        It is called without records when the table halts. `counted` is called for each start that is refused and only
        counted, with the reason.
        """
        self._listeners.append(listener)
        if counted is not None:
            self._count_listeners.append(counted)

    def now(self) -> Time:
        """Return the present time in microseconds, never before the last record."""
        return self._clock.now(self.state.at)

    @property
    def behind(self) -> Time:
        """Time by which the table lags behind the PC's clock, in microseconds; negative: it is ahead."""
        return self._clock.behind

    def _record(self, drafts: Sequence[Draft]) -> bool:
        """Make drafts durable in one transaction, then call the listeners. Returns False if that failed."""
        records = with_salt([record for draft in drafts for record in draft.records], new_salt)
        if not records:
            return True
        try:
            self.journal.append(records)
        except JournalFailed as error:
            self._halt(error.message)
            return False
        before, self.state, self.halted = self.state, drafts[-1].state, None
        if any(isinstance(record.what, ClockSet) for record in records):
            self._clock.follow()
        self._handle_records(before, records)
        return True

    @abstractmethod
    def _handle_records(self, before: State, records: Sequence[Record]) -> None:
        """Called with records that have just become durable. `before`: the state that they changed."""

    def _attempt(self, do: Callable[[], None]) -> None:
        """Call `do` unless the table is halted; a JournalFailed halts the table."""
        if self.halted is not None:
            return
        try:
            do()
        except JournalFailed as error:
            self._halt(error.message)

    def _halt(self, reason: CodedMessage | str) -> None:
        """Halt the table for this reason and call the listeners once without records."""
        if self.halted == reason:
            return
        self._log.error("halted", reason=render(reason))
        self.halted_at = self.now() if self.halted is None else self.halted_at
        self.halted = reason
        self._announce(())

    def _announce(self, records: Sequence[Record]) -> None:
        for listener in tuple(self._listeners):
            listener(self, records)

    def _announce_count(self, part: GroupPart, reason: str) -> None:
        for listener in self._count_listeners:
            listener(part, reason)


class RecordClock:
    """Clock of a table that is never behind its record.

    A clock that was ahead may have written the record.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ahead: Time = 0

    def now(self, last: Time) -> Time:
        """Present UTC time in microseconds since 1970, at least the time of the last record."""
        now = self._clock.now() + self._ahead
        self._ahead += max(0, last - now)
        return max(now, last)

    @property
    def behind(self) -> Time:
        """Microseconds by which this clock lags behind the PC's clock; negative: it is ahead."""
        return self._clock.behind - self._ahead

    def follow(self) -> None:
        """Adopt the present time of the PC's clock."""
        self._ahead = 0
        self._clock.follow()
