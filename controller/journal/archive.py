"""A journal that has grown long goes on in a new file; what it held until then stays beside it as an archive.

`table1.000000000001.journal` is an archive, named after its first record; `table1.000000457124.journal` is the next;
`table1.journal` has everything since.

The one rule: under the journal's own name there is a whole journal at every moment. The new file begins with the last
checkpoint and has all that followed it. It takes the name in one step, and only then does the archive lose what both
have: after a crash both files may hold the same tail, but no record is missing; `settle` takes it from the archive.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from glob import escape
from pathlib import Path

from .file import (
    CannotRotate,
    Head,
    JournalFailed,
    broken,
    clear,
    create,
    first,
    last,
    open_file,
    origin,
    own,
    sync,
    write_ahead,
)
from .lock import Lock
from .modes import make
from .rows import INSERT, Row, rows

_CUT = 'SELECT seq FROM records WHERE instr(record, \'"kind":"checkpoint"\') ORDER BY seq DESC LIMIT 1'
_FIRST = "SELECT seq, record, hash FROM records ORDER BY seq LIMIT 1"
_BEFORE = "SELECT seq, hash FROM records WHERE seq = ?"


def archives(path: Path) -> list[Path]:
    """The archives beside a journal, oldest first."""
    real = path.resolve()
    found = real.parent.glob(f"{escape(real.stem)}.{'[0-9]' * 12}{escape(real.suffix)}")
    return sorted(found)


def begins_with(archive: Path) -> int:
    """The number of its first record, as its name has it."""
    return int(archive.name.removesuffix(archive.suffix)[-12:])


def rotate(db: sqlite3.Connection, path: Path) -> Path:
    """Have `path` lead to a new file, and `db` to the archive, whose path this returns. Raises CannotRotate.

    `db` is the only connection that writes. It has to be closed afterwards, and the archive to be trimmed.
    """
    begin, cut = first(db), _cut(db)
    if begin is None or cut is None or cut <= begin:
        raise CannotRotate(f"{path}: no round has ended since the file began, and a file begins with the end of one")
    new, archive = _new(path), path.with_name(f"{path.stem}.{begin:012}{path.suffix}")
    try:
        clear(new)
        make(new, path.stat().st_mode)
        _build(new, Head(*db.execute(_BEFORE, (cut - 1,)).fetchone()), rows(db, cut - 1))
        _leave_wal(db)
        archive.hardlink_to(path)  # fails where one is there already: an archive is never overwritten
        sync(path.parent)
        new.replace(path)
        sync(path.parent)
    except (OSError, sqlite3.Error) as error:
        clear(new)
        if archive.exists() and archive.samefile(path):
            archive.unlink()
        raise CannotRotate(f"{path}: {str(error).lower()}") from None
    return archive


def set_aside(path: Path, seq: int) -> Path:
    """Keep a whole journal under another name, which this returns; under its own name it goes on without record `seq`
    and those after it.

    Raises JournalFailed, JournalInUse, NotAJournal.
    """
    real = path.resolve()
    aside, new = real.with_name(f"{real.stem}.aside-{seq}{real.suffix}"), _new(real)
    try:
        with closing(Lock(real)), closing(open_file(real, "rw")) as db:
            own(db, real)
            before = origin(db)
            if seq <= before.seq + 1:
                raise JournalFailed(f"{path}: record {seq} is in an archive; put the newest copy in its place")
            clear(new)
            make(new, real.stat().st_mode)
            _build(new, before, (row for row in rows(db, before.seq) if row[0] < seq))
            _leave_wal(db)
            if aside.exists() and aside.samefile(real):  # the power went at this place
                aside.unlink()
            if aside.exists():
                raise JournalFailed(f"{aside}: another file has this name: move it away first")
            aside.hardlink_to(real)
            sync(real.parent)
            new.replace(real)
            sync(real.parent)
    except (OSError, sqlite3.DatabaseError) as error:
        clear(new)
        raise broken(path, error) from None
    return aside


def _cut(db: sqlite3.Connection) -> int | None:
    found = db.execute(_CUT).fetchone()
    return found[0] if found else None


def _new(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def begin_after(path: Path, before: Head) -> None:
    """A new journal that goes on after a record which is elsewhere. Raises JournalFailed, NotAJournal."""
    try:
        make(path)
        _build(path, before, ())
    except (OSError, sqlite3.DatabaseError) as error:
        raise broken(path, error) from None


def _build(new: Path, before: Head, tail: Iterable[Row]) -> None:
    with closing(open_file(new, "rw")) as db:
        create(db, before)
        write_ahead(db)  # from the start: the mode cannot be changed once somebody reads the file
        db.execute("BEGIN IMMEDIATE")
        db.executemany(INSERT, tail)
        db.execute("COMMIT")


def _leave_wal(db: sqlite3.Connection) -> None:
    """Bring all into the file itself. SQLite refuses that while anybody else has it open: nobody reads half of it."""
    (mode,) = db.execute("PRAGMA journal_mode = DELETE").fetchone()
    if mode != b"delete":
        raise sqlite3.OperationalError("somebody has the journal open")


def trim(archive: Path, db: sqlite3.Connection) -> None:
    """Take from an archive what `db`, the next file, begins with; from then on nobody writes to it."""
    cut, _, digest = db.execute(_FIRST).fetchone()
    with closing(open_file(archive, "rw", patience=0.05)) as old:
        if old.execute(_BEFORE, (cut,)).fetchone() == (cut, digest) and last(old).seq <= last(db).seq:
            old.execute("DELETE FROM records WHERE seq >= ?", (cut,))
    archive.chmod(archive.stat().st_mode & 0o440)


def settle(path: Path, db: sqlite3.Connection) -> None:
    """Finish what a crash has cut short. What cannot be mended just now is no reason to stop a table."""
    for archive in archives(path)[-1:]:
        with suppress(OSError, sqlite3.Error):
            if archive.samefile(path):
                archive.unlink()
            elif first(db) is not None:
                trim(archive, db)
    with suppress(OSError):
        clear(_new(path))
