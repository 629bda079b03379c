"""Players' money: the amounts that each has brought, staked and got back.

It is counted only from the records, as a platform would count it.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from ...core import records as r
from ...core.records import Record
from ...core.spot import Spot
from ...core.state import State
from ...table.loop import Table

START = 1000_00


class PlayerPurses:
    """Money of all players, in minor units.

    `stakes` and `back` are those of the round that was opened last, by player.
    """

    def __init__(self, players: Sequence[str], state: State) -> None:
        self.players = tuple(players)
        self.brought: Counter[str] = Counter(dict.fromkeys(players, START))
        self.stakes: defaultdict[str, Counter[Spot]] = defaultdict(Counter)
        self.back: Counter[str] = Counter()
        self._moved: Counter[str] = Counter()  # by player: amounts back into the purse, less amounts out of it
        for bet in state.round.bets.values():  # bets of a round that was live at a crash
            self._stake(bet.player, bet.spot, bet.stake)

    def __getitem__(self, player: str) -> int:
        """Amount that a player has left to bet."""
        return self.brought[player] + self._moved[player]

    def __call__(self, _table: Table, records: Sequence[Record]) -> None:
        """Count the money moved by committed records."""
        for record in records:
            self._count(record.what)

    def bring(self, player: str) -> None:
        """Add another purse of `START` for a player."""
        self.brought[player] += START

    def _count(self, what: r.What) -> None:
        match what:
            case r.Opened():
                self.stakes.clear()
                self.back.clear()
            case r.BetAccepted(player=player, market=market, stake=stake):
                self._stake(player, Spot.parse(market), stake)
            case r.Decided(player=str(player), market=str(market), stake=int(stake)):
                self._stake(player, Spot.parse(market), stake)
            case r.BetWithdrawn(player=player, market=market, stake=stake):
                self._stake(player, Spot.parse(market), -stake)
            case r.Paid(player=player, returned=returned):
                self._return(player, returned)
            case r.Refunded(player=player, stake=stake):
                self._return(player, stake)

    def _stake(self, player: str, spot: Spot, amount: int) -> None:
        self.stakes[player][spot] += amount
        self._moved[player] -= amount

    def _return(self, player: str, amount: int) -> None:
        self.back[player] += amount
        self._moved[player] += amount
