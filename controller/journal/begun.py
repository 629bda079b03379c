"""Where a journal was, none is begun: an empty one would number its rounds from one again, and nobody would notice.

The one rule: who wants to begin anew takes away what tells of the old one, and is told what that is.
"""

from collections.abc import Iterator
from pathlib import Path

from .archive import archives
from .file import JournalFailed, broken, sync
from .modes import make, narrow


def have_file(path: Path, real: Path) -> None:
    """Have a file to open that others may not read: `real`, where the name `path` leads. Raises JournalFailed."""
    try:
        size = _size(real)
        if not size:
            refuse_to_begin_again(path)  # before SQLite sees it, and clears away what is left beside it
        if size is None:
            make(real)
    except OSError as error:
        raise broken(path, error) from None
    narrow([real, *(real.with_name(real.name + end) for end in ("-wal", "-shm", ".lock")), *archives(real)])


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def leave_word(path: Path) -> bool:
    """Have a hidden file tell that a journal was begun under this name. False where that could not be."""
    word = _word(path)
    try:
        if not word.exists():
            make(word)
            sync(word.parent)
    except OSError:
        return False
    return True


def rescued(path: Path) -> Path:
    """Where a copy is put of a journal that was taken away from a running table."""
    return path.with_name(path.name + ".rescued")


def refuse_to_begin_again(path: Path) -> None:
    """Raises JournalFailed where something tells of a journal that had records."""
    traces = ", ".join(_traces(path))
    if traces:
        raise JournalFailed(
            f"{path}: expected the record that was begun here, there is none; put it back, or, to begin anew, "
            f"move away what tells of it: {traces}"
        )


def _traces(path: Path) -> Iterator[str]:
    yield from (str(one) for one in (_word(path), rescued(path)) if one.exists())
    old = archives(path)
    if old:
        yield f"{old[0]}" + (f" and {len(old) - 1} later archives" if len(old) > 1 else "")


def _word(path: Path) -> Path:
    """Beside the name, not beside what it may lead to: a link or a disk can go as well."""
    return path.with_name(f".{path.name}.begun")
