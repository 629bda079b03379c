"""Load an example's module, to plant mistakes in it, and read the report of a check."""

import importlib.util
import re
import sys

import pytest

from controller.testing import Broken
from tests.plugins.site import ROOT


def load_example(name: str):
    """Return the module of an example, imported without its package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / name / f"{name}.py")
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def report_of(check, *what, **how) -> str:
    """Run a check that must raise Broken; return its report."""
    with pytest.raises(Broken) as broken:
        check(*what, **how)
    return str(broken.value)


def without_line(report: str) -> str:
    """Return the report without the line number that it names."""
    return re.sub(r"\.py:\d+ ", ".py ", report)


def assert_reported_with_change(report: str, expected: str) -> None:
    """Assert that the report begins with `expected`, at any line, and says what to change."""
    assert without_line(report).startswith(expected)
    assert re.search(r"\nto change: \w", report), report


def assert_reported(report: str, expected: str, change: str) -> None:
    """Assert that the report begins with `expected` and names `change` as what to change."""
    assert report.startswith(expected)
    assert f"\nto change: {change}" in report


STRIP = load_example("key_strip")
