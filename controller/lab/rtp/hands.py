"""Exact returns of bets on five cards: all 2 598 960 hands through the procedure and the pay tables.

Hands are counted together only if they differ by the names of the suits alone, which no sheet here distinguishes.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, islice, permutations, product
from math import comb

from ...games import casino_holdem, rhum32
from ...rules.cards import FULL_DECK, RANKS, SUITS, Card
from ...rules.game import Prize, Stake
from ...rules.procedure import SEATS
from .cores import spread
from .rounds import PLAYER, Draw, SimulatedRound, decide_by_default, return_in_units, start

PARTS = 24  # jobs, so that the work spreads evenly over the cores
ALL = comb(52, 5)


def five_cards(part: int = 0, parts: int = 1) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Yield all hands of five cards, grouped: the number of hands, and one of them.

    The hands of a group differ only by the names of the suits. `part` of `parts`: only that share of the groups.
    """
    for ranks in islice(combinations_with_replacement(RANKS, 5), part, None, parts):
        counts = Counter(ranks)
        if max(counts.values()) <= len(SUITS):
            for suits, number in _suits(tuple(counts.values())).items():
                of_rank = zip(counts, suits, strict=True)
                yield number, tuple(rank + suit for rank, some in of_rank for suit in some)


@cache
def _suits(counts: tuple[int, ...]) -> Counter[tuple[str, ...]]:
    """Count the ways to choose suits for so many cards of each rank, up to the names of the suits."""
    return Counter(
        min(_rename_suits(suits, names) for names in permutations(SUITS))
        for suits in product(*(list(map("".join, combinations(SUITS, number))) for number in counts))
    )


def _rename_suits(suits: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    new = str.maketrans(SUITS, "".join(names))
    return tuple("".join(sorted(some.translate(new))) for some in suits)


def hand_dealer(places: Collection[str], hand: Sequence[Card]) -> Draw:
    """Return a function that deals the hand to these places, and cards outside the hand to all other places."""
    coming, others = iter(hand), (card for card in FULL_DECK if card not in hand)
    return lambda due: next(coming if due.to in places else others)


# ── Casino Hold'em: the bonus bet ────────────────────────────────────────────────────────────────────────────────


def bonus() -> Fraction:
    """Exact return of the bonus bet: the player's two cards and the flop, whatever is decided."""
    returns: Counter[Fraction | Prize] = sum(spread(_bonus_part, range(PARTS)), Counter())
    assert returns.total() == ALL  # noqa: S101 - a hand left out would be a bug
    return sum((return_in_units(won) * number for won, number in returns.items()), Fraction(0)) / ALL


def _bonus_part(part: int) -> Counter[Fraction | Prize]:
    game, returns = casino_holdem.GAME, Counter[Fraction | Prize]()
    begin, stake = start(game), Stake(PLAYER, "bonus")
    for number, hand in five_cards(part, PARTS):
        outcome = SimulatedRound(begin(), hand_dealer(["player", "board"], hand)).play(decide_by_default)
        returns[game.pay(outcome, stake)] += number
    return returns


# ── Rhum 32: the insurance bet ───────────────────────────────────────────────────────────────────────────────────

Hands = Counter[tuple[int, Fraction | Prize]]  # number of hands by points and insurance payment


def insurance() -> Hands:
    """Count all hands of a seat that always raises, by their points and what insurance pays on them."""
    hands = sum(spread(_insurance_part, range(PARTS)), Hands())
    assert hands.total() == ALL  # noqa: S101 - a hand left out would be a bug
    return hands


def _insurance_part(part: int) -> Hands:
    game, hands, seat = rhum32.GAME, Hands(), SEATS[0]
    begin, stake = start(game), Stake(PLAYER, "insurance", seat=seat)
    for number, hand in five_cards(part, PARTS):
        outcome = SimulatedRound(begin(), hand_dealer([seat], hand)).play(
            lambda ask, _: dict.fromkeys(ask.who, "raise")
        )
        assert isinstance(outcome, rhum32.Result)  # noqa: S101 - the sheet's own
        hands[outcome.hands[seat]["points"] or 0, game.pay(outcome, stake)] += number
    return hands


def insurance_return(hands: Hands, stake: Fraction) -> Fraction:
    """Return per unit of an insurance stake, in table currency: prizes are fixed amounts."""
    return sum((return_in_units(won, stake) * number for (_, won), number in hands.items()), Fraction(0)) / ALL


def count_by_points(hands: Hands) -> dict[str, int]:
    """Number of hands on each line of the pay table, and beyond the last."""
    best, low = Prize(rhum32.INSURANCE_PRIZES[0][1]), 0
    counts = {"A-5 suited": sum(number for (_, won), number in hands.items() if won == best)}
    for upto, _ in rhum32.PLAY_PAYS[1:]:
        of_line = (number for (points, won), number in hands.items() if low <= points <= upto and won != best)
        counts[f"{low}-{upto}" if low < upto else f"{upto}"] = sum(of_line)
        low = upto + 1
    return {**counts, f"over {low - 1}": ALL - sum(counts.values())}


def four_faces(hands: Hands) -> dict[str, int]:
    """Number of paid hands for each total from 47 to 50 points."""
    paid = dict.fromkeys(rhum32.INSURANCE_PAYS, 0)
    for (points, won), number in hands.items():
        if points in paid and won:
            paid[points] += number
    return {str(points): number for points, number in paid.items()}
