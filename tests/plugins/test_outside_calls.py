"""The search of a sheet's or codec's source for calls to the outside."""

import importlib
import sys

import pytest

from controller.lab.testing.broken import Broken
from controller.lab.testing.outside_calls import check_codec_source, find_outside_calls

MAIN = """from datetime import datetime as clock

from {name}_helper import Hand


def play():
    return Hand().now()


def late():
    return clock.now()
"""
HELPER = """import time


class Hand:
    def now(self):
        return time.time()
"""


RELATIVE = """from .time import monotonic


def play():
    return monotonic()
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    name = "sheet_that_looks_out"
    (tmp_path / f"{name}.py").write_text(MAIN.format(name=name))
    (tmp_path / f"{name}_helper.py").write_text(HELPER)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module(name)
    for one in (name, f"{name}_helper"):
        del sys.modules[one]


def test_clocks_are_found_also_in_the_modules_beside(module):
    found = [(where.partition("_out")[2], called) for where, called in find_outside_calls(module)]
    assert found == [(".py:11", "clock.now"), ("_helper.py:6", "time.time")]


def test_an_authors_own_module_named_like_a_clock_is_none(tmp_path, monkeypatch):
    package = tmp_path / "sheet_beside_time"
    package.mkdir()
    for name, text in (("__init__", ""), ("time", "def monotonic():\n    return 7\n"), ("sheet", RELATIVE)):
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    try:
        assert list(find_outside_calls(importlib.import_module("sheet_beside_time.sheet"))) == []
    finally:
        for one in ("sheet_beside_time", "sheet_beside_time.time", "sheet_beside_time.sheet"):
            sys.modules.pop(one, None)


def test_a_clock_in_a_codecs_base_class_is_found(tmp_path, monkeypatch):
    base = "import time\n\n\nclass Base:\n    def feed(self, data):\n        return time.time()\n"
    for name, text in (("base_codec", base), ("own_codec", "from base_codec import Base\n\n\nclass Own(Base): ...\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path / name)
    try:
        with pytest.raises(Broken, match=r"base_codec\.py:6 uses time\.time"):
            check_codec_source(importlib.import_module("own_codec").Own)
    finally:
        for one in ("base_codec", "own_codec"):
            sys.modules.pop(one, None)
