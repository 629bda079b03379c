"""Search of a journal for the records of a span of time, whichever way the clock was set.

Record times only grow from one record `clock_set` to the next. Each such part is searched by bisection. A partial index
lists these records, so a journal of a year takes no longer than one of a day; a file from before the index is read
through.
"""

import sqlite3
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ..core.clock import Time, to_text
from .archive import files_of
from .file import OF_CLOCK_SETS, first, last_head
from .reader import open_read_only

_NUMBERS = "SELECT seq FROM records WHERE"
_CLOCK_SETS = f"{_NUMBERS} {OF_CLOCK_SETS} ORDER BY seq"
_AT = "SELECT json_extract(record, '$.at') FROM records WHERE seq = ?"


class Stretch(NamedTuple):
    """Consecutive records, by the numbers of the first and the last one."""

    first: int
    last: int


def stretches_within(
    path: Path, since: Time | None = None, until: Time | None = None, *, after: int = 0
) -> list[Stretch]:
    """Stretches of all records of a span of time, in order, in the journal and the archives beside it.

    `until` is not included; None: no limit. `after`: only records after this number.

    Raises NotAJournal, JournalFailed.
    """
    stretches: list[Stretch] = []
    is_limited, end = since is not None or until is not None, None
    for file in files_of(path):
        with open_read_only(file) as db:
            low, high = first(db), last_head(db).seq + 1
            if low is None:
                continue
            begins = _begins(file, db, is_archive=file != path) if is_limited else ()
            stop = high if end is None else min(high, end)  # during a rotation some records are in two files
            stretches[:0] = _file_stretches(db, _parts(begins, max(low, after + 1), stop), since, until)
        end = low
        if low <= after + 1:
            break
    return _join(stretches)


def _begins(file: Path, db: sqlite3.Connection, *, is_archive: bool) -> Sequence[int]:
    """Numbers of the records in a file at which the clock was set."""
    if not is_archive:
        return _clock_sets(db)
    state = file.stat()
    return _begins_of_archive(file, state.st_ino, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=1024)
def _begins_of_archive(file: Path, _: int, __: int, ___: int) -> Sequence[int]:
    """`_begins` of an archive, cached: it never changes and may have no index."""
    with open_read_only(file) as db:
        return _clock_sets(db)


def _clock_sets(db: sqlite3.Connection) -> Sequence[int]:
    return [seq for (seq,) in db.execute(_CLOCK_SETS)]


def _parts(begins: Sequence[int], low: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts of the records from `low` to before `end` in which times only grow, each with its end."""
    edges = [low, *(seq for seq in begins if low < seq < end), end]
    yield from pairwise(edges)


def _file_stretches(
    db: sqlite3.Connection, parts: Iterator[tuple[int, int]], since: Time | None, until: Time | None
) -> Iterator[Stretch]:
    def at(seq: int) -> bytes:
        time: bytes = db.execute(_AT, (seq,)).fetchone()[0]
        return time

    def place(of: Time, low: int, end: int) -> int:
        return bisect_left(range(end), to_text(of).encode(), low, end, key=at)

    for low, end in parts:
        begin = low if since is None else place(since, low, end)
        stop = end if until is None else place(until, begin, end)
        if begin < stop:
            yield Stretch(begin, stop - 1)


def _join(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Join stretches that follow each other."""
    joined: list[Stretch] = []
    for one in stretches:
        if joined and joined[-1].last + 1 == one.first:
            joined[-1] = Stretch(joined[-1].first, one.last)
        else:
            joined.append(one)
    return joined
