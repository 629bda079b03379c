"""Sums of stakes in a round, held against the limits of the table.

Four sums are limited: one bet (`decide.bets`), a player's bets on one market over all windows and seats, a player's
bets in the round, and all bets of the round. A stake that a decision will need (call, raise) is counted with the bet it
belongs to, so that no limit forces a fold; it is never refused. Follow-on stakes that a player can do without
(`Game.refusable`: double, split, insurance) are checked when they come.
"""

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Literal

from ..rules.game import Game
from .book import Bet
from .house import StakeLimits, SumLimits
from .records import ReachedLimit
from .returns import share
from .spot import Spot
from .state import Round

SumScope = Literal["player_market", "player", "round"]
NONE = StakeLimits()


def exceeded_limit(game: Game, round_: Round, bet: Bet) -> ReachedLimit | None:
    """Limit that this bet would exceed, the tightest if several; None if it keeps all limits."""
    exceeded = [one for one in maxima(game, round_, bet) if one.left is not None and one.left < bet.stake]
    return min(exceeded, key=lambda one: one.left or 0, default=None)


def maxima(game: Game, round_: Round, bet: Bet) -> Iterator[ReachedLimit]:
    """Maxima of the sums that this further bet counts in, each with the largest stake that it leaves."""
    limits = round_.terms.stakes
    if limits == NONE:
        return
    mine, whose = round_.bets.bets_of(bet.player), limits.limits_of(bet.player_class)
    spots = {one.spot for one in mine}
    on_market = sum(one.stake for one in mine if one.spot.market == bet.spot.market)
    of_player = sum(one.stake + _reserved_stake(game, one.spot, one.stake, spots) for one in mine)
    each = 1 + sum(_times(game, bet.spot, ()))
    sums: tuple[tuple[SumScope, SumLimits, int, Fraction | int], ...] = (
        ("player_market", whose.markets.get(bet.spot.market, SumLimits()), on_market, 1),
        ("player", whose.round, of_player, each),
        ("round", limits.round, _round_sum(game, round_), each),
    )
    for of, limit, staked, counts in sums:
        if limit.maximum is not None:
            yield ReachedLimit(of, limit.minimum or None, limit.maximum, _largest_stake(limit.maximum - staked, counts))


def find_short_sum(game: Game, round_: Round) -> tuple[ReachedLimit, list[Bet]] | None:
    """First sum that does not reach its minimum, with its bets of the open window; None if all do.

    The caller returns these bets and calls again: the return may leave another sum short.
    """
    limits = round_.terms.stakes
    if limits == NONE:
        return None
    for player in dict.fromkeys(bet.player for bet in round_.bets.values()):
        mine = round_.bets.bets_of(player)
        whose = limits.limits_of(next((bet.player_class for bet in mine if bet.player_class), None))
        for market in game.markets:
            on_market = [bet for bet in mine if bet.spot.market == market.name]
            if shortfall := _shortfall("player_market", whose.markets.get(market.name), on_market, round_.window):
                return shortfall
        if shortfall := _shortfall("player", whose.round, mine, round_.window):
            return shortfall
    return _shortfall("round", limits.round, list(round_.bets.values()), round_.window)


def _shortfall(
    of: SumScope, limit: SumLimits | None, bets: list[Bet], window: int
) -> tuple[ReachedLimit, list[Bet]] | None:
    now = [bet for bet in bets if bet.window == window]
    if limit is None or not now or sum(bet.stake for bet in bets) >= limit.minimum:
        return None
    return ReachedLimit(of, limit.minimum, limit.maximum), now


def _largest_stake(amount: int, each: Fraction | int) -> int:
    """Largest stake that, with the stakes reserved for its decisions, is at most this amount."""
    return max(0, amount * Fraction(each).denominator // Fraction(each).numerator)


def _times(game: Game, spot: Spot, spots: Collection[Spot]) -> Iterator[Fraction]:
    """Multiples of a stake that its decisions will need and have not taken."""
    for decision, added in game.follow_ons.items():
        is_reserved = decision not in game.refusable and added.of == spot.market
        if is_reserved and Spot(added.market, spot.seat) not in spots:
            yield added.times


def _reserved_stake(game: Game, spot: Spot, stake: int, spots: Collection[Spot]) -> int:
    return sum(share(stake, times) for times in _times(game, spot, spots))


def _round_sum(game: Game, round_: Round) -> int:
    staked = round_.bets.staked
    return sum(stakes.total + _reserved_stake(game, spot, stakes.total, staked) for spot, stakes in staked.items())
