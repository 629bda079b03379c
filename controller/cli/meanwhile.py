"""A long work at the command line that says it goes on: whoever waits at the terminal sees what for."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

import click

QUIET = 4.0  # seconds without a line
T = TypeVar("T")


class News:
    """Lines on standard error as they change; the newest once more where nothing has changed for a while."""

    def __init__(self, first: str) -> None:
        """`first`: what is waited for until there is news."""
        self._newest, self._fresh = first, False

    def tell(self, line: str) -> None:
        """Print a line unless it is the newest already."""
        if line != self._newest:
            self._newest, self._fresh = line, True
            click.echo(line, err=True)

    async def over(self, work: Coroutine[Any, Any, T]) -> T:
        """Await the work, and repeat the newest line whenever nothing was printed for some seconds."""
        task = asyncio.ensure_future(work)
        try:
            while not (await asyncio.wait([task], timeout=QUIET))[0]:
                if not self._fresh:
                    click.echo(f"still: {self._newest}", err=True)
                self._fresh = False
            return task.result()
        finally:
            if task.cancel():
                with suppress(asyncio.CancelledError):
                    await task
