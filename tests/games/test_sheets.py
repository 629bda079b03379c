"""Rules that every game's sheet follows: immutable types, no unknown settings."""

import importlib

import pytest

from controller.games import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_a_sheets_rules_and_result_are_immutable(name):
    sheet = importlib.import_module(f"controller.games.{name}")
    assert [kind.__struct_config__.frozen for kind in (sheet.Rules, sheet.Result)] == [True, True]


@pytest.mark.parametrize("name", GAMES)
def test_a_setting_that_the_sheet_does_not_know_is_refused(name):
    assert GAMES[name].settings.__struct_config__.forbid_unknown_fields
