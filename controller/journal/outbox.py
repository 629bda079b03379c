"""Delivery of the record to targets, each with its own place in the record, pace and failures.

Invariant: a target's place moves only when the target has taken everything before it. So everything arrives, in order,
at least once; a receiver that must not take a letter twice recognises it by its id.

The places are kept in a small SQLite file beside the journal, one row per target. A new target starts at the journal's
end; so does a target with a stored place beyond that end, as after the journal was replaced.
"""

import asyncio
import random
import sqlite3
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import closing, suppress
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import structlog

from ..core.coded_message import coded
from . import JournalFailed, copy_database
from .modes import make, narrow
from .tasks import cancel_tasks

T = TypeVar("T")

BUS = "bus "  # prefix of the bus target; its epoch follows


_SCHEMA = "CREATE TABLE IF NOT EXISTS places (target TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT"
_MOVE = "INSERT INTO places VALUES (?, ?) ON CONFLICT (target) DO UPDATE SET seq = excluded.seq"


def outbox_of(journal: Path) -> Path:
    """Return the path of the outbox file beside a journal."""
    return journal.with_name(journal.name + ".outbox")


class TargetPlaces:
    """Progress of each target in the record, kept on disk. Usable from any thread."""

    def __init__(self, journal: Path) -> None:
        self._path = outbox_of(journal)

    def begin(self, targets: Collection[str], end: int, new: int | None = None) -> dict[str, int]:
        """Store and return the place of each target. `end`: the journal's last record. Raises JournalFailed.

        A target without a stored place gets `new`, by default `end`; one with a place beyond `end` gets `end`.
        """
        narrow([self._path])
        if not targets:
            return {}
        seqs = self.read()
        places = {target: min(seqs.get(target, end if new is None else new), end) for target in targets}
        self._write({target: seq for target, seq in places.items() if seqs.get(target) != seq})
        return places

    def move(self, target: str, seq: int) -> None:
        """Store that a target has taken everything up to record `seq`. Raises JournalFailed."""
        self._write({target: seq})

    def read(self) -> dict[str, int]:
        """Return the stored place of each target; empty without a file. Raises JournalFailed."""
        if not self._path.exists() or not self._path.stat().st_size:
            return {}
        try:
            with closing(self._connect()) as db:  # a read-only connection cannot roll back after a crash
                return dict(db.execute("SELECT target, seq FROM places"))
        except sqlite3.Error as error:
            raise self._outbox_error(error) from None

    def copy(self, to: Path) -> None:
        """Copy the stored places to a new file. Raises JournalFailed."""
        try:
            with closing(self._connect()) as db:
                copy_database(db, to)
        except sqlite3.Error as error:
            raise self._outbox_error(error) from None

    def _write(self, places: dict[str, int]) -> None:
        with suppress(OSError):  # the file exists; SQLite reports other problems
            make(self._path)
        try:
            with closing(self._connect()) as db, db:
                db.execute("PRAGMA synchronous = FULL")
                db.execute(_SCHEMA)
                db.executemany(_MOVE, places.items())
        except sqlite3.Error as error:
            raise self._outbox_error(error) from None

    def _connect(self) -> sqlite3.Connection:
        """Open the file in mode `rw`; by default SQLite would create a file that everybody may read."""
        return sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True)

    def _outbox_error(self, error: sqlite3.Error) -> JournalFailed:
        return JournalFailed(coded("outbox_broken", path=str(self._path), error=str(error)))


class DeliveryPace(NamedTuple):
    """Waiting times of deliveries and retries, in seconds."""

    first: float = 1.0  # delay after the first failure; doubled with each further one
    longest: float = 300.0  # longest delay
    patience: float = 30.0  # time limit of one delivery

    def retry_delay(self, failures: int) -> float:
        """Seconds to the next attempt, randomly up to a half less so that tables do not retry all at once."""
        longest = min(self.first * 2.0 ** min(failures - 1, 30), self.longest)
        return longest * random.uniform(0.5, 1.0)  # noqa: S311 - no game


PACE = DeliveryPace()


class Parcel(NamedTuple, Generic[T]):
    """Next delivery to a target. Without a letter, the target's place only moves on."""

    seq: int  # new place of the target after the delivery
    letter: T | None


class Outbox(Generic[T]):
    """Delivery of a journal's records to one target, in order.

    Runs in the event loop; disk accesses run in threads. `pack`: returns the next parcel after a record, called in a
    thread; `post`: delivers a letter, returns None or the reason of the failure; `keep`: seconds between two writes of
    the place, for receivers that recognise repeated letters; `quiet`: deliveries are not logged.
    """

    def __init__(
        self,
        target: str,
        places: TargetPlaces,
        place: int,
        pack: Callable[[int], Parcel[T]],
        post: Callable[[T], Awaitable[str | None]],
        pace: DeliveryPace = PACE,
        *,
        keep: float = 0.0,
        quiet: bool = False,
    ) -> None:
        self.place = place
        self._keep, self._quiet = keep, quiet
        self._stored_place, self._stored_at = place, 0.0
        self._target, self._places, self._pack, self._post, self._pace = target, places, pack, post, pace
        self._woken = asyncio.Event()
        self._failures = 0
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger().bind(target=target)

    def start(self) -> None:
        """Start with the letters that were not delivered yet."""
        self._task = asyncio.create_task(self._run(), name=f"outbox {self._target}")

    def wake(self) -> None:
        """Look for new records now, and try a target again that was down."""
        self._woken.set()

    async def stop(self) -> None:
        """Stop at once: a delivery under way is cancelled and repeated after the next start."""
        if self._task is not None:
            await cancel_tasks([self._task])
            await self._write()

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            wait = await self._attempt()
            wait = await self._keep_place(wait)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._woken.wait()

    async def _attempt(self) -> float | None:
        """Deliver the next letter; return seconds to the next attempt, None if there is nothing more."""
        try:
            parcel = await asyncio.to_thread(self._pack, self.place)
            failure = None if parcel.letter is None else await self._post(parcel.letter)
        except Exception as error:  # noqa: BLE001 - one bad letter must not stop the table or other targets
            self._log.error("delivery_failed", exc_info=error)
            return self._pace.retry_delay(self._count_failure())
        if failure is not None:
            self._log.warning("not_delivered", seq=parcel.seq, reason=failure, failures=self._failures + 1)
            return self._pace.retry_delay(self._count_failure())
        await self._move(parcel)
        return None if parcel.letter is None else 0

    def _count_failure(self) -> int:
        self._failures += 1
        return self._failures

    async def _move(self, parcel: Parcel[T]) -> None:
        if parcel.letter is not None:
            self._failures = 0
            if not self._quiet:
                self._log.info("delivered", seq=parcel.seq)
        self.place = parcel.seq  # even if it cannot be stored: this process does not send it again

    async def _keep_place(self, wait: float | None) -> float | None:
        """Store the place if that is due; return seconds until there is work, None: wait for `wake`."""
        due = self._stored_at + self._keep - time.monotonic()
        if due > 0 and wait is None and self._stored_place != self.place:
            return due
        if due <= 0:
            await self._write()
        return wait

    async def _write(self) -> None:
        """Store the place if it differs from the stored one. A failure is logged."""
        if self._stored_place == self.place:
            return
        self._stored_place, self._stored_at = self.place, time.monotonic()
        try:
            await asyncio.to_thread(self._places.move, self._target, self.place)
        except JournalFailed as error:
            self._log.warning("place_not_kept", reason=str(error))
