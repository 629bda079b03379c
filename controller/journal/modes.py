"""File modes of a record: readable by its owner and group alone, since it has face-down cards.

Invariant: a file has its mode before it has content, and SQLite gives the log beside it the same. A umask may remove
more (077: the group's part), never less.
"""

import stat
from collections.abc import Iterable
from pathlib import Path

from ..core.coded_message import coded
from .file import JournalFailed, journal_error

MOST = 0o640


def make(path: Path, like: int = MOST) -> None:
    """Create an empty file with mode MOST, limited by `like`. Raises OSError if it exists."""
    path.touch(MOST & like, exist_ok=False)


def narrow(paths: Iterable[Path]) -> None:
    """Remove the modes beyond MOST from existing files. Raises JournalFailed."""
    for path in paths:
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & ~MOST:
                path.chmod(mode & MOST)
        except FileNotFoundError:
            continue
        except PermissionError:
            raise JournalFailed(
                coded("wrong_mode", path=str(path), mode=f"{mode:o}", right=f"{mode & MOST:o}")
            ) from None
        except OSError as error:
            raise journal_error(path, error) from None
