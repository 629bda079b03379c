"""Waiting for what must come: one patience for all tests, counted in looks so that it grows on a slow machine."""

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
    """Look until `holds()` is true; returns its value. Raises NeverHappened after so many looks."""
    for _ in range(looks):
        if value := holds():
            return value
        time.sleep(PAUSE)
    raise NeverHappened(f"not within {looks} looks; last seen: {holds()!r}")


async def until(holds: Callable[[], T], looks: int = LOOKS) -> T:
    """As `eventually`, while the event loop runs on."""
    for _ in range(looks):
        if value := holds():
            return value
        await asyncio.sleep(PAUSE)
    raise NeverHappened(f"not within {looks} looks; last seen: {holds()!r}")


async def turns(count: int = 100) -> None:
    """Let the event loop turn so often: whatever is due at once happens meanwhile."""
    for _ in range(count):
        await asyncio.sleep(0)


def on_loop(steps: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a test's steps on an event loop of their own."""

    async def limited() -> T:
        async with asyncio.timeout(2 * PATIENCE):
            return await steps()

    return asyncio.run(limited())
