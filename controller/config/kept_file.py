"""Small file that running tables read and commands or tables change: users, persons, counts of wrong PINs.

Invariant: a change replaces the whole file, one change at a time; readers see it when they read next.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..text.errors import system_message
from .mistakes import BadUsers


class KeptFile:
    """Small file that is replaced as a whole. A new one belongs to the owner and group of its folder.

    `group_of`: path whose group a new file gets instead.
    """

    def __init__(self, path: Path, group_of: Path | None = None) -> None:
        self.path = path
        self._group_of = group_of
        self._last_stamp: tuple[int, ...] | None = None

    def read_if_changed(self) -> bytes | None:
        """Return the file's content; None if it is unchanged since the last call. Raises OSError."""
        stat = self.path.stat()
        stamp = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        if stamp == self._last_stamp:
            return None
        content = self.path.read_bytes()
        self._last_stamp = stamp
        return content

    def forget(self) -> None:
        """Make the next `read_if_changed` return the content again, because it could not be used."""
        self._last_stamp = None

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the file against changes by others inside the block. Raises BadUsers."""
        try:
            lock = self._lock()
        except OSError as error:
            raise BadUsers(f"{self.path.parent}: {system_message(error)}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        except OSError as error:
            raise BadUsers(f"{self.path}: {system_message(error)}") from None
        finally:
            os.close(lock)

    def _lock(self) -> int:
        """Open a lock file beside the file, with the folder's owner. Raises OSError.

        The folder itself cannot be locked: a running table holds that lock.
        """
        lock = os.open(self.path.with_name(f".{self.path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        if os.geteuid() == 0:
            owner = self.path.parent.stat()
            os.fchown(lock, owner.st_uid, owner.st_gid)
        return lock

    def write(self, content: bytes) -> None:
        """Replace the file in one step; it keeps its owner. Raises OSError."""
        owner, group = self._owners()
        number, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(content)
                os.fchmod(number, 0o640)
                if os.geteuid() == 0:
                    os.fchown(number, owner, group)
                file.flush()
                os.fsync(number)
            Path(name).replace(self.path)
        except OSError:
            with suppress(OSError):
                Path(name).unlink()
            raise

    def _owners(self) -> tuple[int, int]:
        if self.path.exists():
            like = self.path.stat()
            return like.st_uid, like.st_gid
        return self.path.parent.stat().st_uid, (self._group_of or self.path.parent).stat().st_gid
