"""Andar Bahar as a third-party rule sheet: one place for a single card, two for half a deck each."""

from decimal import Decimal
from fractions import Fraction

from controller.rules.cards import FULL_DECK, Deck
from controller.rules.face import Face
from controller.rules.game import Game, Market, Stake
from controller.rules.procedure import Hand, Outcome, Participants, Procedure, Settings, deal


class Rules(Settings, frozen=True, forbid_unknown_fields=True):
    """Settings of the game: the house chooses nothing."""


class Result(Outcome, frozen=True):
    """Outcome: the winning side and the number of cards dealt to both sides."""

    winner: str
    cards: int


def play(_: Rules, __: Participants) -> Procedure:
    """Deal the joker, then a card to each side in turn, until a card has the joker's rank."""
    joker, sides = Hand("joker"), (Hand("andar"), Hand("bahar"))
    yield from deal(joker)
    dealt = 0
    while True:
        side = sides[dealt % 2]
        yield from deal(side)
        dealt += 1
        if side.cards[-1][0] == joker.cards[0][0]:
            return Result(side.place, dealt)


def pay(result: Result, stake: Stake) -> Fraction:
    return Fraction(stake.odds or 0) if stake.market == result.winner else Fraction(0)


GAME = Game(
    name="andar_bahar",
    version="1",
    places=("joker", "andar", "bahar"),
    settings=Rules,
    deck=lambda _: Deck(FULL_DECK, every_round=True),
    procedure=play,
    outcome=Result,
    markets=(Market("andar", Decimal("1.9")), Market("bahar", Decimal("2"))),
    pay=pay,
    face=Face("Andar Bahar", "row", room={"joker": 1, "andar": 25, "bahar": 25}, dealt=25),
)
