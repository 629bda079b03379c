"""The page of the log names every line that the program writes, with its level and its fields."""

import ast
import re
from collections import defaultdict

from .pages import DOCS, ROOT

LEVELS = {"debug": "debug", "info": "info", "warning": "warning", "error": "error", "exception": "error"}
FOR_DEBUGGING = "exc_info"  # where an exception came from
Line = tuple[str, tuple[str, ...]]  # its level and fields


def written() -> dict[str, set[Line]]:
    """What the program logs, by event."""
    found = defaultdict(set)
    for path in sorted((ROOT / "controller").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr=level), args=[ast.Constant(value=str(event))]) if level in LEVELS:
                    fields = (word.arg for word in node.keywords if word.arg not in (None, FOR_DEBUGGING))
                    found[event].add((LEVELS[level], tuple(sorted(fields))))
    return found


def told() -> dict[str, set[Line]]:
    """What the page says of it."""
    found = defaultdict(set)
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) ?\| .+ \|$", (DOCS / "log.md").read_text("utf-8"), re.MULTILINE)
    for event, level, fields in rows:
        for one in fields.split(" or "):
            found[event].add((level, tuple(re.findall(r"`(\w+)`", one))))
    return found


def test_every_line_of_the_log_is_on_its_page():
    assert told() == written()
