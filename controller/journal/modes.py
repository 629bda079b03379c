"""Who may read the files of a record: their owner and their group. A card that lies face down is in them.

The one rule: a file has its mode before anything is in it, and SQLite gives the log beside it the same. A umask may
take more away (077: the group's part), never less.
"""

import stat
from collections.abc import Iterable
from pathlib import Path

from .file import JournalFailed, broken

MOST = 0o640


def make(path: Path, like: int = MOST) -> None:
    """A new file, empty. `like`: a mode that it is not to go beyond. Raises OSError where there is one already."""
    path.touch(MOST & like, exist_ok=False)


def narrow(paths: Iterable[Path]) -> None:
    """Take away what others may do with the files that there are. Raises JournalFailed."""
    for path in paths:
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & ~MOST:
                path.chmod(mode & MOST)
        except FileNotFoundError:
            continue
        except PermissionError:
            raise JournalFailed(
                f"{path}: expected a file that only its owner and group may read, its mode is {mode:o} and it is "
                f"another user's: chmod {mode & MOST:o} it, or chown it to the user of the table"
            ) from None
        except OSError as error:
            raise broken(path, error) from None
