"""Whether an open journal is still there: under its name, with its log beside it, and written to by nobody else.

The one rule: what is written to a file that no longer has its name is not on record.
"""

import os
from pathlib import Path

from ..text import pc_texts as t
from .file import JournalFailed, broken

Identity = tuple[int, int]


class Presence:
    """The files of an open journal. `path`: the name it was asked for by, which may be a link to `real`.

    The descriptor stands for the file whatever its name is. It is one with O_PATH: to close another one would let go
    of the locks that SQLite holds on the same file.
    """

    def __init__(self, path: Path, real: Path) -> None:
        """To be made right after they were opened. Raises JournalFailed."""
        self._path = str(path)
        self._log = {file: _found(file) for file in (f"{real}-wal", f"{real}-shm")}
        try:
            self._file = os.open(real, os.O_PATH | os.O_CLOEXEC)
        except OSError as error:
            raise broken(path, error) from None
        self.note()

    def note(self) -> None:
        """We may have written to the file."""
        self._written = _written(os.fstat(self._file))

    @property
    def ours(self) -> bool:
        """Whether nobody else has written to the file."""
        return self._written == _written(os.fstat(self._file))

    @property
    def size(self) -> int:
        """The file's, in bytes."""
        return os.fstat(self._file).st_size

    @property
    def removed(self) -> bool:
        """Whether the file has no name any more: when it is closed, it is gone."""
        return os.fstat(self._file).st_nlink == 0

    def check(self) -> None:
        """Raises JournalFailed unless all is as we left it."""
        now = os.fstat(self._file)
        if _found(self._path) != _identity(now):
            raise _lost(self._path, t.ANOTHER_FILE)
        if self._written != _written(now):
            raise _lost(self._path, t.WRITTEN_TO)
        for path, before in self._log.items():
            if _found(path) != before:
                raise _lost(path, t.ANOTHER_FILE)

    def close(self) -> None:
        """Let go of the descriptor."""
        os.close(self._file)


def _found(path: str) -> Identity:
    """Which file has that name. Raises JournalFailed."""
    try:
        return _identity(os.stat(path))  # noqa: PTH116 - before each card, and a Path's takes twice as long
    except FileNotFoundError:
        raise _lost(path, t.REMOVED) from None
    except OSError as error:
        raise broken(path, error) from None


def _identity(found: os.stat_result) -> Identity:
    return found.st_dev, found.st_ino


def _written(found: os.stat_result) -> tuple[int, int]:
    return found.st_size, found.st_mtime_ns


def _lost(path: str, what: str) -> JournalFailed:
    return JournalFailed(t.WRONG_FILE.format(path=path, what=what))
