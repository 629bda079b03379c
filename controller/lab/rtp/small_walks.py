"""Exact returns of small games: every possible card is dealt, each by its chance.

No cards are counted together, so the sheet's author need not say which cards are equivalent.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import perm

from ...rules.cards import Card
from ...rules.game import Game
from ...rules.procedure import Deal, Outcome
from .rounds import Decide, SimulatedRound, SimulatedShoe, return_per_unit, start

MOST_WAYS = 12_000  # most rounds that are dealt to their end; two cards of 52 make 2 704
TRIED = 8  # random rounds that show whether a walk can be small enough

End = tuple[Fraction, Outcome, list[tuple[str, str]]]  # chance of a round, its outcome, and its decisions


class _CardWanted(Exception):
    """Error: a round needs one card more than it was given."""


def exact_returns(game: Game, decide: Decide, stake: Fraction = Fraction(1)) -> dict[str, Fraction] | None:
    """Exact return of each market for a stake; None if a round has more than MOST_WAYS ways."""
    ends = all_rounds(game, decide, MOST_WAYS)
    if ends is None:
        return None
    totals = {market.name: Fraction(0) for market in game.markets}
    for chance, outcome, decisions in ends:
        for market in game.markets:
            totals[market.name] += chance * return_per_unit(game, market, outcome, decisions, stake)
    return totals


def all_rounds(game: Game, decide: Decide, most: int) -> list[End] | None:
    """Return all possible rounds with their chances; None if there are more than `most`."""
    deck, begin = game.deck(game.settings()), start(game)
    if _least_ways(game, decide) > most:
        return None
    kinds = Counter(dict.fromkeys(deck.cards, deck.copies))
    open_: list[tuple[tuple[Card, ...], Fraction]] = [((), Fraction(1))]
    ends: list[End] = []
    while open_:
        cards, chance = open_.pop()
        round_ = SimulatedRound(begin(), _fixed_draws(cards))
        try:
            ends.append((chance, round_.play(decide), round_.made))
        except _CardWanted:
            open_ += _further_ways(cards, chance, kinds)
        if len(open_) + len(ends) > most:
            return None
    return ends


def _least_ways(game: Game, decide: Decide) -> int:
    """Number of ways to deal the shortest of a few random rounds.

    If this is too large already, the walk is not started.
    """
    shoe, begin = SimulatedShoe.of(game, "ways"), start(game)
    kinds, ways = len(game.deck(game.settings()).cards), list[int]()
    for _ in range(TRIED):
        shoe.fill()
        round_ = SimulatedRound(begin(), shoe.draw)
        round_.play(decide)
        ways.append(perm(kinds, min(kinds, len(round_.laid))))
    return min(ways)


def _fixed_draws(cards: tuple[Card, ...]) -> Callable[[Deal], Card]:
    coming = iter(cards)

    def draw(_: Deal) -> Card:
        card = next(coming, None)
        if card is None:
            raise _CardWanted
        return card

    return draw


def _further_ways(
    cards: tuple[Card, ...], chance: Fraction, kinds: Counter[Card]
) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    left = kinds - Counter(cards)
    for card, copies in left.items():
        yield (*cards, card), chance * Fraction(copies, left.total())
