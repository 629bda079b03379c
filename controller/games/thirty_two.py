"""32 Card. The headings are those of the rule sheet.

Where the sheet can be read in two ways: the order of dealing is taken as 8, 9, 10, 11; points of a redraw are added to
those a hand has (only so do the published returns come out); the pay-outs include the stake ("for 1", likewise).
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ..rules.cards import FULL_DECK, Card, Deck
from ..rules.face import Face, Phrase, PlaceName
from ..rules.game import Game, Market, Stake
from ..rules.procedure import Hand, Outcome, Participants, Procedure, Settings, deal
from ..rules.returns import Counted
from .reasons.thirty_two import ThirtyTwoReasons

# "Cards participating in the game": 6 to 10 as their number, J 11, Q 12, K 13
POINTS = {card: "6789TJQK".index(card[0]) + 6 for card in FULL_DECK if card[0] in "6789TJQK"}

PLAYERS = {"player8": 8, "player9": 9, "player10": 10, "player11": 11}  # "default prefix points"

# Pay-out table, stake included
PAYS = {"player8": Decimal("12"), "player9": Decimal("5.5"), "player10": Decimal("3"), "player11": Decimal("2")}
# RTP, in percent
RTP = {"player8": "93.99", "player9": "90.08", "player10": "87.91", "player11": "92.97"}


class Rules(Settings, frozen=True, forbid_unknown_fields=True):
    """Settings of the game: the sheet leaves none to the house."""


class Result(Outcome, frozen=True):
    """Result of a round of 32 Card."""

    winner: str
    totals: dict[str, int]
    redraws: int


def play(_: Rules, __: Participants) -> Procedure:
    """Game Rules: one card each, then one more to those tied at the top, until one hand is the highest."""
    hands = [Hand(place) for place in PLAYERS]
    yield from deal(*hands)
    redraws = 0
    while len(tied := highest(hands)) > 1:  # a tie below the top is ignored
        yield from deal(*tied)
        redraws += 1
    return Result(tied[0].place, {hand.place: total(hand) for hand in hands}, redraws)


def total(hand: Hand) -> int:
    """Total of a hand: its prefix points and the points of its cards."""
    return points(hand.place, hand.cards)


def points(place: str, cards: Sequence[Card]) -> int:
    """Points of these cards on a place, with its prefix points."""
    return PLAYERS[place] + sum(POINTS[card] for card in cards)


def highest(hands: Sequence[Hand]) -> list[Hand]:
    """The hands with the highest total."""
    top = max(total(hand) for hand in hands)
    return [hand for hand in hands if total(hand) == top]


def pay(result: Result, stake: Stake) -> Fraction:
    """Pay-out table: the bet on the winner returns its multiple, every other is lost."""
    return Fraction(stake.odds or 0) if stake.market == result.winner else Fraction(0)


def describe(outcome: Mapping[str, Any]) -> Phrase:
    """The result in a sentence."""
    winner = outcome["winner"]
    return Phrase("{place} wins with {total}", {"place": PlaceName(winner), "total": outcome["totals"][winner]})


GAME = Game(
    name="thirty_two",
    version="1",
    places=tuple(PLAYERS),
    settings=Rules,
    deck=lambda _: Deck(tuple(POINTS), every_round=True),
    procedure=play,
    outcome=Result,
    markets=tuple(Market(place, odds, published=Fraction(RTP[place])) for place, odds in PAYS.items()),
    pay=pay,
    face=Face(
        title="32 Card",
        layout="row",
        room=3,
        dealt=1,
        redraw_after=1,
        result=describe,
        reasons=ThirtyTwoReasons(points, describe),
    ),
    score=lambda place, cards: str(points(place, cards)),
    counted=Counted(tuple(PAYS), by="controller.lab.rtp.counted_returns:thirty_two"),
    tables={"odds": PAYS},
    exclusive=(tuple(PAYS),),
)
