"""Tables at which anything may happen, as `controller.testing` has it; here hypothesis picks the rolls.

(A stateful machine of hypothesis stays in its first round: out of 200 examples none came to a settlement. A list of
rolls does, and shrinks as well.)
"""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.testing.chance import PLAYERS, allowed_ruling, any_ruling, happen, play
from controller.testing.judge import Judge

from .bench import Bench

__all__ = [
    "HIDING", "PLAYERS", "TABLES", "Judge", "allowed_ruling", "any_ruling", "happen", "play", "rounds",
    "whatever_happens",
]  # fmt: skip

TABLES = (
    partial(Bench, "baccarat"),
    partial(Bench, "baccarat", confirm="dealer", unruled="cancel", telegram_loss="fault"),
    partial(Bench, "baccarat", {"betting_windows": 3, "decks": 1, "change_below": 6}, confirm="shoe", carry=True),
    partial(Bench, "baccarat", {"decks": 1, "change_below": 20}, panel_loss="fault", gone="keep"),
    partial(Bench, "casino_holdem", second_above=500),
    partial(Bench, "casino_holdem", {"burn_before_street": True}, confirm="dealer", reveal="dealer"),
    partial(Bench, "casino_holdem", {"deal_out_if_all_fold": True, "deal_order": "rounds"}, confirm="shoe"),
    partial(Bench, "thirty_two"),
    partial(Bench, "blackjack", {"decks": 1}),
    partial(Bench, "blackjack", {"every_round": False, "deal_order": "rounds", "split_second_card": "in_turn"}),
    partial(Bench, "rhum32", confirm="dealer"),
    partial(Bench, "baccarat", {"betting_windows": 3}, wrong_odds="lower", carry=True),
)
HIDING = (*TABLES[4:6], TABLES[8], TABLES[10])  # cards lie face down, and one deck is in play

rolls = st.tuples(st.integers(0, 99), st.integers(0, 10**6))


def rounds(least):
    """Lists of rolls, at least so many."""
    return st.lists(rolls, min_size=least, max_size=least + 40)


def whatever_happens(tables, examples, least):
    """A test at each of these tables, on so many lists of at least so many rolls."""

    def of(test):
        drawn = settings(max_examples=examples)(given(rolled=rounds(least))(test))
        return pytest.mark.parametrize("table", tables, ids=range(len(tables)))(drawn)

    return of
