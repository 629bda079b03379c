"""The chances of a coup of baccarat, exactly: what each market comes to, from the cards left and those that lie.

The one rule: nothing of a rule sheet is written here a second time. Who gets a third card is asked of its procedure,
once for all totals; then deals are counted, in whole numbers. (Cards that nobody has seen come in any order with the
same chances: Player's two cards may be counted before Banker's.)

How many cards of each value are left is one number, a "pack": ten digits to the base 2**64, that of 0 last. Taking
cards out is a subtraction, and Banker's third card need not be dealt ten times over: a pack, times the deals that lead
to it, is how often each value comes. No digit overflows: eight decks have fewer than 2**53 deals of six cards.
"""

import struct
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import perm
from typing import Any

from msgspec import Struct

from .cards import FULL_DECK, Card
from .dealing import CardTo, drive, look_ahead
from .procedure import Chance, Deal, Participants, Procedure, Settings

LONGEST = 6  # cards in a coup

Pack = int
Values = tuple[int, ...]  # of cards, each 0 to 9
End = tuple[int, int, int]  # Player's total, Banker's total, number of cards
Third = tuple[Pack, End, bool]  # Player's third card or none, where the coup stands then, whether Banker draws
Thirds = Mapping[tuple[int, int], tuple[Third, ...]]  # by the totals of two cards each

_DIGITS = struct.Struct("<10Q")
_ONE = tuple(1 << 64 * value for value in range(10))
_TWO = tuple(combinations_with_replacement(range(10), 2))
_ENDS = tuple(product(range(10), range(10), range(4, LONGEST + 1)))


class Coup(Struct, frozen=True):
    """A rule sheet of this kind, with one betting window: how it is dealt, and what cards come to."""

    procedure: Callable[[Any, Participants], Procedure]
    settings: Settings
    points: Callable[[Sequence[Card]], int]

    def start(self) -> Procedure:
        """A coup at its first card."""
        return self.procedure(self.settings, Participants())

    def chances(self, left: Mapping[Card, int], dealt: Sequence[Card]) -> dict[str, Chance]:
        """Of each market, from the copies left of each card and what lies: nothing, Player's first card, or both first
        cards. Of none, where the cards left could run out."""
        if sum(left.values()) + len(dealt) < LONGEST:
            return {}
        ranks, pack = Counter[str](), 0
        for card, copies in left.items():
            ranks[card[0]] += copies
            pack += copies * _ONE[self.points([card])]
        bets = main_bets(self, pack, tuple(self.points([card]) for card in dealt))
        return {**bets, **pair_bets(ranks, [card[0] for card in dealt])}


@lru_cache(maxsize=64)  # a round asks once for its first window, and ten times ahead for each of the others
def main_bets(coup: Coup, left: Pack, dealt: Values) -> Mapping[str, Chance]:
    """Of the markets on the totals and on the number of cards."""
    size, deals = sum(_digits(left)), Counter[str]()
    for (player, banker, cards), number in _ends(third_cards(coup), left, dealt).items():
        as_six = number * perm(size + len(dealt) - cards, LONGEST - cards)  # with all that could have come after them
        deals["player" if player > banker else "banker" if banker > player else "tie"] += as_six
        deals["small" if cards == 4 else "big"] += as_six
    every = perm(size, LONGEST - len(dealt))
    won = {market: Fraction(deals[market], every) for market in ("player", "banker", "tie", "small", "big")}
    back = {"player": won["tie"], "banker": won["tie"]}
    return {market: Chance(chance, back.get(market, Fraction())) for market, chance in won.items()}


def _ends(thirds: Thirds, left: Pack, dealt: Values) -> Mapping[End, int]:
    """How many deals come to each end."""
    deals, drawing = dict.fromkeys(_ENDS, 0), dict.fromkeys(_ENDS, 0)
    for player, ours, ways in _hands(left, dealt[:1]):
        for banker, theirs, more in _hands(left - ours, dealt[1:]):
            rest, so_far, then = left - ours - theirs, ways * more, thirds[player, banker]
            for (third, end, draws), copies in zip(then, _digits(rest) if len(then) > 1 else (1,), strict=True):
                if draws:
                    drawing[end] += so_far * copies * (rest - third)
                else:
                    deals[end] += so_far * copies
    for (player, banker, cards), pack in drawing.items():
        for value, number in enumerate(_digits(pack) if pack else ()):
            deals[player, (banker + value) % 10, cards + 1] += number
    return deals


def _digits(pack: Pack) -> tuple[int, ...]:
    """How many cards of each value."""
    return _DIGITS.unpack(pack.to_bytes(_DIGITS.size, "little"))


def _hands(left: Pack, lies: Values) -> list[tuple[int, Pack, int]]:
    """The two cards of a side, of which one may lie: what they come to, those to come, in how many ways."""
    copies = _digits(left)
    if lies:
        return [((lies[0] + value) % 10, _ONE[value], copies[value]) for value in range(10) if copies[value]]
    return [
        ((one + two) % 10, _ONE[one] + _ONE[two], ways)
        for one, two in _TWO
        if (ways := copies[one] * (copies[two] - 1 if one == two else 2 * copies[two]))
    ]


@cache
def third_cards(coup: Coup) -> Thirds:
    """What may come as Player's third card, and whether Banker draws after it, as the procedure itself has it."""
    cards = {coup.points([card]): card for card in FULL_DECK}
    worth = [cards[value] for value in range(10)]
    thirds: dict[tuple[int, int], tuple[Third, ...]] = {}
    for player, banker in product(range(10), repeat=2):
        firsts = [CardTo(worth[player], "player"), CardTo(worth[banker], "banker")]
        four = [*firsts, CardTo(worth[0], "player"), CardTo(worth[0], "banker")]
        due = drive(coup.start(), four).due
        if due == Deal("player"):
            then = look_ahead(coup.start, four, worth).values()
            ends = [((player + value) % 10, banker, 5) for value in range(10)]
            thirds[player, banker] = tuple(zip(_ONE, ends, (due == Deal("banker") for due in then), strict=True))
        else:
            thirds[player, banker] = ((0, (player, banker, 4), due == Deal("banker")),)
    return thirds


def pair_bets(left: Mapping[str, int], dealt: Sequence[str]) -> dict[str, Chance]:
    """Of the markets on two cards of a rank, by rank."""
    ours, theirs = dealt[:1] or left, dealt[1:] or left  # the ranks that a pair may be of
    mine, yours = 2 - len(dealt[:1]), 2 - len(dealt[1:])  # cards to come for it
    size = sum(left.values())
    both = sum(
        perm(left[one], mine + yours) if one == two else perm(left[one], mine) * perm(left[two], yours)
        for one, two in product(ours, theirs)
    )
    player = Fraction(sum(perm(left[rank], mine) for rank in ours), perm(size, mine))
    banker = Fraction(sum(perm(left[rank], yours) for rank in theirs), perm(size, yours))
    either = player + banker - Fraction(both, perm(size, mine + yours))
    return {"player_pair": Chance(player), "banker_pair": Chance(banker), "any_pair": Chance(either)}
