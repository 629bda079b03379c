"""How a program is told to end: one in a terminal, other than by Ctrl-C; one that serves.

Whoever ends it, or closes its terminal, means what Ctrl-C does, so that it leaves nothing behind.
"""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from structlog.typing import FilteringBoundLogger


@contextmanager
def told_to_end(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Within this SIGTERM and SIGHUP are handled so; one that is ignored, as under nohup, stays so."""
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
    """What ends the program: a signal, or an error of our own, which is then in the list."""
    errors: list[object] = []

    def fail(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        errors.append(context)
        log.error("crashed", what=context["message"], exc_info=context.get("exception"))
        stopping.set()

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(fail)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    return errors
