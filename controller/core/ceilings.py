"""Ceilings of payment: the most that one bet, one player and one round can win.

A ceiling limits winnings: what a bet returns above its stake. It never takes a stake: a bet that wins, ties or is void
keeps all of that. Winnings are summed up as they are; what other bets lose is not set against them.

The ceilings are applied in this order: to each bet, to the sum of each player's bets, to the sum of the round. A sum
above its ceiling is shared among its bets in proportion to their winnings, in whole minor units. Units that are left
over go to the bets with the largest remainders; of equal remainders to the first by player, market, seat and window. So
the order in which bets came in decides nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from typing import Literal

from msgspec import UnsetType

from .book import Bet
from .house import Ceilings, PlayerCeilings
from .pieces import pieces
from .records import AppliedCeiling

CeilingScope = Literal["bet", "player", "round"]
Applied = Mapping[str, tuple[AppliedCeiling, ...]]  # ceilings that lowered a bet, by its id

NOBODYS = frozenset[str]()  # classes of a bet that names none


def apply_in_pieces(
    ceilings: Ceilings | UnsetType, bets: Collection[Bet], returns: Mapping[str, int]
) -> Generator[None, None, Applied]:
    """Ceilings that lower the winnings of these bets, computed in pieces, for a large book; yields after each piece.

    `returns`: what the rule sheet returns for each bet, stake included, by the bet's id.
    """
    if not ceilings:
        return {}
    winnings = _Winnings()
    for piece in pieces(bets):
        winnings.take(piece, returns)
        yield
    for players in pieces(sorted(winnings.classes)):
        for player in players:
            winnings.hold_player(player, ceilings.ceilings_of(winnings.classes[player]))
        yield
    yield from winnings.hold_round(ceilings.round)
    return {bet: tuple(steps) for bet, steps in winnings.steps.items()}


class _Winnings:
    """Winnings of each bet, in minor units, and the ceilings that have lowered them so far."""

    def __init__(self) -> None:
        self.classes = defaultdict[str, frozenset[str]](frozenset)  # classes that the bets of a player name, by player
        self.of_bet = dict[str, int]()  # by its id
        self.steps = defaultdict[str, list[AppliedCeiling]](list)
        self._won = defaultdict[str, list[Bet]](list)  # bets that win, by player
        self._bets: list[Bet] = []  # the same, in the order in which units that are left over are given

    def take(self, bets: Iterable[Bet], returns: Mapping[str, int]) -> None:
        """Add some of the bets. `returns`: what the rule sheet returns for each, stake included."""
        for bet in bets:  # a follow-on stake names no class
            self.classes[bet.player] |= NOBODYS if bet.player_class is None else {bet.player_class}
            if returns[bet.id] > bet.stake:
                self.of_bet[bet.id] = returns[bet.id] - bet.stake
                self._won[bet.player].append(bet)

    def hold_player(self, player: str, ceilings: PlayerCeilings) -> None:
        """Lower the winnings of a player's bets, each and their sum. Called for the players in order."""
        mine = sorted(self._won[player], key=lambda bet: (bet.spot.market, bet.spot.seat or "", bet.window, bet.id))
        for bet in mine:
            if ceilings.bet is not None and self.of_bet[bet.id] > ceilings.bet:
                self._lower(bet, "bet", ceilings.bet)
        for _ in self._hold(mine, "player", ceilings.player):
            pass
        self._bets += mine

    def hold_round(self, ceiling: int | None) -> Iterator[None]:
        """Lower the winnings of all bets so that their sum stays within a ceiling, piece by piece."""
        return self._hold(self._bets, "round", ceiling)

    def _hold(self, bets: Collection[Bet], of: CeilingScope, ceiling: int | None) -> Iterator[None]:
        """Lower the winnings of these bets so that their sum stays within a ceiling."""
        if ceiling is None or sum(self.of_bet[bet.id] for bet in bets) <= ceiling:
            return
        shares = list(_shares([self.of_bet[bet.id] for bet in bets], ceiling))
        yield
        for piece in pieces(zip(bets, shares, strict=True)):
            for bet, share in piece:
                if share < self.of_bet[bet.id]:
                    self._lower(bet, of, share)
            yield

    def _lower(self, bet: Bet, of: CeilingScope, to: int) -> None:
        """Lower the winnings of one bet."""
        self.steps[bet.id].append(AppliedCeiling(of, self.of_bet[bet.id], to))
        self.of_bet[bet.id] = to


def _shares(amounts: list[int], whole: int) -> Iterator[int]:
    """Shares of a whole in proportion to these amounts, by largest remainder; of equal ones the first gets the unit."""
    total = sum(amounts)
    shares, remainders = zip(*(divmod(amount * whole, total) for amount in amounts), strict=True)
    left = whole - sum(shares)
    more = frozenset(sorted(range(len(amounts)), key=lambda place: -remainders[place])[:left])
    return (share + (place in more) for place, share in enumerate(shares))
