"""`shoe_exhausted` is raised as soon as fewer cards are left than the round needs, not after the last."""

import pytest
from msgspec.structs import replace

from .test_rulings import bench, rule

BEGUN = {
    "baccarat": "open",
    "thirty_two": "shuffled; open",
    "casino_holdem": "shuffled; open; bet p1 ante 1.00",
    "blackjack": "shuffled; open; bet p1 seat1 main 1.00; bet p2 seat2 main 1.00",
    "rhum32": "shuffled; open; bet p1 seat1 ante 5.00",
}
PLAYER_DRAWS = "open; close; card 2C; card 2D; card 3C; card 5D"
BOTH_DRAW = "open; close; card 2C; card KD; card 3C; card KS"


def with_left(before, after, left, game="baccarat"):
    """Run `before`, leave this many cards in the shoe, run `after`; return the table."""
    table = bench(before, game)
    table.state = replace(table.state, shoe=replace(table.state.shoe, size=table.state.shoe.out + left))
    table.says(after)
    return table


@pytest.mark.parametrize(
    ("game", "needed"),  # the fewest cards before a decision or a result
    [("baccarat", 4), ("thirty_two", 4), ("casino_holdem", 7), ("blackjack", 6), ("rhum32", 8)],
)
def test_a_round_with_too_few_cards_faults_before_dealing(game, needed):
    assert with_left(BEGUN[game], "close", needed, game).life == "dealing"
    assert with_left(BEGUN[game], "close", needed - 1, game).fault == "shoe_exhausted"


@pytest.mark.parametrize(("says", "needed"), [(PLAYER_DRAWS, 1), (BOTH_DRAW, 2)])
def test_third_cards_that_must_come_are_counted(says, needed):
    resumed = "press manager; rule resume by manager because ok"
    assert with_left(says, resumed, needed).life == "dealing"
    assert with_left(says, resumed, needed - 1).fault == "shoe_exhausted"


def test_a_redraw_needs_a_card_for_every_tied_hand():
    says = ("shuffled; open; close; card 9C; card 8C; card 6D", "card 6H")  # 17, 17, 16, 17
    assert with_left(*says, 4, "thirty_two").life == "dealing"
    assert with_left(*says, 3, "thirty_two").fault == "shoe_exhausted"


def test_shoe_exhausted_records_the_cards_left_and_cancel_refunds_stakes():
    table = with_left("open; bet p1 player 1.00", "close", 3)
    assert table.state.fault.came.left == 3
    rule(table, "cancel")
    assert [back.stake for back in table.facts("refunded")] == [100]


def test_cards_that_break_a_tie_at_the_top_are_enough():
    """32 Card after three ties of all four hands: 18 cards are left, and four of them can end the round."""
    passes = ("KC QC JC TC", "9C 9D 9H 9S", "8C 8D 8H 8S", "KD KH")
    table = bench("shuffled; open; close", "thirty_two")
    table.says("; ".join(f"card {card}" for cards in passes for card in cards.split()))
    assert (table.life, table.state.shoe.size - table.state.shoe.out) == ("dealing", 18)
