"""Progress bars of long work: on standard error, only at a terminal and only after a delay."""

import io
import sys

import pytest

from controller.cli.journal_files import _rows_with_progress
from controller.cli.progress_bars import bar
from controller.journal.verification import STEP


class FakeTerminal(io.StringIO):
    """Standard error that is a terminal unless `is_one` is false."""

    def __init__(self, *, is_one: bool = True) -> None:
        super().__init__()
        self._is_one = is_one

    def isatty(self) -> bool:
        return self._is_one


def bar_output(monkeypatch, *, after: float, terminal: FakeTerminal) -> str:
    """Run work over records 1 to 9 under a bar; return what the bar writes."""
    monkeypatch.setattr(sys, "stderr", terminal)
    with bar("shipping", 0, 9, after=after) as passed:
        for seq in range(1, 10):
            passed(seq)
    return terminal.getvalue()


def test_long_work_shows_how_far_it_is(monkeypatch):
    output = bar_output(monkeypatch, after=0.0, terminal=FakeTerminal())
    assert "shipping" in output
    assert "100%" in output


def test_short_work_shows_no_bar(monkeypatch):
    assert bar_output(monkeypatch, after=60.0, terminal=FakeTerminal()) == ""


def test_no_bar_goes_into_a_file(monkeypatch):
    assert bar_output(monkeypatch, after=0.0, terminal=FakeTerminal(is_one=False)) == ""


@pytest.mark.parametrize("last", [0, -1])
def test_work_over_no_record_shows_no_bar(monkeypatch, last):
    monkeypatch.setattr(sys, "stderr", terminal := FakeTerminal())
    with bar("shipping", 0, last, after=0.0) as passed:
        passed(1)
    assert terminal.getvalue() == ""


def test_a_replay_counts_its_progress_in_records():
    rows, passed = [(number, b"", None, b"") for number in range(STEP - 1, STEP + 2)], []
    assert list(_rows_with_progress(rows, passed.append)) == rows
    assert passed == [STEP]
