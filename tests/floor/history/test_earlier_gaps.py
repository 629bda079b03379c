"""Gaps of the floor's store that lie before an epoch: its records are counted once these are filled."""

import pytest

from controller.floor.history.figure_file import _is_before
from controller.floor.storage.store import Gap

OF = ("t1", "e2")


@pytest.mark.parametrize(
    ("gap", "before", "is_before"),
    [
        (Gap("t1", "e1", 5, 9), "e1", True),
        (Gap("t1", "e1", 9, 12), "e1", True),
        (Gap("t1", "e1", 10, 12), "e1", False),
        (Gap("t1", "e0", 5, 9), "e1", False),
        (Gap("t2", "e1", 5, 9), "e1", False),
        (Gap("t1", "e1", 5, 9), None, True),
        (Gap("t1", "e1", 5, 8), None, False),
        (Gap("t1", "e1", 5, 10), None, False),
        (Gap("t1", "e2", 5, 9), None, False),
        (Gap("t2", "e1", 5, 9), None, False),
    ],
)
def test_only_a_gap_just_before_an_epoch_delays_it(gap, before, is_before):
    """The epoch begins with record 10. Without a known predecessor, only a gap that ends just before it counts."""
    assert _is_before(gap, OF, before, 10) is is_before
