"""Counted returns of our games' markets; each function is named by its sheet's `GAME`.

Exact means over all possible cases. If equivalent cases are counted together, `Exact.over` says which.
"""

from fractions import Fraction

from ...games import GAMES
from ...rules.game import Game
from ...rules.returns import Exact
from . import hands
from .rounds import market_of
from .walks import baccarat_from, market_returns, thirty_two_from

HANDS = "all 2 598 960 hands of five cards"
MOST_INSURED = 2_000  # highest stake in hundredths, from config/rhum32.toml, as the sheet leaves it to the table


def baccarat() -> list[Exact]:
    """Count the returns of the markets of baccarat, from a full shoe."""
    over = "every round from a full shoe; ranks of the same points taken together where no pair is at stake"
    return _exact_rows(market_returns(GAMES["baccarat"], baccarat_from), GAMES["baccarat"], over)


def thirty_two() -> list[Exact]:
    """Count the returns of the markets of 32 Card."""
    over = (
        "every first deal and every redraw that follows; hands tied once more are dealt from the same cards, "
        "so each of them is as likely to win"
    )
    return _exact_rows(market_returns(GAMES["thirty_two"], thirty_two_from), GAMES["thirty_two"], over)


def _exact_rows(returns: dict[str, Fraction], game: Game, over: str) -> list[Exact]:
    return [Exact(market=market.name, returned=returns[market.name], over=over) for market in game.markets]


def casino_holdem() -> list[Exact]:
    """Count the return of the bonus bet in Casino Hold'em."""
    return [Exact(market="bonus", returned=hands.bonus(), over=HANDS)]


def rhum32() -> list[Exact]:
    """Count the return of insurance at the lowest and the highest stake, because its prizes are fixed amounts."""
    lowest, all_hands = market_of(GAMES["rhum32"], "insurance").minimum, hands.insurance()
    points, faces = hands.count_by_points(all_hands), hands.four_faces(all_hands)
    return [
        Exact(
            market="insurance",
            returned=hands.insurance_return(all_hands, stake),
            over=f"{HANDS}, of a seat that raises on each",
            stake=f"{float(stake):.2f}",
            decision="raise",
            hands=points,
            paid=faces,
        )
        for stake in (Fraction(lowest, 100), Fraction(MOST_INSURED, 100))
    ]
