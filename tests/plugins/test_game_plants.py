"""Tests that `check_game` reports each fault planted in a copy of the example's game."""

import sys
import warnings

import pytest
from msgspec.structs import replace

from controller.lab.testing.game import error_text
from controller.rules.procedure import Hand, deal
from controller.testing import MissingTexts, check_game
from tests.core.bench import Bench
from tests.core.test_seats import TOY, High

from .game_copies import NAME, PACKAGE, GamePlant, planted
from .game_plants import PLANTS
from .plants import assert_reported, report_of

SLOW = [name for name, plant in PLANTS.items() if plant.counts or plant.repeats]
SAME = GamePlant([], "", "")


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, NAME, None)  # restored after the test
    return lambda plant: planted(plant, tmp_path).GAME


@pytest.fixture
def judge(made, monkeypatch):
    """Return the oracle of the example's own test."""
    made(SAME)
    monkeypatch.syspath_prepend(PACKAGE)
    monkeypatch.delitem(sys.modules, f"test_{NAME}", raising=False)
    oracle = __import__(f"test_{NAME}").judge
    monkeypatch.delitem(sys.modules, f"test_{NAME}")
    return oracle


@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.proof if one in SLOW else ()) for one in PLANTS])
def test_a_fault_planted_in_a_game_is_reported(name, made, judge):
    plant = PLANTS[name]
    report = report_of(check_game, made(plant), tables=1, oracle=judge if plant.judged else None)
    assert_reported(report, plant.expected, plant.change)


def test_a_copy_without_a_fault_passes_and_warns_of_nothing(made, judge):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert check_game(made(SAME), tables=1, oracle=judge) == {}


def test_a_game_without_romanian_passes_and_names_the_language(made, tmp_path):
    game = made(SAME)
    (tmp_path / f"{NAME}.toml").unlink()
    with pytest.warns(MissingTexts, match=f"^{NAME} has no texts in ro: 3 are shown in English, such as 'pair plus'"):
        missing = check_game(game, tables=0)
    assert missing == {"ro": ("pair plus", "play bet", "Nobody played")}


def test_a_language_that_was_begun_has_to_be_whole(made, tmp_path):
    game = made(SAME)
    (tmp_path / f"{NAME}.toml").write_text('[ro]\n"pair plus" = "pereche plus"\n')
    report = report_of(check_game, game, tables=1)
    change = f"write it into {NAME}.toml, beside the module, under [ro]"
    assert_reported(report, "expected every text of the game in ro, 'play bet' is missing", change)


def test_the_error_of_a_failing_sheet_is_named():
    def play(_, participants):
        hand = Hand(participants.seats[0])
        yield from deal(hand, hand, hand)
        if hand.cards == ["KS", "KD", "KH"]:
            raise ValueError("no such hand")
        return High([])

    table = Bench(replace(TOY, procedure=play))
    table.says("open; bet a seat1 main 1.00; close; card KS; press dropped")
    assert error_text(table) == ""
    table.says("rule resume by m because seen; card KD; card KH")
    assert error_text(table).startswith("(ValueError in test_game_plants.py, line ")
