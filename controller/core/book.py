"""Book of a round: the bets in play, by id and in the order in which they were taken.

Like all of the state it is immutable: adding or removing a bet makes another book. That costs the same for ten bets as
for twenty thousand, as only the top layer is copied, and a deeper layer only after as many changes as it has entries.
Python's garbage collector (`gc`) does not traverse it: no bet refers back to itself.
"""

from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct

from .events import Origin
from .spot import Spot

TOP = 32  # changes in the layer that is copied with each
LONGER = 4  # a layer is at least this many times as long as the layer above it
FULL = 4096  # changes from which a layer is not merged any more: a copy would take milliseconds, while a card may wait

K = TypeVar("K")
V = TypeVar("V")


class Bet(Struct, frozen=True, omit_defaults=True, gc=False):
    """Bet in play: its stake, market, odds and betting window."""

    id: str
    player: str
    spot: Spot
    stake: int
    odds: str | None = None
    window: int = 1  # betting window in which it was taken
    drawn: int = 0  # cards of the round that had left the shoe when it was taken
    taken: str | None = None  # odds at which it was taken, if a ruling has changed them since
    player_class: str | None = None  # class of the player, whose limits apply
    origin: Origin | None = None  # sender and id of the command that placed it, if the command had an id


class Layered(Generic[K, V]):
    """Immutable dict; a change copies only its top layers, not the whole.

    The latest layer is the last. Each layer is full or much longer than the one above it. The value None marks a
    removed key.
    """

    __slots__ = ("_layers",)

    def __init__(self, *layers: dict[K, V | None]) -> None:
        self._layers = layers or ({},)

    def get(self, key: K) -> V | None:
        """Value of a key; None if there is none."""
        for layer in reversed(self._layers):
            if key in layer:
                return layer[key]
        return None

    def copy_with(self, key: K, value: V) -> "Layered[K, V]":
        """Copy with this value under this key; a new key comes last."""
        latest = next((layer for layer in reversed(self._layers) if key in layer), None)
        again = latest is not None and latest[key] is None
        return Layered({**self.as_dict(), key: value}) if again else self._changed_copy(key, value)

    def without(self, key: K) -> "Layered[K, V]":
        """Copy without this key and its value."""
        return self._changed_copy(key, None)

    def _changed_copy(self, key: K, value: V | None) -> "Layered[K, V]":
        *layers, top = self._layers
        top = {**top, key: value}
        if len(top) < TOP:
            return Layered(*layers, top)
        while layers and len(layers[-1]) < min(LONGER * len(top), FULL):
            top = {**layers.pop(), **top}
        return Layered(*layers, top, {}) if layers else Layered({**_without_removed(top)}, {})

    def as_dict(self) -> dict[K, V]:
        """Plain dict of all keys and values, in order."""
        every: dict[K, V | None] = {}
        for layer in self._layers:
            every.update(layer)
        return _without_removed(every)


def _without_removed(layer: dict[K, V | None]) -> dict[K, V]:
    return {key: value for key, value in layer.items() if value is not None}


class Stakes(NamedTuple):
    """Number and sum of the bets on one market; the sum is in minor units."""

    bets: int = 0
    total: int = 0


