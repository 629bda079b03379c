"""Lock of a journal's folder, which keeps a second writer out.

Invariant: the kernel releases the lock when the process ends, however it ends. The lock is on the folder itself: a lock
file could be removed, and the next process would lock another file of that name.
"""

import fcntl
import os
from pathlib import Path

from ..core.coded_message import coded
from .file import JournalFailed, JournalInUse, journal_error


def is_written(path: Path) -> bool:
    """True if a program writes this journal now, as far as this user can see.

    The lock is on the folder, where the writer may have another journal: only an open one has a write-ahead log.
    """
    return _is_locked(path) and Path(f"{os.path.realpath(path)}-wal").exists()


def refuse_locked(path: Path) -> None:
    """Raise JournalInUse if another process holds the lock of the folder, as far as this user can see."""
    if _is_locked(path):
        raise _in_use_error(path)


def _is_locked(path: Path) -> bool:
    try:
        folder = _open_folder(path)
    except OSError:
        return False
    try:
        fcntl.flock(folder, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(folder)
    return False


def _in_use_error(path: Path) -> JournalInUse:
    return JournalInUse(coded("journal_in_use", path=str(path)))


def _open_folder(path: Path) -> int:
    """Open the folder of the journal's file, with links resolved. Raises OSError."""
    return os.open(Path(os.path.realpath(path)).parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


class Lock:
    """Exclusive lock of a journal's folder, which is one table's own. Raises JournalFailed, JournalInUse."""

    def __init__(self, path: Path) -> None:
        try:
            if path.is_dir():
                raise JournalFailed(coded("is_a_folder", path=str(path)))
            self._folder: int | None = _open_folder(path)
        except OSError as error:
            raise journal_error(path, error) from None
        try:
            fcntl.flock(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise _in_use_error(path) from None

    def close(self) -> None:
        """Release the lock. Further calls do nothing."""
        if self._folder is not None:
            os.close(self._folder)
        self._folder = None
