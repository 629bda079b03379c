"""The record, followed: what was, from the journal, and what comes, as it comes.

A reader has a place in the record and nothing else. Nobody's events are queued for them, so one who reads
slowly holds nothing up and costs nothing; each takes what follows their place, and so misses nothing and gets nothing
twice.
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

RECENT = 2000  # records kept at hand, so that who is up to date needs no disk
BATCH = 1000  # records taken at a time
PAUSE = 0.02  # seconds between two portions for who is up to date: a thousand bets are not a thousand portions
BEHIND = 2  # readers for whom the disk is read at a time: each has the loop wait for Python's one lock
PORTION = 50  # records handed out before the table has its turn again: a thousand settled bets and twenty readers


class Feed:
    """The record of one table."""

    def __init__(self, journal: Path, head: int) -> None:
        self.head = head  # the last record that has been announced
        self.closed = False
        self._journal = journal
        self._recent: deque[Record] = deque(maxlen=RECENT)
        self._news = asyncio.Event()
        self._turns = Turns()
        self._reading = asyncio.Semaphore(BEHIND)

    def hear(self, records: Sequence[Record]) -> None:
        """These are durable."""
        self._recent.extend(records)
        self.head = records[-1].seq
        self._wake()

    def close(self) -> None:
        """The end: whoever follows is told no more."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def between(self, first: int, last: int) -> list[Record]:
        """The records from one to another, both included."""
        records: list[Record] = []
        while first <= last:
            batch = await self._next(first - 1, last - first + 1)
            records += batch
            first = batch[-1].seq + 1 if batch else last + 1
        return records

    async def follow(self, after: int, patience: float) -> AsyncGenerator[list[Record], None]:
        """What comes after a record, for ever, in portions; an empty one when nothing has come for so many seconds."""
        while not self.closed:
            batch = await self._next(after, BATCH)
            if not batch:
                await self._wait(patience)
                batch = await self._next(after, BATCH)
            for start in range(0, max(1, len(batch)), PORTION):
                await self._turns.mine()
                if self.closed:
                    return
                yield batch[start : start + PORTION]
            after = batch[-1].seq if batch else after
            if len(batch) < BATCH:  # that was all
                await asyncio.sleep(PAUSE)

    async def _wait(self, patience: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._news.wait()

    async def _next(self, after: int, most: int) -> list[Record]:
        """The next records after that one, so many at most; none when it is the last."""
        if after >= self.head:
            return []
        if self._recent and self._recent[0].seq <= after + 1:
            start = after + 1 - self._recent[0].seq
            return list(islice(self._recent, start, start + most))
        async with self._reading:
            return await asyncio.to_thread(self._read, after, min(most, BATCH))

    def _read(self, after: int, most: int) -> list[Record]:
        return list(islice(read(self._journal, after), most))
