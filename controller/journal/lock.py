"""Keeping a second writer out.

The kernel lets go of the lock with the process, however that ends.
"""

import fcntl
import os
from pathlib import Path

from .file import JournalFailed, JournalInUse, broken


def is_written(path: Path) -> bool:
    """Whether a program writes this journal, as far as this user can see."""
    try:
        file = os.open(_beside(Path(os.path.realpath(path))), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def _beside(real: Path) -> Path:
    return real.with_name(real.name + ".lock")


class Lock:
    """A lock beside the file, whatever name it is opened under."""

    def __init__(self, path: Path) -> None:
        real = Path(os.path.realpath(path))
        lock = _beside(real)
        try:
            if real.is_dir():
                raise JournalFailed(f"{path}: expected a file, this is a folder")
            self._file: int | None = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        except OSError as error:
            raise broken(lock, error) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise JournalInUse(f"{path}: another process writes this journal") from None

    def close(self) -> None:
        """Once is enough; again does nothing."""
        if self._file is not None:
            os.close(self._file)
        self._file = None
