"""Tests that the check of a game names the record in which a repeat of the same inputs differs."""

import pytest

from controller.games import GAMES
from controller.lab.testing.bench import Bench
from controller.lab.testing.game import _check_again
from tests.plugins.plants import report_of

SAME = "expected the same inputs to lead to the same records to the byte"


@pytest.mark.parametrize(
    ("scripts", "kind"),
    [
        (("shuffled", ""), "shoe_ready"),
        (("", "shuffled"), "shoe_ready"),
        (("lost panel; shuffled", "lost beacon; shuffled"), "device_lost"),
    ],
    ids=["the repeat is shorter", "the repeat is longer", "another device"],
)
def test_a_repeat_that_differs_names_a_record(scripts, kind):
    """It is the first one that differs; if one of both has ended before, the last one that both have."""
    tables = [Bench(GAMES["thirty_two"]) for _ in scripts]
    for table, script in zip(tables, scripts, strict=True):
        table.says(script)
    assert report_of(_check_again, iter(tables).__next__, ()).startswith(f"{SAME}, {kind} differs")
