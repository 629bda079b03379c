"""Running several works beside each other, and ending them for certain.

Python 3.11's `wait_for` loses a cancellation that meets its answer, and the bus' client waits by it. A task group
cancels once, and waits for ever for a work that has not heard it.
"""

import asyncio
from collections.abc import Awaitable, Collection

AGAIN = 0.05  # seconds until a work that has not heard it is told to end once more


async def together(*works: Awaitable[None]) -> None:
    """Run these until all have ended, one fails, or this is cancelled; none of them outlives it.

    Raises what the first failing work raises.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        await ended(tasks)


async def ended(tasks: Collection[asyncio.Future[None]]) -> None:
    """Cancel these, however often that takes; being cancelled meanwhile is heard once all have ended."""
    left, was_cancelled = set(tasks), False
    while left:
        for task in left:
            task.cancel()
        try:
            await asyncio.wait(left, timeout=AGAIN)
        except asyncio.CancelledError:
            was_cancelled = True
        left = {task for task in left if not task.done()}
    if was_cancelled:
        raise asyncio.CancelledError
