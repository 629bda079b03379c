"""Keeping a second writer out.

The one rule: the kernel lets go of the lock with the process, however that ends. It is on the folder itself: a file
beside the journal could be removed, and whoever came next would lock another one of that name.
"""

import fcntl
import os
from pathlib import Path

from .file import JournalFailed, JournalInUse, broken


def is_written(path: Path) -> bool:
    """Whether a program writes this journal, as far as this user can see."""
    try:
        folder = _opened(path)
    except OSError:
        return False
    try:
        fcntl.flock(folder, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(folder)
    return False


def _opened(path: Path) -> int:
    """The folder that a journal really is in, whatever name it is opened under."""
    return os.open(Path(os.path.realpath(path)).parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


class Lock:
    """On the folder of a journal, which is a table's own."""

    def __init__(self, path: Path) -> None:
        try:
            if path.is_dir():
                raise JournalFailed(f"{path}: expected a file, this is a folder")
            self._folder: int | None = _opened(path)
        except OSError as error:
            raise broken(path, error) from None
        try:
            fcntl.flock(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise JournalInUse(
                f"{path}: another process writes this journal, or one beside it; the record of a table has a folder "
                "of its own"
            ) from None

    def close(self) -> None:
        """Once is enough; again does nothing."""
        if self._folder is not None:
            os.close(self._folder)
        self._folder = None
