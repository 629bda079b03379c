"""Copy a table's files: its record, the alert targets' places in it, and the users file.

The copy is complete, or there is none. A target's place is copied before the record that it refers to.
"""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from ..config.paths import users_of
from ..core.coded_message import coded
from ..journal import JournalFailed, JournalVerification, Passed, backup, head_of, ignore_progress
from ..journal.modes import make
from ..journal.outbox import TargetPlaces, outbox_of
from ..text.errors import system_message


class Copied(NamedTuple):
    """Result of a copy: the record's verdict, and the paths of the other files if there were any."""

    verdict: JournalVerification
    outbox: Path | None
    users: Path | None


def copy(journal: Path, to: Path, passed: Passed = ignore_progress) -> Copied:
    """Copy a journal that may be in use, and what lies beside it. Raises NotAJournal, JournalFailed."""
    head_of(journal)  # raises before anything is copied if this is no journal
    _check_new(to)  # a folder such as / has no name that could be extended
    outbox, users = outbox_of(to), to.with_name(to.name + ".users")
    _check_new(outbox, users)
    has_outbox, has_users = outbox_of(journal).exists(), users_of(journal).exists()
    with ExitStack() as undo:
        if has_outbox:
            TargetPlaces(journal).copy(outbox)
            undo.callback(outbox.unlink)
        if has_users:
            undo.callback(users.unlink, missing_ok=True)
            _copy_file(users_of(journal), users)
        verdict = backup(journal, to, passed)
        undo.pop_all()
    return Copied(verdict, outbox if has_outbox else None, users if has_users else None)


def _check_new(*paths: Path) -> None:
    """Check that nothing has these names. Raises JournalFailed."""
    for path in paths:
        if os.path.lexists(path):
            raise JournalFailed(coded("file_exists", path=str(path)))


def _copy_file(path: Path, to: Path) -> None:
    """Copy a file that is replaced whole when it changes."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise JournalFailed(f"{path}: {system_message(error)}") from None
    try:
        make(to)
        with to.open("r+b") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise JournalFailed(f"{to}: {system_message(error)}") from None