class Book(Mapping[str, Bet]):
    """Immutable mapping of the bets in play by id.

    An empty book is always the object `NO_BETS`, so that a checkpoint leaves it out.
    """

    __slots__ = ("_bets", "_count", "_ids_by_player", "players", "staked")

    def __init__(
        self,
        bets: Layered[str, Bet],
        ids_by_player: Layered[str, tuple[str, ...]],
        staked: Mapping[Spot, Stakes],
        count: int,
        players: int,
    ) -> None:
        self._bets, self._count = bets, count
        self._ids_by_player = ids_by_player  # also of bets that are gone; an empty entry keeps the player's place
        self.staked = staked  # by market
        self.players = players  # number of players with bets; while bets are being paid, of players who had any

    @classmethod
    def of_bets(cls, bets: Iterable[Bet]) -> "Book":
        """Book with these bets, made in one pass; their ids are all different."""
        by_id, ids, staked = dict[str, Bet | None](), dict[str, list[str]](), dict[Spot, Stakes]()
        for bet in bets:
            by_id[bet.id] = bet
            ids.setdefault(bet.player, []).append(bet.id)
            before = staked.get(bet.spot, Stakes())
            staked[bet.spot] = Stakes(before.bets + 1, before.total + bet.stake)
        frozen: dict[str, tuple[str, ...] | None] = {player: tuple(some) for player, some in ids.items()}
        return cls(Layered(by_id, {}), Layered(frozen, {}), staked, len(by_id), len(ids)) if by_id else NO_BETS

    def __getitem__(self, bet: str) -> Bet:
        entry = self._bets.get(bet)
        if entry is None:
            raise KeyError(bet)
        return entry

    def __contains__(self, bet: object) -> bool:
        return isinstance(bet, str) and self._bets.get(bet) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._bets.as_dict())

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"Book({self._bets.as_dict()})"

    def values(self) -> ValuesView[Bet]:
        """Bets in the order in which they were taken."""
        return self._bets.as_dict().values()

    def items(self) -> ItemsView[str, Bet]:
        """Ids and bets, in the order in which they were taken."""
        return self._bets.as_dict().items()

    @property
    def total(self) -> int:
        """Sum of all stakes, in minor units."""
        return sum(staked.total for staked in self.staked.values())

    def bets_on(self, player: str, spot: Spot) -> list[Bet]:
        """Bets of a player on one market, over all betting windows."""
        return [bet for bet in self.bets_of(player) if bet.spot == spot]

    def bets_of(self, player: str) -> list[Bet]:
        """Bets of a player, in the order in which they were taken."""
        bets = (self._bets.get(one) for one in self._ids_by_player.get(player) or ())
        return [bet for bet in bets if bet is not None]

    def copy_with(self, bet: Bet) -> "Book":
        """Copy with this bet added, or replaced if its id is known."""
        if bet.id in self:
            return self._changed_copy(bet)
        mine = self._ids_by_player.get(bet.player) or ()
        ids = self._ids_by_player.copy_with(bet.player, (*mine, bet.id))
        players = self.players + (not mine)
        return Book(self._bets.copy_with(bet.id, bet), ids, self._stakes_after(bet, 1), self._count + 1, players)

    def _changed_copy(self, bet: Bet) -> "Book":
        before = self[bet.id]
        if (before.player, before.spot, before.stake) != (bet.player, bet.spot, bet.stake):
            return self.without(bet.id).copy_with(bet)
        return Book(self._bets.copy_with(bet.id, bet), self._ids_by_player, self.staked, self._count, self.players)

    def without(self, bet: str) -> "Book":
        """Copy without the bet of this id; the book itself if it has none."""
        gone = self._bets.get(bet)
        if gone is None:
            return self
        if self._count == 1:
            return NO_BETS
        mine = tuple(one for one in self._ids_by_player.get(gone.player) or () if one != bet)
        ids, players = self._ids_by_player.copy_with(gone.player, mine), self.players - (not mine)
        return Book(self._bets.without(bet), ids, self._stakes_after(gone, -1), self._count - 1, players)

    def without_all(self, bets: Iterable[str]) -> "Book":
        """Copy without the bets of these ids. The ids stay in the players' lists, since no id is used twice."""
        gone, left = frozenset(bets), self._bets.as_dict()
        staked = dict(self.staked)
        for one in gone & left.keys():
            bet = left.pop(one)
            before = staked[bet.spot]
            staked[bet.spot] = Stakes(before.bets - 1, before.total - bet.stake)
        staked = {spot: stakes for spot, stakes in staked.items() if stakes.bets}
        return Book(Layered({**left}, {}), self._ids_by_player, staked, len(left), self.players) if left else NO_BETS

    def _stakes_after(self, bet: Bet, more: int) -> Mapping[Spot, Stakes]:
        """Stakes by market after `more` bets like this one were added (negative: removed)."""
        bets, total = self.staked.get(bet.spot, Stakes())
        staked = {**self.staked, bet.spot: Stakes(bets + more, total + more * bet.stake)}
        if not staked[bet.spot].bets:
            del staked[bet.spot]
        return staked


NO_BETS = Book(Layered(), Layered(), {}, 0, 0)
