"""Look-ahead from a decision, the regret of a strategy, and the search for a strategy's numbers."""

import random
from itertools import cycle
from types import SimpleNamespace

import pytest

from controller.games import GAMES
from controller.lab import rtp
from controller.lab.rtp.look_ahead import LookAheadJob, Outlook, Regret, decision_loss, is_better, regret
from controller.lab.rtp.rounds import SimulatedShoe
from controller.lab.rtp.search import SearchResult, climb, fit, search, total_gain
from controller.rules.cards import Card

HOLDEM = LookAheadJob("casino_holdem", "ante", 1, "1")


class Stacked(SimulatedShoe):
    """Shoe whose first round deals these cards; later cards are random."""

    def __init__(self, first: str) -> None:
        game = GAMES["casino_holdem"]
        super().__init__(game.deck(game.settings()), random.Random(1))
        self._first, self.drawn = iter(first.split()), []

    def draw(self, due: object = None) -> Card:
        card = next(self._first, None) or super().draw(due)
        self.drawn.append(card)
        return card


def holdem(player: str, dealer: str, flop: str) -> tuple[Outlook, Stacked]:
    """Return the outlook of a Hold'em decision with these cards, and its shoe."""
    shoe = Stacked(f"{player} {dealer} {flop}")
    return Outlook(HOLDEM, shoe), shoe


def test_a_call_with_an_unbeatable_hand_always_gains():
    outlook, _ = holdem("AS KS", "2C 2D", "QS JS TS")
    assert {outlook.gain() for _ in range(50)} <= {101.0, 103.0}  # 100 to 1, the call, and the ante that a fold loses
    assert is_better(outlook)
    assert decision_loss(outlook) == 0


def test_looking_ahead_does_not_know_the_dealers_hidden_cards():
    """Hidden cards are drawn anew for each way; cards that lie face up are never drawn again."""
    outlook, shoe = holdem("7C 2D", "AS AD", "KH TS 9D")
    shoe.drawn.clear()
    for _ in range(200):
        outlook.gain()
    assert {"AS", "AD"} < set(shoe.drawn)
    assert not {"7C", "2D", "KH", "TS", "9D"} & set(shoe.drawn)


@pytest.mark.parametrize(("spread", "looked"), [(0.0, 50), (3.4, 50), (3.6, 100)])
def test_looking_ahead_ends_beyond_two_standard_errors(spread, looked):
    """A mean gain of 1 is more than two standard errors of 50 looks if single gains differ by less than 3.54."""
    gains = (1 + sign * spread for sign in cycle((1, -1)))
    values = []

    def gain() -> float:
        values.append(next(gains))
        return values[-1]

    assert is_better(SimpleNamespace(gain=gain))
    assert len(values) == looked


def test_a_right_fold_has_no_regret():
    outlook, _ = holdem("7C 2D", "AS AD", "KH TH 9H")
    assert not outlook.says_yes
    assert not is_better(outlook)
    assert decision_loss(outlook) == 0


def test_both_options_meet_the_same_cards():
    """A call and a fold are compared with the same cards of dealer, turn and river."""
    outlook, shoe = holdem("AS KS", "2C 2D", "QS JS TS")
    shoe.drawn.clear()
    outlook.gain()
    assert len(shoe.drawn) == 4  # two for the dealer, turn and river: once, not for each option


def test_regret_is_the_same_on_any_number_of_cores():
    one, two = (list(regret("casino_holdem", "ante", 4, 1, cores)) for cores in (1, 2))
    assert one == two
    assert one[-1].decisions == 4


def test_the_regret_of_a_report_is_in_percent(monkeypatch):
    monkeypatch.setattr(rtp, "regret", lambda *_: [Regret(3, 0.02, 0.01)])
    (row,) = rtp.report(rtp.Task("casino_holdem", ["ante"], 3, 1), lambda *_: None).rows
    assert (row.regret, row.regret_standard_error, row.regret_decisions) == (2.0, 1.0, 3)


# ── the search ───────────────────────────────────────────────────────────────────────────────────────────────────

PLANTED = {(rank, draw, 1): 2 * rank + 9 * draw - 14.5 for rank in range(13) for draw in (0, 1)}


def test_a_search_finds_the_rule_with_the_best_gain():
    numbers = climb(PLANTED, fit(PLANTED, scale=2))
    assert numbers[0] == 2
    assert total_gain(PLANTED, numbers) == pytest.approx(sum(gain for gain in PLANTED.values() if gain > 0))


def test_a_fit_of_small_gains_finds_their_signs():
    assert fit({(1, 1): -0.03, (1, -1): 0.01, (1, 0): 0.02}, scale=100) == [100, -104]


def test_a_climb_prefers_the_smaller_of_two_equal_numbers():
    assert climb({(1, 0): 1.0, (-1, 1): 1.0}, [1, 37]) == [1, 1]


def test_a_search_ends_with_numbers_for_every_sign():
    *looked, found = search("rhum32", "ante", 30, 1, 1)
    assert looked == [30]
    assert isinstance(found, SearchResult)
    assert list(found.numbers) == ["points", "A", *"23456789", "10"]
    assert found.gain >= found.gain_in_use


@pytest.mark.proof
@pytest.mark.timeout(0)
@pytest.mark.parametrize("game", ["casino_holdem", "rhum32"])
def test_the_strategies_have_almost_no_regret(game):
    *_, last = regret(game, "ante", 2_000, 5)
    assert last.mean <= 0.003 + 2 * last.error
