"""Time that passes while a codec is tried: it keeps no clock, so that nothing it says changes by that."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from types import ModuleType
from typing import Any
from unittest.mock import patch

LATER = 0.03  # seconds
NAMES = ("time", "monotonic", "perf_counter", "time_ns", "monotonic_ns", "perf_counter_ns")
Wait = Callable[[], None]


@contextmanager
def a_moment_each(_: object) -> Iterator[Wait]:
    """Real time; what is given lets a moment of it pass."""
    yield lambda: time.sleep(LATER)


@contextmanager
def an_hour_a_look(codec: object) -> Iterator[Wait]:
    """Clocks that are an hour further each time the modules of this codec look at one."""
    hours = count(1)

    def late(name: str) -> Callable[[], float]:
        clock, hour = getattr(time, name), 3600 * 10**9 if name.endswith("_ns") else 3600
        return lambda: clock() + hour * next(hours)

    fake: Any = ModuleType("time")
    vars(fake).update(vars(time))
    others = [(time, fake)]
    for name in NAMES:
        setattr(fake, name, late(name))
        others.append((getattr(time, name), getattr(fake, name)))
    with ExitStack() as changed:
        for module in {sys.modules[kind.__module__] for kind in type(codec).__mro__ if kind is not object}:
            for name, value in [*vars(module).items()]:
                for real, other in others:
                    if value is real:
                        changed.enter_context(patch.object(module, name, other))
        yield lambda: None
