"""Game of two cards from eight decks, small enough to deal all its rounds: the higher rank wins."""

from decimal import Decimal
from fractions import Fraction

from controller.rules.cards import FULL_DECK, RANKS, Deck
from controller.rules.game import Game, Market
from controller.rules.procedure import Hand, Outcome, Settings, deal
from controller.rules.returns import Counted, Exact

TIE = Fraction(31, 415)  # 31 of the 415 cards that are left have the rank of the first


class Higher(Outcome, frozen=True):
    winner: str


def play(_, __):
    one, other = Hand("dragon"), Hand("tiger")
    yield from deal(one, other)
    ranks = [RANKS.index(hand.cards[0][0]) for hand in (one, other)]
    return Higher("tie" if ranks[0] == ranks[1] else "dragon" if ranks[0] > ranks[1] else "tiger")


def pay(outcome, stake):
    if stake.market == outcome.winner:
        return Fraction(stake.odds)
    return Fraction(1, 2) if outcome.winner == "tie" else Fraction(0)


def counted():
    side = (1 - TIE) / 2 * 2 + TIE / 2
    return [Exact(market=name, returned=side, over="all pairs") for name in ("dragon", "tiger")]


def miscounted():
    """Return counted returns that are wrong: the half of a tie's stake is missing once in 10,000 ties."""
    return [Exact(market=one.market, returned=one.returned - TIE / 20_000, over=one.over) for one in counted()]


GAME = Game(
    name="small_game",
    version="1",
    places=("dragon", "tiger"),
    settings=Settings,
    deck=lambda _: Deck(FULL_DECK, copies=8),
    procedure=play,
    outcome=Higher,
    markets=(
        Market("dragon", Decimal(2), published=Fraction("96.26")),
        Market("tiger", Decimal(2), published=Fraction("96.27")),
        Market("tie", Decimal(9), published=Fraction("67.23")),
    ),
    pay=pay,
    counted=Counted(("dragon", "tiger"), by="tests.plugins.small_game:counted"),
)
