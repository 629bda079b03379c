"""Seated game as a third-party rule sheet: two cards each for seats and dealer, five shared cards."""

from decimal import Decimal
from fractions import Fraction

from controller.rules.cards import FULL_DECK, Deck
from controller.rules.face import Face
from controller.rules.game import Game, Market, Stake
from controller.rules.procedure import SEATS, Hand, Outcome, Participants, Procedure, Settings, deal


class Rules(Settings, frozen=True, forbid_unknown_fields=True):
    """Settings of the game: the house chooses nothing."""


class Result(Outcome, frozen=True):
    """Outcome of a round: the shared cards."""

    shared: str


def play(_: Rules, who: Participants) -> Procedure:
    """Deal two cards to each seat and the dealer, then the shared cards."""
    hands = [Hand(place) for place in (*who.seats, "dealer")]
    for hand in hands:
        yield from deal(hand)
        yield from deal(hand)
    shared = Hand("shared")
    for _ in range(5):
        yield from deal(shared)
    return Result(" ".join(shared.cards))


def pay(_: Result, stake: Stake) -> Fraction:
    return Fraction(stake.odds or 0)


GAME = Game(
    name="common_cards",
    version="1",
    places=(*SEATS, "dealer", "shared"),
    seats=SEATS,
    settings=Rules,
    deck=lambda _: Deck(FULL_DECK, every_round=True),
    procedure=play,
    outcome=Result,
    markets=(Market("main", Decimal("1.9")),),
    pay=pay,
    face=Face("Common cards", "seats", room={"dealer": 2, "shared": 5}),
)
