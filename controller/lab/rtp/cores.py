"""Run numbered jobs on all processor cores; the results come back in order.

A job holds all that it needs, including its own seed, so that results never depend on the number of cores.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import TypeVar

_J = TypeVar("_J")
_R = TypeVar("_R")
AHEAD = 8  # jobs for each core; with 16 000 at once the pool of Python 3.11.2 may stand still (gh-105829)


def spread(work: Callable[[_J], _R], jobs: Sequence[_J], cores: int | None = None) -> Iterator[_R]:
    """Yield the result of each job, in order. `cores`: by default all that this process may run on."""
    cores = min(len(jobs), cores or len(os.sched_getaffinity(0)))
    if cores <= 1:
        yield from map(work, jobs)
        return
    pool = ProcessPoolExecutor(cores, get_context("spawn"), initializer=_end_with_parent)
    ahead: deque[Future[_R]] = deque()
    try:
        for job in jobs:
            ahead.append(_submit(pool, work, job))
            if len(ahead) == AHEAD * cores:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, work: Callable[[_J], _R], job: _J) -> Future[_R]:
    """Submit a job with SIGINT blocked, which a new worker inherits.

    Ctrl-C goes to every process of the terminal, and a worker must not receive it.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(work, job)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def shares(whole: int, most: int, seed: str) -> list[tuple[int, str]]:
    """Divide work into jobs of at most `most`: the size and the seed of each."""
    return [(min(most, whole - done), f"{seed}/{number}") for number, done in enumerate(range(0, whole, most))]


def _end_with_parent() -> None:
    """End the worker with its parent.

    If the parent is killed, the worker would wait for jobs without end.
    """
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = parent_process()
    assert parent is not None  # noqa: S101 - only workers come here
    parent.join()
    os._exit(1)
