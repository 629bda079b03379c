"""Helpers to run several tasks together, and to end them reliably.

Python 3.11's `wait_for` loses a cancellation that coincides with its result, and the bus client uses it. A task group
cancels once, and waits forever for a task that has lost its cancellation.
"""

import asyncio
from collections.abc import Awaitable, Collection

AGAIN = 0.05  # seconds until a task that is still running is cancelled again


async def run_together(*works: Awaitable[None]) -> None:
    """Run coroutines until all have ended, one fails, or this is cancelled; then none is left running.

    Raises the error of the first one that fails.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        await cancel_tasks(tasks)


async def cancel_tasks(tasks: Collection[asyncio.Future[None]]) -> None:
    """Cancel tasks, repeatedly if needed, until all have ended.

    Raises CancelledError afterwards if this call was cancelled meanwhile.
    """
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
