"""Selection of a journal's records by round, dealer, fault and time.

At most one round is kept in memory, however long the journal is. A round has records behind its end too: it may be
settled anew much later.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from ..core.clock import Time, from_text
from ..core.records import AFTERWARDS, Faulted, Record
from ..journal import read

_T = TypeVar("_T")


class Rounds(Struct, frozen=True):
    """Range of round numbers, both ends included."""

    first: int = 1
    last: int | None = None  # null: to the end

    def __contains__(self, number: int | None) -> bool:
        return number is not None and self.first <= number and (self.last is None or number <= self.last)

    def __str__(self) -> str:
        if self.first == self.last:
            return str(self.first)
        return f"{self.first}..{'' if self.last is None else self.last}"

    def overlaps(self, other: "Rounds") -> bool:
        """True if both ranges have a round in common."""
        ends = (self.last is None or other.first <= self.last, other.last is None or self.first <= other.last)
        return all(ends)

    def is_over_at(self, record: Record) -> bool:
        """True if a record belongs to a round behind the last one."""
        return self.last is not None and (record.round or 0) > self.last and record.kind not in AFTERWARDS

    @classmethod
    def parse(cls, text: str) -> "Rounds":
        """Parse `12`, `10..20`, `10..` or `..20`. Raises ValueError."""
        first, dots, last = text.partition("..")
        ends = (int(first or 1), int(last or 0) or None) if dots else (int(first), int(first))
        if ends[0] < 1 or (ends[1] is not None and ends[1] < ends[0]):
            raise ValueError(text)
        return cls(*ends)


def records_for(file: Path, rounds: Rounds | None) -> Iterator[Record]:
    """Yield the records of a file that a selection of these rounds needs; None: all records.

    After the first record of a later round only kinds of records that can be about an earlier round are read. Raises
    JournalError.
    """
    for record in read(file):
        yield record
        if rounds and rounds.is_over_at(record):
            yield from read(file, record.seq, AFTERWARDS)
            return


def moment(text: str, zone: tzinfo = UTC) -> Time:
    """Parse an ISO 8601 date, or date and time; without an offset it is local time of `zone`.

    Raises ValueError.
    """
    at = datetime.fromisoformat(text)
    return from_text((at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC).isoformat())


class Selection(Struct, frozen=True):
    """Conditions on records; a record must meet all that are given."""

    rounds: Rounds | None = None
    dealer: str | None = None  # dealer at the time of the record
    fault: str | int | None = None  # code or number of a fault: all records of the rounds in which it occurred
    since: Time | None = None
    until: Time | None = None  # not included

    def select(self, items: Iterable[_T], record: Callable[[_T], Record]) -> Iterator[_T]:
        """Yield the items whose records meet all conditions, in their order."""
        for item in self._with_fault(items, record) if self.fault is not None else items:
            if self._wants(record(item)):
                yield item

    def _wants(self, record: Record) -> bool:
        return (
            (self.rounds is None or record.round in self.rounds)
            and (self.dealer is None or record.dealer == self.dealer)
            and (self.since is None or record.at >= self.since)
            and (self.until is None or record.at < self.until)
        )

    def _with_fault(self, items: Iterable[_T], record: Callable[[_T], Record]) -> Iterator[_T]:
        """Yield the items of rounds with the fault.

        Items before the first round count as one round.
        """
        number, faulty = 0, set[int]()
        held: list[tuple[_T, int]] = []  # items of this round before its fault, and items about other rounds meanwhile
        for item in items:
            one = record(item)
            if one.round is None and number:
                continue
            of = one.round or 0
            if of != number and one.kind not in AFTERWARDS:
                yield from (entry for entry, other in held if other in faulty)
                number = of
                held.clear()
            held.append((item, of))
            if self._is_fault(one):
                faulty.add(number)
            if number in faulty:
                yield from (entry for entry, other in held if other in faulty)
                held.clear()
        yield from (entry for entry, other in held if other in faulty)

    def _is_fault(self, record: Record) -> bool:
        return isinstance(record.what, Faulted) and self.fault in (record.what.code, record.seq)
