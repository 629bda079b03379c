"""Preview of correcting a finished round: nothing shown depends on a card that stayed face down."""

import pytest

from controller.core.decide.past_rounds import with_past
from controller.reports.preview_resettling import ResettlePreview, foresee_resettlement
from controller.script.reader import parse
from tests.core.bench import Bench

FOLDED = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card {}; card {}; card 2H; card 3H; card 4S"


def folded(dealers: str, others: str) -> Bench:
    """Return a Hold'em table whose only player folded, so that the dealer's cards stay face down."""
    table = Bench("casino_holdem")
    table.says(f"{FOLDED.format(dealers, others)}; decide p1 fold")
    return table


def foreseen(table: Bench, correction: str) -> ResettlePreview:
    ((_, event),) = parse(f"resettle 1 {correction} by m because misread")
    event = with_past(table.house, table.position, table.state, event, table.records)
    return foresee_resettlement(table.house, table.state, event, table.now)


@pytest.mark.parametrize("draw", [1, 3, 5])
def test_no_correction_tells_a_card_that_stayed_hidden(draw):
    one, other = folded("KS", "QS"), folded("9D", "5C")
    for card in ("KS", "QS", "9D", "5C", "AC", "2H", "8H", "JOKER"):
        assert foreseen(one, f"correct {draw} {card}") == foreseen(other, f"correct {draw} {card}")


@pytest.mark.parametrize("corrections", ["resume", "void", "void 3", "move 3 player", "burn 4"])
def test_no_other_correction_tells_a_hidden_card_either(corrections):
    assert foreseen(folded("KS", "QS"), corrections) == foreseen(folded("9D", "5C"), corrections)


def test_an_effect_that_no_hidden_card_changes_is_shown():
    end = foreseen(folded("KS", "QS"), "void")
    assert (end.open, end.reason, end.total) == (False, None, 100)


def test_an_effect_that_a_hidden_card_decides_stays_open():
    end = foreseen(folded("KS", "QS"), "correct 3 9D")
    assert (end.open, end.reason, [one.difference for one in end.movements]) == (True, None, [0])


SHOWN_6 = "shuffled; open; bet p1 seat1 main 1; bet p2 seat2 main 1; close; card KS; card 9H; card 6S; card 2S; card 8C"


@pytest.mark.parametrize("hole", ["AC", "TD", "5H"])
def test_an_effect_that_the_hole_card_decides_is_unknown(hole):
    table = Bench("blackjack")
    table.says(f"{SHOWN_6}; card {hole}; decide seat1 stand; press manager; rule cancel by m because x")
    end = foreseen(table, "void_hand seat2")
    assert (table.life, end.unknown, end.movements, end.due) == ("cancelled", True, (), None)


def test_with_all_cards_open_the_whole_effect_is_previewed():
    table = Bench()
    table.says("open; bet p1 player 1.00; close; card 9C; card 2D; card KC; card 3D")
    end = foreseen(table, "correct 2 6D")
    assert (end.open, end.total) == (False, -100)


@pytest.mark.parametrize(
    ("last", "reason", "due"),
    [
        ("void_hand seat7", "does_not_fit", "no card"),  # hands are made void first
        ("correct 99 5C", "bad_draw", "decision of seat1"),
    ],
)
def test_a_refused_correction_behind_others_shows_the_missing_step(last, reason, due):
    table = Bench("blackjack")
    table.says("shuffled; open; bet p1 seat1 main 1; close; card AC; card KC; card 9H; card 8D")
    end = foreseen(table, f"correct 1 5C and {last}")
    assert (end.reason, end.due) == (reason, due)
