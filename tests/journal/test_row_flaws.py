"""Defects of a row after the one before it: each is named, also if the hash of the row is right."""

import pytest

from controller.core.encoding import encode, encode_input
from controller.journal import Head
from controller.journal.rows import Row, flaw, row_hash
from tests.journal.test_journal import RECORDS

BEFORE = Head(4, b"4" * 32)


def row(seq: int, number: int) -> Row:
    """Return a row with a right hash. `seq`: its own number; `number`: that of its record."""
    record = RECORDS[number - 1]
    line, given = encode(record), None if record.input is None else encode_input(record.input)
    return seq, line, given, row_hash(BEFORE.hash, line, given)


def test_a_row_with_next_number_and_right_hash_is_sound():
    assert flaw(BEFORE, row(5, 5)) is None


@pytest.mark.parametrize(("seq", "number", "code"), [
    (6, 6, "record_skipped"), (4, 4, "record_skipped"), (5, 6, "record_misplaced"), (5, 4, "record_misplaced"),
])  # fmt: skip
def test_a_row_out_of_place_is_named_by_its_number(seq, number, code):
    assert flaw(BEFORE, row(seq, number)).code == code
