"""Strategy for calling in Casino Hold'em: call unless the sum of points is negative.

A pair or better, a strong draw and a high card add points. A flop that helps the dealer subtracts some. Twos and threes
on the flop add some, because a dealer with a pair of those does not qualify.
"""

from collections.abc import Sequence
from functools import cache

from ...rules.cards import RANKS, Card
from ...rules.strategy import Count, Seen

# Found by `tablectl rtp casino_holdem --search`.
POINTS = {
    "the rank of the higher card, 2 to 14": 6,
    "each rank on the flop above it": 4,
    "each rank on the flop above the lower card": -4,
    "each rank that makes a straight": 24,
    "each run of five that has three of its ranks, up to three": 2,
    "three of a straight on the flop": -6,
    "a pair on the flop": 3,
    "each two or three on the flop": 7,
    "the highest rank on the flop": 1,
    "three to a flush": 7,
    "two of a suit on the flop": -3,
    "three of a suit on the flop": -21,
    "a start": -72,
}
NO_DOUBT = (0,) * len(POINTS)
RUNS = tuple(0b11111 << low for low in range(10))  # bits of five ranks in a row; bit 0 is the ace below the two


def signs(_: str, open_cards: Seen) -> Sequence[int]:
    """Count each sign in the cards seen; NO_DOUBT if the hand is worth a call at once."""
    player, flop = open_cards["player"], open_cards["board"]
    low, high = sorted(_rank(card) for card in player)
    lying = [card[1] for card in flop]
    most = max(map(lying.count, lying))
    own = max((lying + [card[1] for card in player]).count(card[1]) for card in player)
    of_ranks = _signs_of_ranks(high, low, tuple(sorted(map(_rank, flop))))
    return (*of_ranks, own == 3, most == 2, most == 3, 1) if of_ranks and own < 4 else NO_DOUBT


@cache
def _signs_of_ranks(high: int, low: int, flop: tuple[int, ...]) -> Sequence[int]:
    lying, ranks = _bits(*flop), set(flop)
    if high == low or high in ranks or low in ranks or len(ranks) == 1:
        return ()
    outs, runs = _straights(_bits(high, low) | lying, lying)
    return (
        high,
        sum(rank > high for rank in ranks),
        sum(rank > low for rank in ranks),
        outs,
        runs,
        _longest_run(lying) == 3,
        len(ranks) == 2,
        sum(rank <= 3 for rank in flop),
        max(ranks),
    )


def _straights(ranks: int, flop: int) -> tuple[int, int]:
    """Count the ranks that complete a straight, and runs of five with three or more cards.

    A rank counts if all cards make a straight with it and the flop alone does not.
    """
    with_one = [_bits(rank) for rank in range(2, 15)]
    outs = sum(_longest_run(ranks | one) == 5 > _longest_run(flop | one) for one in with_one)
    runs = sum((run & ranks).bit_count() >= 3 and run & ranks & ~flop != 0 for run in RUNS)
    return outs, min(runs, 3)


@cache
def _longest_run(ranks: int) -> int:
    """Most ranks that any one run of five holds."""
    return max((run & ranks).bit_count() for run in RUNS)


@cache
def _bits(*ranks: int) -> int:
    """Ranks as bits, an ace also below the two."""
    return sum({1 << rank - 1 for rank in ranks} | ({1} if 14 in ranks else set()))


def _rank(card: Card) -> int:
    return RANKS.index(card[0]) + 2


STRATEGY = Count(
    words="call with a pair or better in which a card of one's own plays, four to a flush, or three alike on the flop; "
    "else count " + ", ".join(f"{number:+} for {sign}" for sign, number in POINTS.items()) + ", and call from 0",
    market="ante",
    yes="call",
    no="fold",
    numbers=POINTS,
    signs=signs,
    rounds=3_500_000,  # for a standard error of the ante below 0.15 %
)
