"""The markets whose return is counted, not simulated: of which games, and over what.

Exact means every case there is; where cases are taken together, the words of the row say which.
"""

from collections.abc import Callable
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from ..games import GAMES
from . import hands
from .rounds import market_of
from .rows import Row, exact
from .walks import baccarat_from, thirty_two_from, walked

HANDS = "all 2 598 960 hands of five cards"
MOST_INSURED = 2_000  # hundredths, as in config/rhum32.toml: the sheet leaves the highest stake to the table


class Counted(Struct, frozen=True):
    """The markets of a game that are counted, and how."""

    markets: tuple[str, ...]
    rows: Callable[[], list[Row]]


def _baccarat() -> list[Row]:
    counted = "every round from a full shoe; ranks of the same points taken together where no pair is at stake"
    returns = walked(GAMES["baccarat"], baccarat_from)
    return [exact(market, returns[market.name], counted) for market in GAMES["baccarat"].markets]


def _thirty_two() -> list[Row]:
    counted = (
        "every first deal and every redraw that follows; hands tied once more are dealt from the same cards, "
        "so each of them is as likely to win"
    )
    returns = walked(GAMES["thirty_two"], thirty_two_from)
    return [exact(market, returns[market.name], counted) for market in GAMES["thirty_two"].markets]


def _bonus() -> list[Row]:
    return [exact(market_of(GAMES["casino_holdem"], "bonus"), hands.bonus(), HANDS)]


def _insurance() -> list[Row]:
    """At the lowest and the highest stake: prizes are amounts of money."""
    market, all_hands = market_of(GAMES["rhum32"], "insurance"), hands.insurance()
    points, faces = hands.by_points(all_hands), hands.four_faces(all_hands)
    rows = []
    for stake in (Fraction(market.minimum, 100), Fraction(MOST_INSURED, 100)):
        row = exact(market, hands.insured(all_hands, stake), f"{HANDS}, of a seat that raises on each")
        rows.append(replace(row, stake=f"{float(stake):.2f}", hands=points, four_faces=faces))
    return rows


COUNTED = {
    "baccarat": Counted(tuple(market.name for market in GAMES["baccarat"].markets), _baccarat),
    "thirty_two": Counted(tuple(market.name for market in GAMES["thirty_two"].markets), _thirty_two),
    "casino_holdem": Counted(("bonus",), _bonus),
    "rhum32": Counted(("insurance",), _insurance),
}
