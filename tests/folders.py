"""Temporary folders of tests, in memory if possible."""

from pathlib import Path
from tempfile import TemporaryDirectory

MEMORY = Path("/dev/shm")


def in_memory() -> TemporaryDirectory[str]:
    """Return a temporary folder, in memory if possible, for files that need not survive a power cut."""
    return TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)
