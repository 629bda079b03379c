"""What keeps a round from starting: a failed check of the record, a deck that lacks a card."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.records.journal import NAMING

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


@pytest.mark.parametrize(("deciding", "life"), [(NAMING, "idle"), (NAMING - 1, "betting")])
def test_only_older_records_open_with_a_deck_lacking_cards(deciding, life):
    table = Bench("thirty_two")
    table.house = replace(table.house, deciding=deciding)
    table.says("shuffled; card 9C; rule burn by maria because early; open")
    assert table.life == life
