"""Count of the files that this process has open, to find descriptors that are never closed."""

from pathlib import Path


def open_files() -> int:
    """Return the number of open file descriptors of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))
