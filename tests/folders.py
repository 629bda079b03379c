"""Passing folders of tests."""

from pathlib import Path
from tempfile import TemporaryDirectory

MEMORY = Path("/dev/shm")


def in_memory() -> TemporaryDirectory[str]:
    """A folder whose files need no disk, for records that a test writes and reads once; removed when left."""
    return TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
