"""Figures and reports of a floor for a table that another PC takes over."""

from contextlib import closing
from datetime import UTC

import pytest

from controller.config.shifts import Period
from controller.floor.history.figure_file import FigureFile
from controller.floor.history.report import report
from controller.floor.storage.store import Store
from tests.floor.history.test_numbers import SHIFTS
from tests.floor.takeovers import lost_and_continued


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_lost_round_reveals_no_ruling_on_a_live_one(tmp_path, is_lost):
    """Round 2 is live after a takeover; a lost round of the same number has ended."""
    begins = "shuffled; open; close; press manager; rule cancel by m because x; shuffled"
    lost = "open; close; press manager; rule cancel by m because y" if is_lost else ""
    then = "open; bet p ante 1.00; close; card 9C; card 2D; card KH; card 3S; press manager; "
    then += 'rule resume by m because "the hole card is KH"'
    first, gone, after, records = lost_and_continued(begins, lost, then, "casino_holdem")
    with closing(Store(tmp_path / "a.floor")) as store, closing(FigureFile(tmp_path / "a.numbers", SHIFTS)) as counted:
        for one in [*first, *gone, *after]:
            store.add([one])
        period = Period("day", records[0].at - 1, records[-1].at + 1, UTC)
        told = report(store, counted, period, 1, SHIFTS).rulings
    assert {(one.fault.round, one.fault.because, one.live) for one in told} == {
        (1, "x", False),
        (2, "the hole card is KH", True),
    }
