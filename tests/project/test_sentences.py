"""Tests that sentences for people are only in `text` and `cli`; the listed rest may only shrink.

Other modules pass on codes with parts (`core.coded_message`). A module `*texts.py` beside its pages counts as part of
`text`: the catalogue of each language has its texts, and a test names the missing ones.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.project.test_architecture import ROOT, SOURCES, tree

# Rooms with sentences for engineers and programmers, in English, or with a catalogue of their own.
OTHERS: Mapping[str, str] = {
    "controller/accounts/figures": "definitions of figures, of which their page and the help of metrics are made",
    "controller/bus/permissions": "comments in the configuration of a server, which an engineer reads there",
    "controller/config": "mistakes in a file that an engineer wrote, printed by the command line before a table starts",
    "controller/core/notation": "notation of steps and inputs in `--json` and the API; screens have their own words",
    "controller/games": "phrases of a rule sheet, which has its translations with it, and mistakes in a package",
    "controller/lab": "a terminal of somebody who tries, studies or tests; reference pages of the command line",
    "controller/rules": "phrases of all rule sheets",
    "controller/script": "mistakes in a script, printed by the command line",
    "controller/web/api/asyncapi": "documents of the API for programmers",
    "controller/web/api/game_schemas": "documents of the API for programmers",
    "controller/web/api/messages": "documents of the API for programmers",
    "controller/web/api/openapi": "documents of the API for programmers",
    "controller/web/api/schemas": "documents of the API for programmers",
    "controller/web/api/shift_paths": "documents of the API for programmers",
    "drivers": "drivers import nothing of the controller; the log and `tablectl devices` have their words",
}
MOST_OF_OTHERS: Mapping[str, int] = {  # sentences in each room; never raise these numbers
    "controller/accounts/figures": 65,
    "controller/bus/permissions": 2,
    "controller/config": 80,
    "controller/core/notation": 16,
    "controller/games": 66,
    "controller/lab": 368,
    "controller/rules": 3,
    "controller/script": 33,
    "controller/web/api/asyncapi": 27,
    "controller/web/api/game_schemas": 1,
    "controller/web/api/messages": 5,
    "controller/web/api/openapi": 28,
    "controller/web/api/schemas": 3,
    "controller/web/api/shift_paths": 8,
    "drivers": 156,
}
LEFT = Path(__file__).parent / "kept" / "sentences.txt"
SENTENCE = re.compile(r"(?<![\w/])[A-Za-z][a-z']*,?(?: [a-z][a-z']*[,;:]?){2,}")  # three words in a row
MOST = 2  # sentences in the list; never raise this number
MISTAKES = frozenset({"AssertionError", "NotImplementedError", "TypeError"})  # no handler shows their texts to people
OF_MACHINES = re.compile(r"\s*(?:SELECT|INSERT|CREATE|UPDATE|DELETE|PRAGMA|DROP|ALTER|WITH|ATTACH)\b")


def is_of_texts(path: Path) -> bool:
    """Return whether sentences belong in this module, or its room is one of OTHERS."""
    name = path.relative_to(ROOT).as_posix()
    return path.stem.endswith("texts") or name.startswith(("controller/text/", "controller/cli/", *OTHERS))


def of_programmers(module: ast.Module) -> set[int]:
    """Return the nodes of texts for programmers only: in `assert`, and in errors of the classes MISTAKES."""
    raised = (node.exc for node in ast.walk(module) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call))
    errors = (call for call in raised if isinstance(call.func, ast.Name) and call.func.id in MISTAKES)
    asserted = (node.msg for node in ast.walk(module) if isinstance(node, ast.Assert) and node.msg is not None)
    return {id(node) for text in (*errors, *asserted) for node in ast.walk(text)}


def spoken(module: ast.Module) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield the sentences of a module as nodes, f-strings whole, without docstrings, SQL and texts for programmers."""
    apart = of_programmers(module)
    within = {id(part) for node in ast.walk(module) if isinstance(node, ast.JoinedStr) for part in node.values}
    docs = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (within | docs)
        if id(node) in apart or not (isinstance(node, ast.JoinedStr) or is_text):
            continue
        sentence = worded(node, lambda _: "…")
        if SENTENCE.search(sentence) and not OF_MACHINES.match(sentence):
            yield node


def worded(node: ast.Constant | ast.JoinedStr, inserted: Callable[[ast.expr], str]) -> str:
    """Return the text of a sentence. `inserted`: returns the text for an expression of an f-string."""
    parts = [node] if isinstance(node, ast.Constant) else node.values
    return "".join(part.value if isinstance(part, ast.Constant) else inserted(part.value) for part in parts)


def left() -> dict[str, int]:
    """Return the number of sentences for each module of the kept list."""
    lines = (line.split() for line in LEFT.read_text(encoding="utf-8").splitlines())
    return {name: int(count) for count, name in lines}


@cache
def found() -> dict[str, int]:
    """Return the number of sentences that each module contains now."""
    held = {path: len(list(spoken(tree(path)))) for path in SOURCES if not is_of_texts(path)}
    return {path.relative_to(ROOT).as_posix(): count for path, count in held.items() if count}


def test_no_further_module_holds_a_sentence():
    more = {name: count for name, count in found().items() if count > left().get(name, 0)}
    assert more == {}, "put the text into controller/text, and pass a code with parts on"


def test_the_list_of_sentences_only_gets_shorter():
    now = found()
    assert {name: count for name, count in left().items() if now.get(name, 0) < count} == {}, f"lower it in {LEFT}"
    assert sum(left().values()) <= MOST


@pytest.mark.parametrize(
    "planted",
    [
        'raise Failed(f"{path}: the disk is not there")',
        'TROUBLE = "no answer in time"',
        "return say('the table is closed')",
        'note(text="{name}: it is " + "another file now")',
        'raise ValueError("expected a time with its zone")',
    ],
)
def test_a_planted_sentence_is_found(planted):
    assert list(spoken(ast.parse(f"def one():\n    {planted}\n")))


@pytest.mark.parametrize(
    "other",
    [
        '"""Docstring of a few words."""',
        'db.execute("SELECT seq FROM records where seq is 1")',
        'coded("record_missing", seq=7)',
        'log.info("bus_reached")',
        'path = "/api/v1/events"',
        'raise TypeError(f"expected a game of this program, got {one}")',
        'assert one, "the state has no round"',
    ],
)
def test_codes_queries_and_docstrings_are_no_sentences(other):
    assert list(spoken(ast.parse(f"def one():\n    {other}\n"))) == []


def held_in(name: str) -> int:
    """Return the number of sentences in a room or module."""
    held = (path for path in SOURCES if path.relative_to(ROOT).as_posix().startswith(name))
    return sum(len(list(spoken(tree(path)))) for path in held if not path.stem.endswith("texts"))


def test_the_excepted_rooms_only_lose_sentences():
    assert {name: held_in(name) for name in OTHERS} == MOST_OF_OTHERS, "lower it, or put the text into controller/text"
