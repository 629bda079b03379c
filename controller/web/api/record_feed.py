"""Feed of the record for readers: stored records from the journal, then new ones as they come.

A reader has a place in the record and nothing else. No events are queued for a reader, so a slow one delays nobody and
costs no memory. Each reader takes the records after its place, and so misses none and gets none twice.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from ...core.records import Record
from ...journal import read
from ..net.turns import Turns

RECENT = 2000  # records kept in memory, so that readers who are up to date need no disk
BATCH = 1000  # records read at a time
PAUSE = 0.02  # seconds between two portions for a reader who is up to date: a thousand bets are sent together
BEHIND = 2  # readers for whom the disk is read at a time: each read makes the event loop wait for Python's lock (GIL)
PORTION = 50  # records per portion, then the table has its turn: twenty readers may get a thousand settled bets each


class RecordFeed:
    """Feed of the record of one table."""

    def __init__(self, journal: Path, head: int) -> None:
        self.head = head  # the last record that has been announced
        self.closed = False
        self._journal = journal
        self._recent: deque[Record] = deque(maxlen=RECENT)
        self._news = asyncio.Event()
        self._turns = Turns()
        self._reading = asyncio.Semaphore(BEHIND)

    def hear(self, records: Sequence[Record]) -> None:
        """Called with committed records; keeps the recent ones and wakes the readers."""
        self._recent.extend(records)
        self.head = records[-1].seq
        self._wake()

    def close(self) -> None:
        """End the feed: all readers stop."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def records_between(self, first: int, last: int) -> list[Record]:
        """Return the records from `first` to `last`, both included."""
        records: list[Record] = []
        while first <= last:
            batch = await self._next(first - 1, last - first + 1)
            records += batch
            first = batch[-1].seq + 1 if batch else last + 1
        return records

    async def follow(self, after: int, patience: float) -> AsyncGenerator[list[Record], None]:
        """Yield the records after a given one in portions until the feed is closed.

        A portion is empty if nothing has come for `patience` seconds.
        """
        while not self.closed:
            batch = await self._next(after, BATCH)
            if not batch:
                await self._wait(patience)
                batch = await self._next(after, BATCH)
            for start in range(0, max(1, len(batch)), PORTION):
                await self._turns.wait_for_turn()
                if self.closed:
                    return
                yield batch[start : start + PORTION]
            after = batch[-1].seq if batch else after
            if len(batch) < BATCH:  # the reader is up to date
                await asyncio.sleep(PAUSE)

    async def _wait(self, patience: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._news.wait()

    async def _next(self, after: int, most: int) -> list[Record]:
        """Return at most `most` records after this one; none if it is the last."""
        if after >= self.head:
            return []
        if self._recent and self._recent[0].seq <= after + 1:
            start = after + 1 - self._recent[0].seq
            return list(islice(self._recent, start, start + most))
        async with self._reading:
            return await asyncio.to_thread(self._read, after, min(most, BATCH))

    def _read(self, after: int, most: int) -> list[Record]:
        return list(islice(read(self._journal, after), most))
