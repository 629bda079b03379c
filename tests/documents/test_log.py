"""Tests that docs/log.md names every line of the log, with its level and fields."""

import ast
import re
from collections.abc import Iterable
from functools import cache

import pytest

from .pages import DOCS, ROOT

LEVELS = {"debug": "debug", "info": "info", "warning": "warning", "error": "error", "exception": "error"}
CALLED = re.compile(rf"\.(?:{'|'.join(LEVELS)})\(")
FOR_DEBUGGING = "exc_info"  # the traceback of an exception


def line(event: str, level: str, fields: Iterable[str]) -> str:
    return f"{event} {level}: {', '.join(sorted(fields))}"


@cache
def written() -> set[str]:
    """Return the lines that the program can log, found in its source."""
    found = set()
    texts = (path.read_text(encoding="utf-8") for path in sorted((ROOT / "controller").rglob("*.py")))
    for text in texts:
        for node in ast.walk(ast.parse(text)) if CALLED.search(text) else ():
            match node:
                case ast.Call(func=ast.Attribute(attr=level), args=[ast.Constant(value=str(event))]) if level in LEVELS:
                    fields = (word.arg for word in node.keywords if word.arg not in (None, FOR_DEBUGGING))
                    found.add(line(event, LEVELS[level], fields))
    return found


def described_lines() -> set[str]:
    """Return the lines that docs/log.md describes."""
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) ?\| .+ \|$", (DOCS / "log.md").read_text("utf-8"), re.MULTILINE)
    either = ((event, level, one) for event, level, fields in rows for one in fields.split(" or "))
    return {line(event, level, re.findall(r"`(\w+)`", one)) for event, level, one in either}


def test_every_line_of_the_log_is_on_its_page():
    assert sorted(written() - described_lines()) == []
    assert sorted(described_lines() - written()) == []


def test_no_line_of_the_log_has_a_field_of_players():
    fields = {one: set(re.findall(r"\w+", one.partition(": ")[2])) for one in written()}
    assert {
        one for one, names in fields.items() if names & {"player", "players", "who", "market", "bet", "command"}
    } == set()


@pytest.mark.parametrize("unit", sorted(path.name for path in (ROOT / "systemd").glob("*.service")))
def test_a_units_lines_are_never_dropped_for_their_number(unit):
    assert "\nLogRateLimitIntervalSec=0\n" in (ROOT / "systemd" / unit).read_text("utf-8")
