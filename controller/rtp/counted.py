"""The markets whose return is counted, not simulated: of which games, and over what.

The one rule: exact means every case there is; where cases are taken together, the words of the row say which.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..core.decide.bets import MINOR
from ..games import GAMES
from ..procedure import Market
from . import hands
from .rows import Row, exact
from .walks import baccarat_from, thirty_two_from, walked

HANDS = "all 2 598 960 hands of five cards"
MOST_INSURED = 2_000  # minor units, as in config/rhum32.toml: the sheet leaves the highest stake to the table


class Counted(Struct, frozen=True):
    """The markets of a game that are counted, and how, on so many cores (null: on all)."""

    markets: tuple[str, ...]
    rows: Callable[[int | None], list[Row]]


def _baccarat(cores: int | None) -> list[Row]:
    counted = "every round from a full shoe; ranks of the same points taken together where no pair is at stake"
    returns = walked(GAMES["baccarat"], baccarat_from, cores)
    return [exact(market, returns[market.name], counted) for market in GAMES["baccarat"].markets]


def _thirty_two(cores: int | None) -> list[Row]:
    counted = (
        "every first deal and every redraw that follows; hands tied once more are dealt from the same cards, "
        "so each of them is as likely to win"
    )
    returns = walked(GAMES["thirty_two"], thirty_two_from, cores)
    return [exact(market, returns[market.name], counted) for market in GAMES["thirty_two"].markets]


def _bonus(cores: int | None) -> list[Row]:
    return [exact(market_of("casino_holdem", "bonus"), hands.bonus(cores), HANDS)]


def _insurance(cores: int | None) -> list[Row]:
    """At the lowest and the highest stake: prizes are amounts of money."""
    market, all_hands = market_of("rhum32", "insurance"), hands.insurance(cores)
    rows = []
    for stake in (Fraction(market.minimum, MINOR), Fraction(MOST_INSURED, MINOR)):
        row = exact(market, hands.insured(all_hands, stake), f"{HANDS}, of a seat that raises on each")
        rows.append(replace(row, stake=f"{float(stake):.2f}", **_tables(all_hands)))
    return rows


def _tables(all_hands: hands.Hands) -> Mapping[str, Any]:
    return {"hands": hands.by_points(all_hands), "four_faces": hands.four_faces(all_hands)}


def market_of(game: str, name: str) -> Market:
    """The market of that name."""
    return next(market for market in GAMES[game].markets if market.name == name)


COUNTED = {
    "baccarat": Counted(tuple(market.name for market in GAMES["baccarat"].markets), _baccarat),
    "thirty_two": Counted(tuple(market.name for market in GAMES["thirty_two"].markets), _thirty_two),
    "casino_holdem": Counted(("bonus",), _bonus),
    "rhum32": Counted(("insurance",), _insurance),
}
