"""Tests of where probes are inserted in a module."""

import asyncio
import sys
from types import SimpleNamespace

from tests.mutants.instrument import functions_of, innermost, instrumented

TEXT = '''"""Text of the module."""

from __future__ import annotations

from functools import cache

LIMIT = 3


@cache
def cached(number):
    """Docstring."""
    return number


class Shoe:
    """Docstring."""

    def draw(self): return "é" + "x"

    async def read(self):
        @cache
        def inner():
            return 1

        return inner()


def cards():
    # nothing before the loop
    for card in "AK":
        yield card


def stub():
    """Docstring alone."""
'''


def _run(monkeypatch) -> tuple[dict, list[int]]:
    """Run the instrumented module; return its names and the list of probes that ran."""
    met: list[int] = []
    monkeypatch.setitem(sys.modules, "mutants_probe", SimpleNamespace(probe=met.append))
    names: dict = {}
    exec(compile(instrumented(TEXT, 10), "shoe.py", "exec"), names)
    return names, met


def _number(line: str) -> int:
    """Return the number of the probe of the function that contains a line."""
    row = next(number for number, text in enumerate(TEXT.splitlines(), start=1) if line in text)
    return 10 + innermost(functions_of("shoe.py", TEXT), "shoe.py", row)


def test_a_probe_is_first_in_every_function_and_module(monkeypatch):
    names, met = _run(monkeypatch)
    assert met == [_number("LIMIT")] == [10]
    shoe = names["Shoe"]()
    assert (names["cached"](1), names["cached"](1), shoe.draw(), asyncio.run(shoe.read())) == (1, 1, "éx", 1)
    assert (list(names["cards"]()), names["stub"]()) == (["A", "K"], None)
    order = ("return number", "def draw", "return inner", "return 1", "yield card", "alone")
    assert met[1:] == [_number(line) for line in order]


def test_decorators_and_signatures_belong_to_their_function():
    assert len({_number("@cache"), _number("def cached"), _number("return number")}) == 1


def test_a_class_body_outside_its_methods_belongs_to_the_module():
    assert _number("class Shoe") == _number("LIMIT")
