"""Rotation of a long journal into a new file, with the earlier records beside it as an archive.

`table1.000000000001.journal` is an archive, named after its first record; `table1.000000457124.journal` is the next;
`table1.journal` has everything since.

Invariant: under the journal's own name there is a whole journal at every moment. The new file begins with the last
checkpoint and has all records after it. It takes the name in one step; only then are the records that both files have
deleted from the archive. After a crash both files may have the same tail, but no record is missing; `finish_rotation`
deletes the tail from the archive.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from glob import escape
from pathlib import Path

from ..core.coded_message import coded
from ..text.coded import render
from .file import (
    CannotRotate,
    Head,
    JournalFailed,
    clear,
    create,
    disk_error_text,
    first,
    journal_error,
    last_head,
    open_file,
    origin,
    require_journal,
    set_write_ahead,
    sync,
)
from .lock import Lock
from .modes import make
from .rows import INSERT, Row, rows

_CUT = 'SELECT seq FROM records WHERE instr(record, \'"kind":"checkpoint"\') ORDER BY seq DESC LIMIT 1'
_FIRST = "SELECT seq, record, hash FROM records ORDER BY seq LIMIT 1"
_BEFORE = "SELECT seq, hash FROM records WHERE seq = ?"


def archives(path: Path) -> list[Path]:
    """Paths of the archives beside a journal, the oldest first."""
    real = path.resolve()
    paths = real.parent.glob(f"{escape(real.stem)}.{'[0-9]' * 12}{escape(real.suffix)}")
    return sorted(paths)


def files_of(path: Path) -> list[Path]:
    """Paths of a journal and the archives beside it, the latest first."""
    return [path, *reversed(archives(path))]


def first_seq_of(archive: Path) -> int:
    """Return the number of an archive's first record, from its name."""
    return int(archive.name.removesuffix(archive.suffix)[-12:])


def rotate(db: sqlite3.Connection, path: Path) -> Path:
    """Start a new file under `path` and return the path of the archive. Raises CannotRotate.

    `db`: the only writing connection; it leads to the archive afterwards. Close it, then trim the archive.
    """
    begin, cut = first(db), _cut(db)
    if begin is None or cut is None or cut <= begin:
        raise CannotRotate(coded("no_round_ended", path=str(path)))
    new, archive = _new_path(path), path.with_name(f"{path.stem}.{begin:012}{path.suffix}")
    try:
        clear(new)
        make(new, path.stat().st_mode)
        _build(new, Head(*db.execute(_BEFORE, (cut - 1,)).fetchone()), rows(db, cut - 1))
        _leave_wal(db)
        archive.hardlink_to(path)  # fails if the name exists: an archive is never overwritten
        sync(path.parent)
        new.replace(path)
        sync(path.parent)
    except (OSError, sqlite3.Error) as error:
        clear(new)
        if archive.exists() and archive.samefile(path):
            archive.unlink()
        taken = isinstance(error, FileExistsError)
        raise CannotRotate(coded("name_taken", path=str(archive)) if taken else disk_error_text(path, error)) from None
    return archive


def set_aside(path: Path, seq: int) -> Path:
    """Keep the whole journal under another name and cut record `seq` and all later ones from the journal.

    Returns the path of the kept file. Raises JournalFailed, JournalInUse, NotAJournal.
    """
    real = path.resolve()
    aside, new = real.with_name(f"{real.stem}.aside-{seq}{real.suffix}"), _new_path(real)
    try:
        with closing(Lock(real)), closing(open_file(real, "rw")) as db:
            require_journal(db, real)
            before = origin(db)
            if seq <= before.seq + 1:
                raise JournalFailed(coded("record_archived", path=str(path), seq=seq))
            clear(new)
            make(new, real.stat().st_mode)
            _build(new, before, (row for row in rows(db, before.seq) if row[0] < seq))
            _leave_wal(db)
            if aside.exists() and aside.samefile(real):  # a power cut came between the two steps
                aside.unlink()
            if aside.exists():
                raise JournalFailed(coded("name_taken", path=str(aside)))
            aside.hardlink_to(real)
            sync(real.parent)
            new.replace(real)
            sync(real.parent)
    except (OSError, sqlite3.DatabaseError) as error:
        clear(new)
        raise journal_error(path, error) from None
    return aside


def _cut(db: sqlite3.Connection) -> int | None:
    row = db.execute(_CUT).fetchone()
    return row[0] if row else None


def _new_path(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def begin_after(path: Path, before: Head) -> None:
    """Create a journal that continues after a record in another file. Raises JournalFailed, NotAJournal."""
    try:
        make(path)
        _build(path, before, ())
    except (OSError, sqlite3.DatabaseError) as error:
        raise journal_error(path, error) from None


def _build(new: Path, before: Head, tail: Iterable[Row]) -> None:
    with closing(open_file(new, "rw")) as db:
        create(db, before)
        set_write_ahead(db)  # now: the mode cannot be changed once a reader has the file open
        db.execute("BEGIN IMMEDIATE")
        db.executemany(INSERT, tail)
        db.execute("COMMIT")


def _leave_wal(db: sqlite3.Connection) -> None:
    """Write everything into the database file itself.

    SQLite refuses that while another process has the file open, so nobody reads half of it.
    """
    (mode,) = db.execute("PRAGMA journal_mode = DELETE").fetchone()
    if mode != b"delete":
        raise sqlite3.OperationalError(render(coded("journal_open_elsewhere")))


def trim(archive: Path, db: sqlite3.Connection) -> None:
    """Delete from an archive the records that the next file, `db`, begins with; make it read-only.

    Nothing is deleted unless all of them are in `db`: a journal put back from a backup may lack later ones.
    """
    cut, _, digest = db.execute(_FIRST).fetchone()
    with closing(open_file(archive, "rw", patience=0.05)) as old:
        end = last_head(old)
        if old.execute(_BEFORE, (cut,)).fetchone() == (cut, digest) and _has(db, end):
            old.execute("DELETE FROM records WHERE seq >= ?", (cut,))
    archive.chmod(archive.stat().st_mode & 0o440)


def _has(db: sqlite3.Connection, head: Head) -> bool:
    return bool(db.execute(_BEFORE, (head.seq,)).fetchone() == head)


def finish_rotation(path: Path, db: sqlite3.Connection) -> None:
    """Finish a rotation that a crash has interrupted. Errors are ignored: they must not stop a table."""
    for archive in archives(path)[-1:]:
        with suppress(OSError, sqlite3.Error):
            if archive.samefile(path):
                archive.unlink()
            elif first(db) is not None:
                trim(archive, db)
    with suppress(OSError):
        clear(_new_path(path))
