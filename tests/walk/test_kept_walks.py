"""Stored walks: in every later version the same events lead to the same records, field by field.

All other walks check rules, not values. An audit of a night years ago must find the same decisions again.
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
from tests.kept_files import is_kept, of_any_version

HERE = Path(__file__).parent / "kept"
ROLLS = 110
NOT_KEPT = ("seq", "at", "kind", "salt", "digest", "program")  # in a line's beginning, or of one version
ALIKE = {"table": "table", "dealer": "dealer", "shoe": "1"}  # values of nearly every record, left out
EMPTY: tuple[Any, ...] = (None, False, {}, [])


def short(record: Record) -> str:
    """Return a record as one line: number, seconds since the start, kind, and non-empty fields as JSON."""
    fields = msgspec.json.decode(encode(record))
    own = {name: value for name, value in fields.items() if name not in NOT_KEPT}
    values = {name: value for name, value in own.items() if value not in EMPTY and ALIKE.get(name) != value}
    seconds = (record.at - START) / 1_000_000
    return f"{record.seq} {seconds:.6f} {record.kind} {msgspec.json.encode(values).decode()}"


def walk_lines(number: int) -> Iterator[str]:
    """Yield the lines of a walk: after each step its inputs as script lines, then its records."""
    bench, inputs, recorded = TABLES[number](), 1, 0  # a script cannot express the first input
    for what, how in rolls(f"kept {number}", ROLLS):
        happen(bench, what, how)
        yield from (f"> {line}" for line in lines_of(bench.heard[inputs:]))
        yield from map(short, bench.records[recorded:])
        inputs, recorded = len(bench.heard), len(bench.records)


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_a_kept_walk_leads_to_the_same_records(table):
    assert isinstance(TABLES[table](), Bench)
    assert is_kept(HERE / f"{table}.txt", of_any_version("\n".join(walk_lines(table))))
