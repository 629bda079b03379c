"""Handling of the signals that end a program: commands in a terminal, and programs that serve.

SIGTERM, or a closed terminal (SIGHUP), has the same effect as Ctrl-C, so that programs always clean up.
"""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from structlog.typing import FilteringBoundLogger


@contextmanager
def handle_end_signals(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Handle SIGTERM and SIGHUP with this handler inside the block; a signal ignored before (nohup) stays ignored."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    handled = [number for number, had in before.items() if had is not signal.SIG_IGN]
    for number in handled:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, before[number])


def ends(stopping: asyncio.Event, log: FilteringBoundLogger) -> list[object]:
    """Set `stopping` on an end signal or an unhandled error; returns the list that collects such errors.

    The signals are SIGTERM, SIGINT and SIGHUP; a SIGHUP ignored before (nohup) stays ignored.
    """
    errors: list[object] = []

    def fail(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        errors.append(context)
        log.error("crashed", what=context["message"], exc_info=context.get("exception"))
        stopping.set()

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(fail)
    hang_up = [signal.SIGHUP] if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN else []
    for number in (signal.SIGTERM, signal.SIGINT, *hang_up):
        loop.add_signal_handler(number, stopping.set)
    return errors
