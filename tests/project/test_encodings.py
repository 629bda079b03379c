"""Test that the program names the encoding of every text file, so that no locale of a PC changes it."""

import ast
import re

import pytest

from tests.project.test_architecture import ROOT, SOURCES

OPENING = re.compile(r"open\(|read_text\(|write_text\(")


def unnamed(module: ast.Module) -> list[int]:
    """Return the lines that open a text file without naming its encoding."""
    return [
        call.lineno for call in ast.walk(module) if isinstance(call, ast.Call) and is_text(call) and not named(call)
    ]


def is_text(call: ast.Call) -> bool:
    """Return whether the call opens, reads or writes a text file; `.open()` without a mode is not a file's."""
    match call.func:
        case ast.Attribute(attr="read_text" | "write_text"):
            return True
        case ast.Name(id="open") | ast.Attribute(attr="fdopen"):
            return not any("b" in mode for mode in modes(call, 1))
        case ast.Attribute(attr="open"):
            return any("b" not in mode for mode in modes(call, 0))
    return False


def modes(call: ast.Call, place: int) -> list[str]:
    """Return the mode that a call names at this place or by its keyword; empty without one."""
    named = [*call.args[place : place + 1], *(one.value for one in call.keywords if one.arg == "mode")]
    return [mode.value for mode in named if isinstance(mode, ast.Constant) and isinstance(mode.value, str)]


def named(call: ast.Call) -> bool:
    encodings = [one.value for one in call.keywords if one.arg == "encoding"]
    return any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in encodings)


def test_every_text_file_is_opened_with_its_encoding():
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in SOURCES}
    found = {name: unnamed(ast.parse(text)) for name, text in texts.items() if OPENING.search(text)}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("call", "lacks"),
    [
        ("path.read_text()", True),
        ("path.write_text(text, encoding=None)", True),
        ("path.open('x')", True),
        ("os.fdopen(number, mode='w')", True),
        ("open(path)", True),
        ("path.read_text(encoding='utf-8')", False),
        ("path.open('rb')", False),
        ("os.fdopen(number, mode='wb')", False),
        ("os.open(path, os.O_RDONLY)", False),
    ],
)
def test_a_text_file_without_an_encoding_is_found(call, lacks):
    assert bool(unnamed(ast.parse(call))) is lacks
