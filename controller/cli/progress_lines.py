"""Progress lines of a long command, repeated so that the person at the terminal sees that it still works."""

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

import click

QUIET = 4.0  # seconds without a line until the newest is repeated
T = TypeVar("T")


class ProgressLines:
    """Prints progress lines on standard error, and repeats the newest one if nothing changes for a while."""

    def __init__(self, first: str) -> None:
        """Begin with the line `first`, which is shown until there is news."""
        self._newest, self._at = first, time.monotonic()

    def tell(self, line: str) -> None:
        """Print a line unless it is the newest already."""
        if line != self._newest:
            self._newest = line
            self._print(line)

    async def await_work(self, work: Coroutine[Any, Any, T]) -> T:
        """Await the work, and repeat the newest line whenever nothing was printed for some seconds."""
        task = asyncio.ensure_future(work)
        try:
            while not (await asyncio.wait([task], timeout=max(0.0, self._seconds_left)))[0]:
                if self._seconds_left <= 0:
                    self._print(f"still: {self._newest}")
            return task.result()
        finally:
            if task.cancel():
                with suppress(asyncio.CancelledError):
                    await task

    @property
    def _seconds_left(self) -> float:
        """Seconds until the newest line is repeated."""
        return self._at + QUIET - time.monotonic()

    def _print(self, line: str) -> None:
        self._at = time.monotonic()
        click.echo(line, err=True)
