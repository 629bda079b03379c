"""How a program in a terminal is told to end, other than by Ctrl-C.

Whoever ends it, or closes its terminal, means what Ctrl-C does, so that it leaves nothing behind.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


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
