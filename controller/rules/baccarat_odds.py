"""The chances of a coup of baccarat, exactly: what each market comes to, from the cards left and those that lie.

Nothing of a rule sheet is written here a second time. Who gets a third card is asked of its procedure,
once for all totals; then deals are counted, in whole numbers.

Two things keep the count short. Cards that nobody has seen come in any order with the same chances: Player's are taken
out first, the third one too, and each takes the hands it is in away from those that Banker could get. And how many
cards there are of each value is one number, a "pack": ten digits to the base 2**64, that of the tens last. Hands times
the cards left, less the cards in those hands, is how often each value comes as Banker's third card, all ten at once.
No digit overflows: eight decks have fewer than 2**53 deals of six cards.
"""

import struct
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, reduce
from itertools import combinations_with_replacement, product
from math import comb, perm
from typing import Any

from msgspec import Struct

from .cards import FULL_DECK, Card
from .dealing import CardTo, drive, look_ahead
from .game import Chance
from .procedure import Deal, Participants, Procedure, Settings

LONGEST = 6  # cards in a coup

Pack = int
Values = tuple[int, ...]  # of cards, each 0 to 9
End = tuple[int, int, int]  # Player's total, Banker's total, number of cards
Course = tuple[int, bool, End]  # Banker's total in two cards, whether Banker draws, where the coup stands before that
Courses = Mapping[int, Mapping[int | None, Sequence[Course]]]  # by Player's total in two cards, by Player's third card

_DIGITS = struct.Struct("<10Q")
_ONE = tuple(1 << 64 * value for value in range(10))
_TWO = tuple(combinations_with_replacement(range(10), 2))
_TOGETHER = tuple([_ONE[card] + _ONE[total - card] for total in range(10)] for card in range(10))
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
        ranks, values = Counter[str](), [0] * 10
        for card, copies in left.items():
            ranks[card[0]] += copies
        for rank, copies in ranks.items():
            values[self.points([f"{rank}S"])] += copies
        bets = main_bets(self, tuple(values), tuple(self.points([card]) for card in dealt))
        return {**bets, **pair_bets(ranks, [card[0] for card in dealt])}


@lru_cache(maxsize=64)  # a round asks once for its first window, and ten times ahead for each of the others
def main_bets(coup: Coup, left: Values, dealt: Values) -> Mapping[str, Chance]:
    """Of the markets on the totals and on the number of cards. `left`: how many cards of each value."""
    deals, size = Counter[str](), sum(left)
    for (player, banker, cards), number in _ends(courses(coup), left, dealt).items():
        as_six = number * perm(size + len(dealt) - cards, LONGEST - cards)  # with all that could have come after them
        deals["player" if player > banker else "banker" if banker > player else "tie"] += as_six
        deals["small" if cards == 4 else "big"] += as_six
    every = perm(size, LONGEST - len(dealt)) // 2 ** (2 - len(dealt))  # two cards to come are a hand either way round
    won = {market: Fraction(deals[market], every) for market in ("player", "banker", "tie", "small", "big")}
    back = {"player": won["tie"], "banker": won["tie"]}
    return {market: Chance(chance, back.get(market, Fraction())) for market, chance in won.items()}


def _ends(by_total: Courses, left: Values, dealt: Values) -> Mapping[End, int]:
    """How many deals come to each end."""
    shoe = _left(left, dealt[1:])
    deals, drawing = dict.fromkeys(_ENDS, 0), dict.fromkeys(_ENDS, 0)
    for player, cards, ways in _hands(left, dealt[:1]):
        rest = reduce(_Left.without, cards, shoe)
        for third, ahead in by_total[player].items():
            copies, then = (1, rest) if third is None else (rest.cards[third], rest.without(third))
            for banker, draws, end in ahead:
                if draws:
                    drawing[end] += ways * copies * (then.hands[banker] * then.pack - then.held[banker])
                else:
                    deals[end] += ways * copies * then.hands[banker]
    for (player, banker, length), pack in drawing.items():
        for value, number in enumerate(_DIGITS.unpack(pack.to_bytes(_DIGITS.size, "little")) if pack else ()):
            deals[player, (banker + value) % 10, length + 1] += number
    return deals


class _Left(Struct, frozen=True):
    """The cards left, and the hands of two that Banker could get of them."""

    cards: Values  # how many of each value
    pack: Pack  # the same
    lies: Values  # Banker's first card, where it is known
    hands: Sequence[int]  # how many for each total
    held: Sequence[Pack]  # the cards in all of these

    def without(self, card: int) -> "_Left":
        """One card less: the hands that it would make with each of the others are gone."""
        cards = (*self.cards[:card], self.cards[card] - 1, *self.cards[card + 1 :])
        if self.lies:
            return _left(cards, self.lies)
        gone = [cards[total - card] for total in range(10)]
        hands = [number - less for number, less in zip(self.hands, gone, strict=True)]
        held = [pack - less * two for pack, less, two in zip(self.held, gone, _TOGETHER[card], strict=True)]
        return _Left(cards, self.pack - _ONE[card], (), hands, held)


def _left(cards: Values, lies: Values) -> _Left:
    hands, held = [0] * 10, [0] * 10
    for total, of, number in _hands(cards, lies):
        hands[total] += number
        held[total] += number * sum(_ONE[card] for card in of)
    return _Left(cards, sum(copies * one for copies, one in zip(cards, _ONE, strict=True)), lies, hands, held)


def _hands(left: Values, lies: Values) -> list[tuple[int, Values, int]]:
    """Two cards of a side, of which one may lie: what they come to, those to come, how many such hands there are."""
    if lies:
        return [((lies[0] + card) % 10, (card,), copies) for card, copies in enumerate(left) if copies]
    every = (
        ((one + two) % 10, (one, two), left[one] * left[two] if one != two else comb(left[one], 2)) for one, two in _TWO
    )
    return [hand for hand in every if hand[2]]


@cache
def courses(coup: Coup) -> Courses:
    """What becomes of the totals of two cards each, as the procedure has it."""
    cards = {coup.points([card]): card for card in FULL_DECK}
    worth = [cards[value] for value in range(10)]
    found: dict[int, dict[int | None, list[Course]]] = {player: defaultdict(list) for player in range(10)}
    for player, banker in product(range(10), repeat=2):
        firsts = [CardTo(worth[player], "player"), CardTo(worth[banker], "banker")]
        four = [*firsts, CardTo(worth[0], "player"), CardTo(worth[0], "banker")]
        due = drive(coup.start(), four).due
        if due == Deal("player"):
            for value, then in enumerate(look_ahead(coup.start, four, worth).values()):
                found[player][value].append((banker, then == Deal("banker"), ((player + value) % 10, banker, 5)))
        else:
            found[player][None].append((banker, due == Deal("banker"), (player, banker, 4)))
    return found


def pair_bets(left: Mapping[str, int], dealt: Sequence[str]) -> dict[str, Chance]:
    """Of the markets on two cards of a rank. `left`: how many cards of each rank."""
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
