"""Basic strategy for the sheet's blackjack with eight decks.

The dealer stands on every 17 and looks for a blackjack; double on any two cards and after a split, split once, no
surrender.
"""

from collections.abc import Callable, Mapping, Sequence

from ...rules.cards import Card
from ...rules.procedure import SECOND, Ask
from ...rules.strategy import Chart, Seen

# H hit, S stand, D double or else hit, d double or else stand, P split
# the dealer shows: 23456789TA
HARD = {
    **dict.fromkeys(range(4, 9), "HHHHHHHHHH"),
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    **dict.fromkeys(range(13, 17), "SSSSSHHHHH"),
    **dict.fromkeys(range(17, 21), "SSSSSSSSSS"),
}
SOFT = {
    12: "HHHHHHHHHH",
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "SddddSSHHH",
    19: "SSSSSSSSSS",
    20: "SSSSSSSSSS",
}
PAIRS = {  # by the value of one card; what is no P is played as its total
    1: "PPPPPPPPPP",
    2: "PPPPPPHHHH",
    3: "PPPPPPHHHH",
    4: "HHHPPHHHHH",
    6: "PPPPPHHHHH",
    7: "PPPPPPHHHH",
    8: "PPPPPPPPPP",
    9: "PPPPPSPPSS",
}
ACTIONS = {"H": ("hit",), "S": ("stand",), "D": ("double", "hit"), "d": ("double", "stand"), "P": ("split",)}


class Basic:
    """Strategy chart for the points of cards and hands."""

    def __init__(self, points: Callable[[Sequence[Card]], int], of_card: Mapping[Card, int]) -> None:
        self._points, self._of_card = points, of_card

    def decide(self, ask: Ask, open_cards: Seen) -> dict[str, str]:
        """Decide for the players asked; insurance is never taken."""
        if "decline" in ask.options:
            return dict.fromkeys(ask.who, "decline")
        (who,) = ask.who
        cards = hand(who, open_cards)
        if self._points(cards) > 21:  # over 21 nobody is asked: the hand was split, its second card moved
            cards = [cards[0], *cards[2:]]
        chart = self.line(cards, split="split" in ask.options)
        actions = ACTIONS[chart[(self._of_card[open_cards["dealer"][0]] - 2) % 10]]
        return {who: actions[0] if actions[0] in ask.options else actions[1]}

    def line(self, cards: Sequence[Card], *, split: bool) -> str:
        """Line of the chart for these cards. `split`: splitting is allowed."""
        value = self._of_card[cards[0]]
        if split and "P" in PAIRS.get(value, ""):
            return PAIRS[value]
        total = self._points(cards)
        return (SOFT if total > sum(self._of_card[card] for card in cards) else HARD)[total]


def hand(who: str, open_cards: Seen) -> Sequence[Card]:
    """Cards of a hand; the second hand of a split began with the first hand's second card."""
    seat, _, of_split = who.partition(".")
    dealt, second = open_cards[seat], open_cards.get(seat + SECOND)
    if second is None:
        return dealt
    return [dealt[1], *second] if of_split else [dealt[0], *dealt[2:]]


def basic_strategy(points: Callable[[Sequence[Card]], int], of_card: Mapping[Card, int]) -> Chart:
    """Basic strategy as a chart. `points`: total of cards; `of_card`: points of one card."""
    return Chart(
        words="basic strategy: the chart for eight decks, dealer stands on 17, double after split; never insurance",
        decide=Basic(points, of_card).decide,
    )
