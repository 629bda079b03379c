"""Wait for a condition in tests; the limit is a number of looks, so that slow machines get more time."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

PAUSE = 0.005  # seconds between two looks on an idle machine; far more on a busy one
PATIENCE = 120.0  # seconds for a single answer that should take a fraction of one: `process.wait(PATIENCE)`
LOOKS = round(PATIENCE / PAUSE)


class NeverHappened(AssertionError):
    """The condition that a test waited for did not become true."""


def eventually(holds: Callable[[], T], looks: int = LOOKS) -> T:
    """Call `holds` until it returns a true value; return that. Raises NeverHappened after `looks` calls."""
    for _ in range(looks):
        if value := holds():
            return value
        time.sleep(PAUSE)
    raise NeverHappened(f"not within {looks} looks; last seen: {holds()!r}")


async def until(holds: Callable[[], T], looks: int = LOOKS) -> T:
    """Wait as `eventually` does, while the event loop runs on."""
    for _ in range(looks):
        if value := holds():
            return value
        await asyncio.sleep(PAUSE)
    raise NeverHappened(f"not within {looks} looks; last seen: {holds()!r}")


async def turns(count: int = 100) -> None:
    """Let the event loop turn `count` times, so that everything that is due at once happens."""
    for _ in range(count):
        await asyncio.sleep(0)


def on_loop(steps: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a test's steps on a new event loop; return their result."""

    async def limited() -> T:
        async with asyncio.timeout(2 * PATIENCE):
            return await steps()

    return asyncio.run(limited())
