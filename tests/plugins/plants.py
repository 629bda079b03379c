"""An example's module, to plant mistakes in, and the sentence by which a check tells of one."""

import importlib.util
import re
import sys

import pytest

from controller.testing import Broken
from tests.plugins.site import ROOT


def loaded(name: str):
    """The module of an example, without its package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / name / f"{name}.py")
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sentence(check, *what, **how) -> str:
    """What the check says of these."""
    with pytest.raises(Broken) as broken:
        check(*what, **how)
    return str(broken.value)


def without_line(said: str) -> str:
    """The sentence without the number of the line that it names."""
    return re.sub(r"\.py:\d+ ", ".py ", said)


def assert_told_with_change(said: str, expected: str) -> None:
    """The sentence begins with what was expected, whatever line it names, and there is something to change."""
    assert without_line(said).startswith(expected)
    assert re.search(r"\nto change: \w", said), said


def assert_told(said: str, expected: str, change: str) -> None:
    """The sentence begins with what was expected, and names what to change."""
    assert said.startswith(expected)
    assert f"\nto change: {change}" in said


STRIP = loaded("key_strip")
