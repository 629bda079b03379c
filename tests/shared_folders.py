"""Folders that take long to make: made once for all workers of a run, and never changed by a test."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")


@contextmanager
def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Iterator[Path]:
    """Yield the folder `name`. The first worker fills it with `make`, the last one removes it."""
    top = (factory.getbasetemp().parent if WORKER else factory.getbasetemp()) / "once"
    folder, users = top / name, top / f"{name}.users"
    with _alone(top, name):
        users.mkdir(exist_ok=True)
        if not folder.exists():
            _fill(folder, make)
        (users / (WORKER or "only")).touch()
    try:
        yield folder
    finally:
        with _alone(top, name):
            (users / (WORKER or "only")).unlink()
            if not any(users.iterdir()):
                shutil.rmtree(folder)


def _fill(folder: Path, make: Callable[[Path], None]) -> None:
    half = folder.with_name(f"{folder.name}.half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(mode=0o755)
    make(half)
    half.rename(folder)


@contextmanager
def _alone(top: Path, name: str) -> Iterator[None]:
    """Let only one worker at a time into the block, for each name."""
    top.mkdir(exist_ok=True)
    with (top / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
