"""Which command has been answered by which records: what makes it safe to send a command twice.

The one rule: the key stands in the record, with the input of a decision, so after a restart the record's last stretch
says what was done. Two things are bounded on purpose: only the latest KEPT commands are remembered, a retry being a
matter of seconds; and that an id was used for two different commands is noticed only by the program that heard both.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ...core.events import Origin
from ...core.records import Record
from .commands import Command

KEPT = 10_000  # commands, and records looked through after a restart


class Span(NamedTuple):
    """The records from one to another, both included."""

    first: int
    last: int


class Answered:
    """The keys of the latest commands."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._spans: dict[Origin, Span | None] = {}  # None: it has been handed to a table that could not record it yet
        self._commands: dict[Origin, int] = {}
        self._last: Origin | None = None  # of the input that the last record followed from
        for record in records:
            self.hear(record)

    def hear(self, record: Record) -> None:
        """A record is durable."""
        if record.input is not None:
            self._last = record.input.origin
        key = self._last
        if key is None or key.command is None:
            return
        known = self._spans.get(key)
        self._spans[key] = Span(known.first if known else record.seq, record.seq)
        self._forget()

    def taken(self, key: Origin, command: Command) -> None:
        """A command is about to be handed to the table."""
        self._spans.setdefault(key, None)
        self._commands[key] = hash(command)
        self._forget()

    def __contains__(self, key: Origin) -> bool:
        return key in self._spans

    def span(self, key: Origin) -> Span | None:
        """The records that it led to; none, as long as they are not durable."""
        return self._spans.get(key)

    def differs(self, key: Origin, command: Command) -> bool:
        """Whether this key has been another command's, as far as this program heard it."""
        return self._commands.get(key, hash(command)) != hash(command)

    def _forget(self) -> None:
        while len(self._spans) > KEPT:
            oldest = next(iter(self._spans))
            del self._spans[oldest]
            self._commands.pop(oldest, None)
