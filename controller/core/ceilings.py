"""Ceilings of payment: most that the bets of a round win, for a bet, a player and the round.

A ceiling limits winnings: what a bet returns above its stake. It never takes a stake: a bet that wins, ties or is void
keeps all of that. Winnings are summed up as they are; what other bets lose is not set against them.

The ceilings are applied in this order: to each bet, to the sum of each player's bets, to the sum of the round. A sum
above its ceiling is shared among its bets in proportion to their winnings, in whole minor units. Units that are left
over go to the bets with the largest remainders; of equal remainders to the first by player, market and window. So the
order in which bets came in decides nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from msgspec import UnsetType

from .book import Bet
from .house import Ceilings, PlayerCeilings
from .records import AppliedCeiling

Of = Literal["bet", "player", "round"]
Applied = Mapping[str, tuple[AppliedCeiling, ...]]  # ceilings that lowered a bet, by its id

NOBODYS = frozenset[str]()  # class of a bet that names none


def applied(ceilings: Ceilings | UnsetType, bets: Collection[Bet], returns: Mapping[str, int]) -> Applied:
    """Ceilings that lower the winnings of these bets. `returns`: by the rule sheet, stake included, by bet."""
    if not ceilings:
        return {}
    winnings = _Winnings(bets, returns)
    whose = _of_players(ceilings, bets)
    for bet in winnings.bets:
        ceiling = whose[bet.player].bet
        if ceiling is not None and winnings.of[bet.id] > ceiling:
            winnings.lower(bet, "bet", ceiling)
    for player, mine in winnings.by_player().items():
        winnings.hold(mine, "player", whose[player].player)
    winnings.hold(winnings.bets, "round", ceilings.round)
    return {bet: tuple(steps) for bet, steps in winnings.steps.items()}


def _of_players(ceilings: Ceilings, bets: Collection[Bet]) -> Mapping[str, PlayerCeilings]:
    """Ceilings of each player, by the classes that their bets name. A follow-on stake names none."""
    named = defaultdict[str, set[str]](set)
    for bet in bets:
        named[bet.player] |= NOBODYS if bet.player_class is None else {bet.player_class}
    of_classes = {classes: ceilings.of(classes) for classes in set(map(frozenset, named.values()))}
    return {player: of_classes[frozenset(classes)] for player, classes in named.items()}


class _Winnings:
    """Winnings of each bet, in minor units, and the ceilings that have lowered them so far."""

    def __init__(self, bets: Collection[Bet], returns: Mapping[str, int]) -> None:
        won = [bet for bet in bets if returns[bet.id] > bet.stake]
        self.bets = sorted(won, key=lambda bet: (bet.player, bet.spot.market, bet.spot.seat or "", bet.window, bet.id))
        self.of = {bet.id: returns[bet.id] - bet.stake for bet in self.bets}
        self.steps = defaultdict[str, list[AppliedCeiling]](list)

    def by_player(self) -> Mapping[str, list[Bet]]:
        """Bets that win, by player."""
        found = defaultdict[str, list[Bet]](list)
        for bet in self.bets:
            found[bet.player].append(bet)
        return found

    def hold(self, bets: Collection[Bet], of: Of, ceiling: int | None) -> None:
        """Lower the winnings of these bets so that their sum keeps a ceiling."""
        if ceiling is None or sum(self.of[bet.id] for bet in bets) <= ceiling:
            return
        for bet, share in zip(bets, _shares([self.of[bet.id] for bet in bets], ceiling), strict=True):
            if share < self.of[bet.id]:
                self.lower(bet, of, share)

    def lower(self, bet: Bet, of: Of, to: int) -> None:
        """Lower the winnings of one bet."""
        self.steps[bet.id].append(AppliedCeiling(of, self.of[bet.id], to))
        self.of[bet.id] = to


def _shares(amounts: list[int], whole: int) -> Iterator[int]:
    """Shares of a whole in proportion to these amounts, by largest remainder; of equal ones the first gets the unit."""
    total = sum(amounts)
    shares, remainders = zip(*(divmod(amount * whole, total) for amount in amounts), strict=True)
    left = whole - sum(shares)
    more = frozenset(sorted(range(len(amounts)), key=lambda place: -remainders[place])[:left])
    return (share + (place in more) for place, share in enumerate(shares))
