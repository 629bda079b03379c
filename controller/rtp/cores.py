"""All cores at work: numbered jobs, whose results come back in order.

The one rule: a job says all it needs, its own seed included, so that results never depend on how many cores there are.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import TypeVar

_J = TypeVar("_J")
_R = TypeVar("_R")


def spread(work: Callable[[_J], _R], jobs: Sequence[_J], cores: int | None = None) -> Iterator[_R]:
    """What came of each job, in order. `cores`: by default all that this process may run on."""
    cores = min(len(jobs), cores or len(os.sched_getaffinity(0)))
    if cores <= 1:
        yield from map(work, jobs)
        return
    pool = ProcessPoolExecutor(cores, get_context("spawn"), initializer=_end_with_parent)
    try:
        # Ctrl-C goes to every process of the terminal; the workers, which start now, inherit that they do not hear it
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        results = pool.map(work, jobs)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        yield from results
    finally:
        pool.shutdown(cancel_futures=True)


def shares(whole: int, most: int, seed: str) -> list[tuple[int, str]]:
    """Work cut into jobs: how much each does, and a seed of its own."""
    return [(min(most, whole - done), f"{seed}/{number}") for number, done in enumerate(range(0, whole, most))]


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for jobs for ever."""
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = parent_process()
    assert parent is not None  # noqa: S101 - only workers come here
    parent.join()
    os._exit(1)
