"""Tests that names of tests are short enough for a list of failures."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
MOST = 10  # words


def names() -> list[str]:
    """Return the names of all test functions, without `test_`."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("test_*.py")))
    return [name for text in texts for name in re.findall(r"^ *(?:async )?def test_(\w+)\(", text, re.MULTILINE)]


def test_a_test_is_named_in_at_most_ten_words():
    found = names()
    assert len(found) > 3000
    assert [name for name in found if name.count("_") >= MOST] == []
