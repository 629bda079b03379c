"""Check of an open journal: still under its name, with its log, and written by nobody else.

Invariant: records written to a file that has lost its name do not count as recorded.
"""

import os
from pathlib import Path

from ..core.coded_message import coded
from .file import JournalFailed, journal_error

FileIdentity = tuple[int, int]


class Presence:
    """FileIdentity of an open journal's files. `path`: name it was opened by, which may be a link to `real`.

    The descriptor stays with the file whatever its name is. It is opened with O_PATH: closing any other descriptor
    would release the locks that SQLite holds on the same file.
    """

    def __init__(self, path: Path, real: Path) -> None:
        """Note the files' identity; call this right after opening them. Raises JournalFailed."""
        self._path = str(path)
        self._log = {file: _identify(file) for file in (f"{real}-wal", f"{real}-shm")}
        try:
            self._file = os.open(real, os.O_PATH | os.O_CLOEXEC)
        except OSError as error:
            raise journal_error(path, error) from None
        self.note()

    def note(self) -> None:
        """Note size and time of the file after a write of our own."""
        self._written = _size_and_time(os.fstat(self._file))

    @property
    def is_ours(self) -> bool:
        """True if nobody else has written to the file."""
        return self._written == _size_and_time(os.fstat(self._file))

    @property
    def size(self) -> int:
        """Size of the file in bytes."""
        return os.fstat(self._file).st_size

    @property
    def is_removed(self) -> bool:
        """True if the file has no name any more: closing it would delete it."""
        return os.fstat(self._file).st_nlink == 0

    def check(self) -> None:
        """Check that names, log and content are as we left them. Raises JournalFailed if not."""
        now = os.fstat(self._file)
        if _identify(self._path) != _identity(now):
            raise _wrong_file(self._path, "another_file")
        if self._written != _size_and_time(now):
            raise _wrong_file(self._path, "written_by_others")
        for path, before in self._log.items():
            if _identify(path) != before:
                raise _wrong_file(path, "another_file")

    def close(self) -> None:
        """Close the descriptor of the file."""
        os.close(self._file)


def _identify(path: str) -> FileIdentity:
    """Return the identity of the file with this name. Raises JournalFailed."""
    try:
        return _identity(os.stat(path))  # noqa: PTH116 - runs before each card; Path.stat takes twice as long
    except FileNotFoundError:
        raise _wrong_file(path, "file_removed") from None
    except OSError as error:
        raise journal_error(path, error) from None


def _identity(stat: os.stat_result) -> FileIdentity:
    return stat.st_dev, stat.st_ino


def _size_and_time(stat: os.stat_result) -> tuple[int, int]:
    return stat.st_size, stat.st_mtime_ns


def _wrong_file(path: str, what: str) -> JournalFailed:
    return JournalFailed(coded("wrong_file", path=path, what=coded(what)))
