"""Exposure of a round: the most that its present bets can win beyond their stakes.

It is an upper bound, computed from stakes, odds, pay tables and ceilings of payment alone: no card counts, so that a
hidden one cannot show in it. Of markets that exclude each other the one that wins most counts, of all others the sum.
Stakes that decisions will bring count once they are taken. What other bets lose is not set against it.
"""

from collections import Counter, defaultdict
from decimal import Decimal
from fractions import Fraction

from ..rules.game import Game, Prize
from .book import Stakes
from .currency import to_minor_units
from .house import Ceilings, PlayerCeilings, lowest
from .returns import share
from .spot import Spot
from .state import Round


def exposure(game: Game, round_: Round, currency: str) -> int | None:
    """Most that the bets of the round can win, in minor units; None if the rule sheet sets no bound."""
    ceilings = round_.terms.ceilings or Ceilings()
    of_bet, of_player = _highest(ceilings)
    groups = defaultdict[object, Counter[str]](Counter)
    for spot, stakes in round_.bets.staked.items():
        under_ceiling = None if of_bet is None else stakes.bets * of_bet
        won = lowest([_highest_win(game, round_, spot, stakes, currency), under_ceiling])
        if won is None:
            return None
        group = next((markets for markets in game.exclusive if spot.market in markets), spot)
        groups[group, spot.seat][spot.market] += won
    under_ceiling = None if of_player is None else round_.bets.players * of_player
    return lowest([sum(max(markets.values()) for markets in groups.values()), under_ceiling, ceilings.round])


def _highest(ceilings: Ceilings) -> tuple[int | None, int | None]:
    """Highest ceilings of a bet and of a player, of any class; None if a class has none."""
    every: list[PlayerCeilings] = [ceilings, *ceilings.classes.values()]
    return _highest_ceiling([one.bet for one in every]), _highest_ceiling([one.player for one in every])


def _highest_ceiling(ceilings: list[int | None]) -> int | None:
    amounts = [one for one in ceilings if one is not None]
    return max(amounts) if len(amounts) == len(ceilings) else None


def _highest_win(game: Game, round_: Round, spot: Spot, stakes: Stakes, currency: str) -> int | None:
    """Most that these stakes can win by the rule sheet, in minor units; None if the sheet sets no bound."""
    odds = [offer[spot.market] for offer in (round_.best_odds, round_.odds) if spot.market in offer]
    if odds:
        return share(stakes.total, Fraction(max(map(Decimal, odds))) - 1)
    total = 0
    for highest in game.highest.get(spot.market, ()):
        if isinstance(highest, Prize):
            total += stakes.bets * (lowest([to_minor_units(highest.amount, currency), round_.terms.prize_limit]) or 0)
        else:
            total += share(stakes.total, highest - 1)
    return total if spot.market in game.highest else None
