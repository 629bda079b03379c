"""Exact chances of a coup of baccarat from the cards left and the cards on the table.

This module does not repeat the rule sheet. It asks the sheet's procedure who gets a third card, once for all totals;
then it counts deals, in whole numbers.

Cards that nobody has seen come in any order with the same chance. Six cards are counted for every coup, also those that
would come after its end. A "set" says how many cards of each value come, and nothing of their order. The rule sheet
alone decides in how many orders of a set a market wins: `orders` finds that once. The shoe alone decides in how many
ways its cards make one order of the set: a product with one factor for each value (`_deals`). A market wins in as many
deals as the sum over all sets of orders times ways.

`main_bets` sums for all markets at once. A set has two halves, the values 0 to 4 and 5 to 9. The orders stand in
tables, with a row for each low half and a column for each high half. A row is one large number with 64 bits for each
market of each column, so that one multiplication does a whole row. No 64 bits overflow: eight decks have fewer than
2**53 deals of six cards.
"""

import struct
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import perm
from operator import mul
from typing import Any

from msgspec import Struct

from .cards import FULL_DECK, Card
from .dealing import CardTo, drive, look_ahead
from .game import Chance
from .procedure import Deal, Participants, Procedure, Settings

LONGEST = 6  # cards in a coup

Values = tuple[int, ...]  # of cards, each 0 to 9
Set = int  # how many cards of each value: three bits each
Orders = Mapping[Set, int]  # in how many orders of a set the markets win: 64 bits each for Player, Banker and small

_PLAYER, _BANKER, _SMALL = (1 << 64 * place for place in range(3))
_BYTES = 8 * 3  # of one number in Orders
_CARD: tuple[Set, ...] = tuple(1 << 3 * value for value in range(10))
_HALF = 5  # values


class Coup(Struct, frozen=True):
    """Baccarat rule sheet with one betting window: its procedure, settings and points of cards."""

    procedure: Callable[[Any, Participants], Procedure]
    settings: Settings
    points: Callable[[Sequence[Card]], int]

    def start(self) -> Procedure:
        """Start a coup: its procedure, at the first card."""
        return self.procedure(self.settings, Participants())

    def chances(self, left: Mapping[Card, int], dealt: Sequence[Card]) -> dict[str, Chance]:
        """Chance of each market, from the copies left of each card and the cards on the table.

        On the table: nothing, Player's first card, or both first cards. Empty where the cards left could run out.
        """
        if sum(left.values()) + len(dealt) < LONGEST:
            return {}
        ranks, values = Counter[str](), [0] * 10
        for card, copies in left.items():
            ranks[card[0]] += copies
        for rank, copies in ranks.items():
            values[self.points([f"{rank}S"])] += copies
        bets = main_bets(self, tuple(values), tuple(self.points([card]) for card in dealt))
        return {**bets, **pair_bets(ranks, [card[0] for card in dealt])}


@lru_cache(maxsize=64)  # a round asks once for its first window, and ten times ahead for each of the others
def main_bets(coup: Coup, left: Values, dealt: Values) -> Mapping[str, Chance]:
    """Chances of the markets on totals and number of cards. `left`: cards of each value."""
    come = LONGEST - len(dealt)
    low, high = _deals(left[:_HALF], come), _deals(left[_HALF:], come)
    won = [0, 0, 0]
    for size, rows in enumerate(orders(coup, dealt)):
        columns = high[come - size]
        row = sum(map(mul, low[size], rows)).to_bytes(_BYTES * len(columns), "little")
        sums = struct.unpack(f"<{3 * len(columns)}Q", row)
        won = [deals + sum(map(mul, columns, sums[market::3])) for market, deals in enumerate(won)]
    (player, banker, small), every = won, perm(sum(left), come)
    tie = Fraction(every - player - banker, every)
    return {
        "player": Chance(Fraction(player, every), tie),
        "banker": Chance(Fraction(banker, every), tie),
        "tie": Chance(tie),
        "small": Chance(Fraction(small, every)),
        "big": Chance(Fraction(every - small, every)),
    }


def _deals(left: Values, most: int) -> list[list[int]]:
    """Ways, by size, in which the cards left make one order of each set of values.

    The sets are those of `_sets`.
    """
    deals = [[1], *([] for _ in range(most))]
    for copies in left:
        ways = [perm(copies, n) for n in range(most + 1)]
        deals = [[ways[n] * rest for n in range(size + 1) for rest in deals[size - n]] for size in range(most + 1)]
    return deals


