"""File modes of all that a table keeps: face-down cards are in it, so only owner and group may read."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from controller.config.paths import users_of
from controller.journal import Journal
from controller.journal.outbox import TargetPlaces
from controller.station.copies import copy
from controller.web.access.users import UsersFile
from tests.disk import calls
from tests.journal.test_archive import CHECKPOINTS
from tests.journal.test_journal import RECORDS
from tests.needs import strace


def keep(path: Path) -> None:
    """Write, rotate and copy the files of a table, with its outbox and users."""
    with closing(Journal(path)) as book:
        book.append(RECORDS[: CHECKPOINTS[1] + 2])
        book.watch()
        book.rotate()
        book.append(RECORDS[CHECKPOINTS[1] + 2 :])
        TargetPlaces(path).begin(["mail"], 5)
        with UsersFile(users_of(path)).change() as change:
            change.add_token("platform")
        copy(path, path.with_name("copy"))


MADE = (
    ".table.journal.begun", ".table.users.lock", "copy", "copy.outbox", "copy.users", "table.000000000001.journal",
    "table.journal", "table.journal-shm", "table.journal-wal", "table.journal.outbox", "table.users",
)  # fmt: skip


def modes(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in sorted(folder.iterdir())}


KEEP = """
import json, os, sys
from pathlib import Path
from tests.journal.test_journal_modes import Journal, keep, modes
from tests.needs import strace
os.umask(0)
closed = Journal.close
Journal.close = lambda book: (print(json.dumps(modes(book.path.parent))), closed(book))
keep(Path(sys.argv[1]))
"""


def file_modes(path: Path, *through: object) -> dict[str, int]:
    """Return the modes of a table's files while it runs under a umask of 0."""
    command = [*map(str, through), sys.executable, "-c", KEEP, str(path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(ended.stdout))


def test_journal_files_are_never_readable_by_others(tmp_path):
    folder, trace = tmp_path / "table", tmp_path / "trace"
    folder.mkdir()
    found = file_modes(folder / "table.journal", *strace("-f", "-qq", "-e", "trace=openat", "-o", trace))
    assert found == {name: 0o440 if ".0000" in name else 0o640 for name in MADE}
    creations = [given for _, given, _ in calls(trace) if b"O_CREAT" in given[2] and bytes(folder) in given[1]]
    assert len(creations) > len(MADE)
    assert [(name, mode) for _, name, _, mode in creations if int(mode, 8) & ~0o640] == []


def test_a_umask_without_group_rights_is_respected(tmp_path):
    before = os.umask(0o077)
    try:
        keep(tmp_path / "table.journal")
    finally:
        os.umask(before)
    wider = {name for name, mode in modes(tmp_path).items() if mode & 0o077}
    assert wider == {"table.users"}  # it holds no cards; `sudo tablectl user` makes it for the table's group


def test_a_start_removes_read_permission_from_others(tmp_path):
    path = tmp_path / "table.journal"
    keep(path)
    names = {"table.journal", "table.journal.outbox", "table.000000000001.journal"}
    for name in names:
        (tmp_path / name).chmod(0o666)
    with closing(Journal(path)):
        TargetPlaces(path).begin([], 0)
        found = modes(tmp_path)
    assert [name for name in {*names, "table.journal-wal", "table.journal-shm"} if found[name] & ~0o640] == []


def test_an_archive_is_no_wider_than_its_journal_was(tmp_path):
    path = tmp_path / "table.journal"
    with closing(Journal(path)) as book:
        path.chmod(0o600)
        book.append(RECORDS)
        archive = book.rotate()
    assert (archive.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o400, 0o600)
