"""Delivery of the record to targets, each with its own place in the record, pace and troubles.

Invariant: a target's place moves only when the target has taken everything before it. So everything arrives, in order,
at least once; a receiver that must not take a letter twice recognises it by its id.

The places are kept in a small SQLite file beside the journal, one row per target. A target that was never heard of
starts at the journal's end; so does one with a place beyond that end, as after the journal was replaced.
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

from . import JournalFailed, put
from .modes import make, narrow
from .tasks import ended

T = TypeVar("T")

BUS = "bus "  # and an epoch: the target on the bus


_SCHEMA = "CREATE TABLE IF NOT EXISTS places (target TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT"
_MOVE = "INSERT INTO places VALUES (?, ?) ON CONFLICT (target) DO UPDATE SET seq = excluded.seq"


def outbox_of(journal: Path) -> Path:
    """The file beside a journal."""
    return journal.with_name(journal.name + ".outbox")


class Places:
    """Progress of each target in the record, kept on disk. Usable from any thread."""

    def __init__(self, journal: Path) -> None:
        self._path = outbox_of(journal)

    def begin(self, targets: Collection[str], end: int) -> dict[str, int]:
        """The place of each target, kept from here on. `end`: the journal's last record. Raises JournalFailed."""
        narrow([self._path])
        if not targets:
            return {}
        kept = self.read()
        places = {target: min(kept.get(target, end), end) for target in targets}
        self._write({target: seq for target, seq in places.items() if kept.get(target) != seq})
        return places

    def move(self, target: str, seq: int) -> None:
        """All up to that record is done with. Raises JournalFailed."""
        self._write({target: seq})

    def read(self) -> dict[str, int]:
        """Return the stored place of each target; empty without a file. Raises JournalFailed."""
        if not self._path.exists() or not self._path.stat().st_size:
            return {}
        try:
            with closing(self._opened()) as db:  # read-only it could not undo what a crash left half done
                return dict(db.execute("SELECT target, seq FROM places"))
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def copy(self, to: Path) -> None:
        """Copy what is kept to a new file. Raises JournalFailed."""
        try:
            with closing(self._opened()) as db:
                put(db, to)
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def _write(self, places: dict[str, int]) -> None:
        with suppress(OSError):  # SQLite says what stands in the way
            make(self._path)
        try:
            with closing(self._opened()) as db, db:
                db.execute("PRAGMA synchronous = FULL")
                db.execute(_SCHEMA)
                db.executemany(_MOVE, places.items())
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def _opened(self) -> sqlite3.Connection:
        """`rw`: SQLite would make a file that everybody may read."""
        return sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True)

    def _broken(self, error: sqlite3.Error) -> JournalFailed:
        return JournalFailed(f"{self._path}: {error}; without this file every target starts at the record's end")


class Pace(NamedTuple):
    """Waiting times of deliveries and retries, in seconds."""

    first: float = 1.0  # after the first failure; doubled with each further one
    longest: float = 300.0
    patience: float = 30.0  # for one delivery

    def after(self, failures: int) -> float:
        """Seconds to the next attempt. By chance up to a half less, so that many tables do not come all at once."""
        longest = min(self.first * 2.0 ** min(failures - 1, 30), self.longest)
        return longest * random.uniform(0.5, 1.0)  # noqa: S311 - no game


PACE = Pace()


class Parcel(NamedTuple, Generic[T]):
    """Next delivery to a target. Without a letter, the target's place only moves on."""

    seq: int  # the record up to which all is done with, once it is delivered
    letter: T | None


class Outbox(Generic[T]):
    """One target's way through the journal. All of it runs on the loop; disk and network are waited for elsewhere.

    `pack` says what is next after a record; it runs in a thread. `post` delivers a letter and returns None, or why not.
    `keep`: seconds between two writings of the place, where whoever takes the letters knows those again that come
    twice. `quiet`: a delivery is no news.
    """

    def __init__(
        self,
        target: str,
        places: Places,
        place: int,
        pack: Callable[[int], Parcel[T]],
        post: Callable[[T], Awaitable[str | None]],
        pace: Pace = PACE,
        *,
        keep: float = 0.0,
        quiet: bool = False,
    ) -> None:
        self.place = place
        self._keep, self._quiet = keep, quiet
        self._kept, self._kept_at = place, 0.0
        self._target, self._places, self._pack, self._post, self._pace = target, places, pack, post, pace
        self._woken = asyncio.Event()
        self._failures = 0
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger().bind(target=target)

    def start(self) -> None:
        """Begin with what was left undelivered."""
        self._task = asyncio.create_task(self._run(), name=f"outbox {self._target}")

    def wake(self) -> None:
        """There is something new in the journal. It is also a reason to try a target again that was down."""
        self._woken.set()

    async def stop(self) -> None:
        """At once: a delivery under way is given up, and made again after the next start."""
        if self._task is not None:
            await ended([self._task])
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
        """Deliver what is next. Seconds to the next attempt; None where there is nothing more."""
        try:
            parcel = await asyncio.to_thread(self._pack, self.place)
            failure = None if parcel.letter is None else await self._post(parcel.letter)
        except Exception as error:  # noqa: BLE001 - a letter that cannot be made stops neither the table nor the others
            self._log.error("delivery_failed", exc_info=error)
            return self._pace.after(self._failed())
        if failure is not None:
            self._log.warning("not_delivered", seq=parcel.seq, reason=failure, failures=self._failures + 1)
            return self._pace.after(self._failed())
        await self._move(parcel)
        return None if parcel.letter is None else 0

    def _failed(self) -> int:
        self._failures += 1
        return self._failures

    async def _move(self, parcel: Parcel[T]) -> None:
        if parcel.letter is not None:
            self._failures = 0
            if not self._quiet:
                self._log.info("delivered", seq=parcel.seq)
        self.place = parcel.seq  # also where it cannot be written: what was taken is not sent again by this program

    async def _keep_place(self, wait: float | None) -> float | None:
        """Write it, where that is due. Seconds until there is something to do; null: it comes of itself."""
        due = self._kept_at + self._keep - time.monotonic()
        if due > 0 and wait is None and self._kept != self.place:
            return due
        if due <= 0:
            await self._write()
        return wait

    async def _write(self) -> None:
        """Keep the place, if it is another than the one kept."""
        if self._kept == self.place:
            return
        self._kept, self._kept_at = self.place, time.monotonic()
        try:
            await asyncio.to_thread(self._places.move, self._target, self.place)
        except JournalFailed as error:
            self._log.warning("place_not_kept", reason=str(error))
