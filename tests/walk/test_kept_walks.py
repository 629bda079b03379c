"""Walks that were kept: the same events lead to the same records, field by field, in every later version.

An audit decides a night of years ago again with the program of then; the other walks judge by rules, not by values.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.core.encoding import encode
from controller.core.records import Record
from controller.lab.testing.bench import START, Bench
from controller.lab.testing.broken import lines_of
from controller.lab.testing.chance import happen
from tests.core.chance import TABLES, rolls
from tests.kept import is_kept, of_any_version

HERE = Path(__file__).parent / "kept"
ROLLS = 110
NOT_KEPT = ("seq", "at", "kind", "salt", "digest", "program")  # written before, or of this version alone
ALIKE = {"table": "table", "dealer": "dealer", "shoe": "1"}  # of nearly every record
EMPTY: tuple[Any, ...] = (None, False, {}, [])


def short(record: Record) -> str:
    """Record as one line: its time in seconds, its kind, and its fields that hold something."""
    fields = msgspec.json.decode(encode(record))
    own = {name: value for name, value in fields.items() if name not in NOT_KEPT}
    said = {name: value for name, value in own.items() if value not in EMPTY and ALIKE.get(name) != value}
    seconds = (record.at - START) / 1_000_000
    return f"{record.seq} {seconds:.6f} {record.kind} {msgspec.json.encode(said).decode()}"


def told(number: int) -> Iterator[str]:
    """Lines of a walk: each input as a script has it, behind it the records."""
    bench, heard, recorded = TABLES[number](), 1, 0  # a script has no word for the beginning
    for what, how in rolls(f"kept {number}", ROLLS):
        happen(bench, what, how)
        yield from (f"> {line}" for line in lines_of(bench.heard[heard:]))
        yield from map(short, bench.records[recorded:])
        heard, recorded = len(bench.heard), len(bench.records)


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_a_kept_walk_leads_to_the_same_records(table):
    assert isinstance(TABLES[table](), Bench)
    assert is_kept(HERE / f"{table}.txt", of_any_version("\n".join(told(table))))
