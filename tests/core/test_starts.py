"""A failed check of the record keeps a round from starting until the same check passes."""

import pytest

from controller.core import events as e

from .bench import Bench


@pytest.mark.parametrize("check", ["chain", "anchor"])
def test_no_round_starts_until_the_failed_check_passes(check):
    table = Bench()
    table.do(e.Checked(check, first=3, reason="its hash is another"), e.Open())
    assert ([one.reason for one in table.facts("start_refused")], table.life) == (["record_damaged"], "idle")
    table.do(e.Checked("anchor" if check == "chain" else "chain"), e.Open())
    assert [one.reason for one in table.facts("start_refused")] == ["record_damaged"] * 2
    table.do(e.Checked(check), e.Open())
    assert table.life == "betting"
