"""Strategy of raising in Rhum 32: the higher the dealer's open card, the more points will do.

A dealer who does not qualify, which a high card makes likely, pays the ante whatever the seat holds.
"""

from collections.abc import Callable, Mapping, Sequence

from ...rules.cards import Card
from ...rules.strategy import Count, Seen

# Most points of four cards with which to raise, by the dealer's open card; spreads count as in the sheet, and
# four cards never have more than 40. Found by `tablectl rtp rhum32 --search`.
UPTO = {"A": 23, "2": 24, "3": 25, "4": 26, "5": 27, "6": 29, "7": 36, "8": 40, "9": 40, "10": 40}

UNSEEN = 7  # value assumed for the dealer's fourth card if it lies face down too: a middle one


def few_points(points: Callable[[Sequence[Card]], int], of_card: Mapping[Card, int]) -> Count:
    """Return the strategy. `points`: points of a hand; `of_card`: points of each single card."""

    def signs(who: str, open_cards: Seen) -> list[int]:
        """Return the points of the four cards, then for each limit whether it applies."""
        open_ = open_cards.get("dealer", ())
        up = of_card[open_[0]] if open_ else UNSEEN
        return [points(open_cards[who]), *(up == value for value in range(1, 11))]

    return Count(
        words="raise with four cards of up to so many points, by the dealer's open card: "
        + ", ".join(f"{card} {most}" if most < 40 else f"{card} any" for card, most in UPTO.items()),
        market="ante",
        yes="raise",
        no="fold",
        numbers={"points": -1, **UPTO},
        signs=signs,
        rounds=1_000_000,
    )
