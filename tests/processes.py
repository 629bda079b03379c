"""Programs of the tests that are there at once: forked from a process that has loaded what they need."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.floor.dealing", "tests.floor.feeding", "tests.bus.dealing"])


@contextmanager
def beside(target: Callable[..., None], *what: object) -> Iterator[ForkServerProcess]:
    """It runs until it is killed here, at the latest when this is left."""
    process = PROCESSES.Process(target=target, args=what, daemon=True)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()
