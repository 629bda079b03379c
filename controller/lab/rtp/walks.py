"""Exact returns over every way in which a round can go; equivalent cards are counted together.

Only cards are grouped here, never steps. Each way is dealt through the procedure and settled by the sheet, and the
chances of the ways must add up to one.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from math import perm

from msgspec import Struct
from msgspec.json import encode

from ...games import baccarat, thirty_two
from ...rules.cards import SUITS, Card, Deck
from ...rules.dealing import Answer, CardTo, Dealing, drive
from ...rules.game import Game
from ...rules.procedure import Deal, Outcome
from .cores import spread
from .rounds import Start, return_per_unit, start

Part = tuple[Fraction, dict[str, Fraction]]  # total chance of some ways, and their part of each market's return


class PartialRound(Struct, frozen=True):
    """Course of a round so far. `ways`: number of card sequences that lead to it."""

    answers: tuple[Answer, ...]
    left: Mapping[str, int]  # cards left in the shoe, by rank
    ways: int = 1

    @property
    def cards(self) -> list[Card]:
        """The cards dealt, in order."""
        return [answer.card for answer in self.answers if isinstance(answer, CardTo)]

    def with_card(self, rank: str, alike: int, place: str) -> "PartialRound":
        """Extend the way by a card of this rank, which `alike` cards could replace; suits take turns."""
        card = rank + SUITS[self.left[rank] % 4]
        left = {**self.left, rank: self.left[rank] - 1}
        return PartialRound((*self.answers, CardTo(card, place)), left, self.ways * alike)


# key of a rank: ranks with equal keys are equivalent at this point of the round
Alike = Callable[[str, PartialRound], Hashable]


def all_ways(
    start: Start,
    deck: Deck,
    alike: Alike,
    first: str | None = None,
    upto: Callable[[PartialRound, Deal], bool] | None = None,
) -> Iterator[tuple[PartialRound, Dealing]]:
    """Yield each way in which a round can go to its end, or until `upto` is true.

    `first`: rank of the first card, if given. Only for games in which each step deals a card and suits do not matter.
    """
    open_ways = [
        PartialRound((), {rank: number * deck.copies for rank, number in Counter(c[0] for c in deck.cards).items()})
    ]
    while open_ways:
        way = open_ways.pop()
        dealing = drive(start(), way.answers)
        while isinstance(due := dealing.due, Deal) and not (upto and upto(way, due)):
            way, *others = _choices(way, due, alike, None if way.answers else first)
            open_ways += others
            dealing.answer(way.answers[-1])
        yield way, dealing


def _choices(way: PartialRound, due: Deal, alike: Alike, only: str | None) -> list[PartialRound]:
    """Extend the way by each kind of card that may come next."""
    kinds: dict[Hashable, list[str]] = {}
    for rank in way.left if only is None else [only]:
        if way.left[rank]:
            kinds.setdefault(alike(rank, way), []).append(rank)
    return [way.with_card(kind[0], sum(way.left[rank] for rank in kind), due.to) for kind in kinds.values()]


class WalkSum:
    """Sum over the ways of a walk. Equal outcomes are settled once."""

    def __init__(self, game: Game) -> None:
        self._game, self._size = game, game.deck(game.settings()).size
        self._ways: Counter[tuple[bytes, int, int]] = Counter()
        self._outcomes: dict[bytes, Outcome] = {}

    def add(self, outcome: Outcome | None, way: PartialRound, among: int = 1) -> None:
        """Add a way that ended with this outcome, or with one of `among` equally likely outcomes."""
        assert outcome is not None  # noqa: S101 - the walk has gone to its end
        key = encode(outcome)
        self._outcomes.setdefault(key, outcome)
        self._ways[key, len(way.cards), among] += way.ways

    def part(self) -> Part:
        """Total chance of the ways added, and their contribution to each market's return."""
        chances: defaultdict[bytes, Fraction] = defaultdict(Fraction)
        for (key, cards, among), ways in self._ways.items():
            chances[key] += Fraction(ways, among * perm(self._size, cards))
        added = {market.name: Fraction(0) for market in self._game.markets}
        for key, outcome in self._outcomes.items():
            for market in self._game.markets:
                if value := return_per_unit(self._game, market, outcome, ()):
                    added[market.name] += chances[key] * value
        return sum(chances.values(), Fraction(0)), added


# ── the games ────────────────────────────────────────────────────────────────────────────────────────────────────


def market_returns(game: Game, part: Callable[[str], Part]) -> dict[str, Fraction]:
    """Exact return of each market; each rank of the first card is a job of its own."""
    parts = list(spread(part, sorted({card[0] for card in game.deck(game.settings()).cards})))
    assert sum(chance for chance, _ in parts) == 1  # noqa: S101 - a walk that lost a way would be a bug
    return {market.name: sum((added[market.name] for _, added in parts), Fraction(0)) for market in game.markets}


def baccarat_from(first: str) -> Part:
    """Walk every way of baccarat from this first card.

    Cards are alike if they have the same points, and in the first four cards if the rank has come or not: pairs count.
    """
    game = baccarat.GAME
    tally = WalkSum(game)

    def alike(rank: str, way: PartialRound) -> Hashable:
        lying = way.cards
        return baccarat.POINTS[rank + "C"], len(lying) < 4 and rank in [card[0] for card in lying] and rank

    for way, dealing in all_ways(start(game), game.deck(game.settings()), alike, first):
        tally.add(dealing.outcome, way)
    return tally.part()


def thirty_two_from(first: str, redraws: int = 1) -> Part:
    """Walk every way of Thirty-Two from this first card, through so many redraws.

    Hands that are still tied after the redraws are equally likely to get the best of the next cards, since these come
    from one shuffled deck. Ignored: a deck can run out in redraws, less than twice in 10^9 rounds.
    """
    game = thirty_two.GAME
    tally = WalkSum(game)

    def is_past_redraws(way: PartialRound, due: Deal) -> bool:
        return sum(isinstance(answer, CardTo) and answer.place == due.to for answer in way.answers) == 1 + redraws

    ways = all_ways(start(game), game.deck(game.settings()), lambda rank, _: rank, first, is_past_redraws)
    for way, dealing in ways:
        tied = next_pass(dealing)
        for winner in tied:
            last = (CardTo("KS" if place == winner else "6S", place) for place in tied)
            tally.add(drive(start(game)(), (*way.answers, *last)).outcome, way, among=len(tied))
        if not tied:
            tally.add(dealing.outcome, way)
    return tally.part()


def next_pass(dealing: Dealing) -> list[str]:
    """Places that get a card before any place gets two: the tied hands."""
    places: list[str] = []
    while isinstance(dealing.due, Deal) and dealing.due.to not in places:
        places.append(dealing.due.to)
        dealing.answer(CardTo("6S", dealing.due.to))
    return places
