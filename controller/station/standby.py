"""Ship a table's small files to a second PC with the parts of its record.

These are the alert targets' places in the record, and the users file. Invariant: a target's place is shipped before the
record that it refers to.
"""

import os
from pathlib import Path

import msgspec

from ..core.coded_message import coded
from ..journal import JournalFailed
from ..journal.file import sync
from ..journal.modes import MOST
from ..journal.outbox import TargetPlaces
from ..journal.parts import BadPart
from ..text.errors import system_message

PLACES, USERS = "places", "users"  # names of the files in the folder


def ship_beside(journal: Path, users: Path, folder: Path) -> None:
    """Ship those of the two files that have changed. Raises JournalFailed."""
    try:
        if places := TargetPlaces(journal).read():
            _replace_file(folder / PLACES, msgspec.json.encode(places))
        if users.exists():
            _replace_file(folder / USERS, users.read_bytes())
    except OSError as error:
        raise JournalFailed(f"{error.filename or folder}: {system_message(error)}") from None


def adopt_shipped_files(folder: Path, journal: Path, users: Path) -> None:
    """Continue from the shipped files with a journal that was shipped too. Raises JournalError.

    A users file that exists already is kept.
    """
    try:
        if (folder / PLACES).exists():
            for target, seq in _places(folder / PLACES).items():
                TargetPlaces(journal).move(target, seq)
        if (folder / USERS).exists() and not users.exists():
            _replace_file(users, (folder / USERS).read_bytes())
    except OSError as error:
        raise JournalFailed(f"{error.filename or folder}: {system_message(error)}") from None


def _places(path: Path) -> dict[str, int]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, int])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise BadPart(coded("standby_targets", path=str(path))) from None


def _replace_file(path: Path, content: bytes) -> None:
    """Replace the file as a whole, or leave it as it was. Raises OSError."""
    if path.exists() and path.read_bytes() == content:
        return
    new = path.with_name(f"{path.name}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, MOST)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    new.replace(path)
    sync(path.parent)
