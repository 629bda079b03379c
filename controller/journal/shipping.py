"""Shipping of a record: new records are appended to the parts in a folder.

Invariant: shipped records are never overwritten. A record that differs from the shipped one, as after an older copy was
put back, is refused. If a person has accepted a loss, the shipped parts of the lost records are set aside.
"""

import fcntl
import os
from pathlib import Path
from typing import Self

from ..core.coded_message import CodedMessage, coded
from ..core.mark import Mark
from ..core.records import LossAccepted
from ..core.state import State
from ..core.witness import last_of
from ..text.errors import system_message
from .anchor import find_contradiction
from .file import Damaged, Head, JournalError, JournalFailed, JournalInUse, sync
from .modes import MOST
from .parts import LOST, TAIL, Heading, PartFile, line_of, look_at, name_of, read_valid_part, sealed_paths
from .reader import head_of, reach
from .recovery import recover_state
from .rows import Row, decode_row, flaw
from .verification import Passed, fetch_rows, hash_at, ignore_progress

FULL = 4096  # records of a part
AT_ONCE = 512  # most records that are read and written at once


class ShipRefused(JournalError):
    """Record does not continue the one that was shipped."""


class Shipping:
    """Shipping of one record into one folder, as a context manager. It locks the folder."""

    def __init__(self, journal: Path, folder: Path) -> None:
        """Lock the folder. Raises JournalFailed, JournalInUse."""
        self._journal, self._folder = journal, folder
        self._tail: PartFile | None = None
        self._is_read = False  # False: the tail must be read, at first and after a failure
        try:
            self._lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise JournalFailed(f"{folder}: {system_message(error)}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise JournalInUse(coded("folder_in_use", path=str(folder))) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock of the folder."""
        os.close(self._lock)

    def _read_valid_tail(self) -> None:
        """Find out how much of the tail is valid."""
        path = self._folder / TAIL
        tail = read_valid_part(path) if path.exists() else None
        self._tail, self._is_read = (tail if tail and tail.records else None), True

    def step(self, passed: Passed = ignore_progress) -> Head:
        """Ship all new records; return the last one shipped.

        Raises ShipRefused, JournalFailed, Damaged, NotAJournal.
        """
        if not self._is_read:
            self._read_valid_tail()
        head = self._go_on()
        end = head_of(self._journal)
        while head.seq < end.seq:
            rows = fetch_rows(self._journal, head.seq, AT_ONCE)
            if not rows:
                raise Damaged(coded("record_absent", path=str(self._journal), seq=head.seq + 1))
            head = self._ship(head, rows)
            passed(head.seq)
        return head

    def _go_on(self) -> Head:
        """Return the record to continue after: the last shipped one, if it is still in the journal.

        Parts of records that were accepted as lost are set aside. Raises ShipRefused.
        """
        last = self._tail or self._last_sealed_part()
        if last is None:
            return self._head_at(reach(self._journal))
        if hash_at(self._journal, last.end.seq) == last.end.hash:
            return last.end
        state = recover_state(self._journal)
        stands = last_of(state, last.epoch)
        if stands is None or last.epoch == state.identity.epoch or stands >= last.end.seq:
            raise ShipRefused(self._refusal(state, last))
        self._set_aside(stands)
        return self._go_on()

    def _refusal(self, state: State, last: PartFile) -> CodedMessage:
        mark = Mark(last.epoch, last.end.seq, last.end.hash.hex(), last.table)
        contradiction = find_contradiction(self._journal, state, mark, coded("the_folder", path=str(self._folder)))
        what = contradiction.message if contradiction else coded("not_shipped")
        return coded("ship_refused", path=str(self._journal), what=what, then=coded("ship_again"))

    def _last_sealed_part(self) -> PartFile | None:
        return next((part for path in reversed(sealed_paths(self._folder)) if (part := look_at(path))), None)

    def _set_aside(self, stands: int) -> None:
        """Rename the parts that end after record `stands`, as accepted losses. Raises JournalFailed."""
        try:
            if self._tail is not None:
                self._tail.path.rename(self._folder / (name_of(self._tail) + LOST))
                self._tail = None
            while (last := self._last_sealed_part()) is not None and last.end.seq > stands:
                last.path.rename(last.path.with_name(last.path.name + LOST))
            sync(self._folder)
        except OSError as error:
            raise self._failure(error) from None

    def _ship(self, head: Head, rows: list[Row]) -> Head:
        """Append rows up to the end of the present part; return the last one appended.

        Raises Damaged, JournalFailed.
        """
        chosen: list[Row] = []
        for row in rows:
            if reason := flaw(head, row):
                raise Damaged(coded("ship_stopped", path=str(self._journal), seq=head.seq + 1, reason=reason))
            begins = isinstance(decode_row(self._journal, row).what, LossAccepted)
            if self._count + len(chosen) >= FULL or (begins and self._count + len(chosen)):
                break
            chosen.append(row)
            head = Head(row[0], row[-1])
        if chosen:
            self._append(chosen, head)
        if len(chosen) < len(rows):
            self._seal()
        return head

    @property
    def _count(self) -> int:
        return self._tail.records if self._tail else 0

    def _append(self, rows: list[Row], head: Head) -> None:
        """Append rows to the tail; durable when this returns. Raises JournalFailed."""
        lines = b"".join(map(line_of, rows))
        try:
            tail = self._tail or self._create_tail(rows[0])
            descriptor = os.open(tail.path, os.O_WRONLY | os.O_CLOEXEC)
            with os.fdopen(descriptor, "wb") as file:
                file.truncate(tail.size)  # removes an incomplete write
                file.seek(tail.size)
                file.write(lines)
                file.flush()
                os.fsync(descriptor)
        except OSError as error:
            raise self._failure(error) from None
        self._tail = tail._replace(end=head, size=tail.size + len(lines))

    def _create_tail(self, first: Row) -> PartFile:
        """Create a tail without records. Raises OSError."""
        state, before = recover_state(self._journal), self._head_at(first[0] - 1)
        heading = Heading(1, state.table, _epoch_of(state, first[0]), str(before))
        path = self._folder / TAIL
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, MOST)
        with os.fdopen(descriptor, "wb") as file:
            file.write(heading.line)
        sync(self._folder)
        return PartFile(path, state.table, heading.epoch, before, before, len(heading.line))

    def _head_at(self, seq: int) -> Head:
        return Head(seq, hash_at(self._journal, seq) or b"")

    def _seal(self) -> None:
        """Rename the tail to a sealed part, which changes no more. Raises JournalFailed."""
        if self._tail is None:
            return
        try:
            self._tail.path.rename(self._folder / name_of(self._tail))
            sync(self._folder)
        except OSError as error:
            raise self._failure(error) from None
        self._tail = None

    def _failure(self, error: OSError) -> JournalFailed:
        self._is_read = False
        return JournalFailed(f"{self._folder}: {system_message(error)}")


def _epoch_of(state: State, seq: int) -> str:
    """Return the epoch that a record belongs to."""
    return next((loss.epoch for loss in state.losses if loss.stands >= seq), state.identity.epoch)
