"""Files that a command writes. It replaces an older file of the same kind, and nothing else.

A new file that could not be written completely is removed, so that the same command can be repeated.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from ..journal import JournalInUse


def begin_of(file: Path, length: int) -> bytes:
    """First bytes of a file. Raises OSError."""
    with file.open("rb") as opened:
        return opened.read(length)


def check_replaceable(file: Path, begin: bytes, kind: str) -> None:
    """Check that nothing is there, or an empty file, or one that begins so. Raises UsageError, OSError."""
    if file.is_file() and begin_of(file, len(begin)) not in (begin, b""):
        raise click.UsageError(f"{file} exists already and is no {kind}: name another file")


@contextmanager
def remove_on_failure(file: Path, remove: Callable[[Path], None] = Path.unlink) -> Iterator[None]:
    """Remove a new file if the block that writes it fails.

    It stays if the reader of standard output has ended, or if it is a journal that another process has begun meanwhile.
    """
    try:
        yield
    except (BrokenPipeError, JournalInUse):
        raise
    except BaseException:
        with suppress(OSError):
            remove(file)
        raise