def _sets(cards: Sequence[Set], most: int) -> list[list[Set]]:
    """Sets of these cards, by size."""
    sets = [[0], *([] for _ in range(most))]
    for card in cards:
        sets = [[n * card + rest for n in range(size + 1) for rest in sets[size - n]] for size in range(most + 1)]
    return sets


@cache
def orders(coup: Coup, dealt: Values) -> Sequence[Sequence[int]]:
    """Rows of the table by the size of the low half of a set. `dealt`: values of the cards on the table."""
    come = LONGEST - len(dealt)
    counts = _sum((hand, _after_player(coup, total, dealt[1:])) for total, hand in enumerate(_hands(dealt[:1])))
    low, high = _sets(_CARD[:_HALF], come), _sets(_CARD[_HALF:], come)
    return [
        [_row(counts[half + column] for column in columns) for half in rows]
        for rows, columns in zip(low, reversed(high), strict=True)
    ]


def _row(numbers: Iterable[int]) -> int:
    return int.from_bytes(b"".join(number.to_bytes(_BYTES, "little") for number in numbers), "little")


@cache
def _after_player(coup: Coup, player: int, on_table: Values) -> Orders:
    """Orders of the four cards beside Player's hand of total `player`.

    `on_table`: value of Banker's first card if it is on the table, else empty.
    """
    return _sum((hand, _after_hands(coup, player, banker)) for banker, hand in enumerate(_hands(on_table)))


@cache
def _after_hands(coup: Coup, player: int, banker: int) -> Orders:
    """Orders of the last two of six cards, if the first two hands have these totals.

    Nobody, one side or both get a third card.
    """
    worth = _cards_by_value(coup)
    firsts = [CardTo(worth[player], "player"), CardTo(worth[banker], "banker")]
    four = [*firsts, CardTo(worth[0], "player"), CardTo(worth[0], "banker")]
    due = drive(coup.start(), four).due
    draws = due == Deal("player")
    then = list(look_ahead(coup.start, four, worth).values()) if draws else [due] * 10
    counts = defaultdict[Set, int](int)
    for third, last in product(range(10), repeat=2):
        player_total = (player + third) % 10 if draws else player
        banker_total = (banker + last) % 10 if then[third] == Deal("banker") else banker
        winner = _PLAYER if player_total > banker_total else _BANKER if banker_total > player_total else 0
        counts[_CARD[third] + _CARD[last]] += winner + (_SMALL if due is None else 0)
    return counts


@cache
def _cards_by_value(coup: Coup) -> Sequence[Card]:
    """One card of each value 0 to 9, in that order."""
    cards = {coup.points([card]): card for card in FULL_DECK}
    return [cards[value] for value in range(10)]


def _hands(on_table: Values) -> Sequence[Orders]:
    """For each total 0 to 9 of a side's first two cards: the sets that give it, with their number of orders.

    `on_table`: value of its card on the table; empty if there is none.
    """
    hands = [defaultdict[Set, int](int) for _ in range(10)]
    for one, two in product(on_table or range(10), range(10)):
        hands[(one + two) % 10][_CARD[two] + (0 if on_table else _CARD[one])] += 1
    return hands


def _sum(pairs: Iterable[tuple[Orders, Orders]]) -> Orders:
    """Orders of cards of the first kind followed by the second, for all pairs together."""
    counts = defaultdict[Set, int](int)
    for first, second in pairs:
        for one, ways in first.items():
            for two, more in second.items():
                counts[one + two] += ways * more
    return counts


def pair_bets(left: Mapping[str, int], dealt: Sequence[str]) -> dict[str, Chance]:
    """Chances of the markets on two cards of a rank. `left`: cards of each rank."""
    player_ranks, banker_ranks = dealt[:1] or left, dealt[1:] or left  # that a pair may be of
    to_player, to_banker = 2 - len(dealt[:1]), 2 - len(dealt[1:])  # cards to come for each pair
    size = sum(left.values())
    player, banker = (
        sum(perm(left[rank], to_player) for rank in player_ranks),
        sum(perm(left[rank], to_banker) for rank in banker_ranks),
    )
    both = player * banker + sum(  # two pairs of one rank take their cards from the same copies
        perm(left[rank], to_player + to_banker) - perm(left[rank], to_player) * perm(left[rank], to_banker)
        for rank in player_ranks
        if rank in banker_ranks
    )
    chance = {
        "player_pair": Fraction(player, perm(size, to_player)),
        "banker_pair": Fraction(banker, perm(size, to_banker)),
    }
    either = sum(chance.values()) - Fraction(both, perm(size, to_player + to_banker))
    return {market: Chance(won) for market, won in (chance | {"any_pair": either}).items()}
