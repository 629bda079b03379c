"""Names of tests: the rule that each proves, short enough for a list of failures."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
MOST = 10  # words


def names() -> list[str]:
    """The names of all test functions, without `test_`."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(TESTS.rglob("test_*.py"))]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [node.name.removeprefix("test_") for node in functions if node.name.startswith("test_")]


def test_a_test_is_named_in_at_most_ten_words():
    found = names()
    assert len(found) > 3000
    assert [name for name in found if name.count("_") >= MOST] == []
