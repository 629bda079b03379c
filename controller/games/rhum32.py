"""Rhum 32. Numbers are those of the rule sheet; the lower hand wins.

Where the sheet can be read in two ways: 17 points pay as 12-17, not as 17-32; 1-3 points are counted, not only aces;
insurance prizes are amounts of money (as multiples they would return three times the stakes); 9 comes before 13; a tie
bet is paid on equal totals all the same; a folded seat loses ante, tie and insurance.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar, Literal, TypedDict

from ..rules.cards import FULL_DECK, Card, Deck
from ..rules.face import Face, Phrase
from ..rules.game import FollowOn, Game, Market, Prize, Stake
from ..rules.procedure import SEATS, Hand, Outcome, Participants, Procedure, Settings, ask, deal, reveal
from ..rules.returns import Counted
from .reasons.rhum32 import RhumReasons
from .strategies.rhum32 import few_points

ORDER = "A23456789TJQK"  # "Aces can not be used to form a spread after king"
POINTS = {card: min(ORDER.index(card[0]) + 1, 10) for card in FULL_DECK}  # "All face cards are counted as 10 points"
QUALIFIES = 32  # 8: most points with which the dealer qualifies
ACE_TO_FIVE = -1  # stands for ace to five suited in the pay tables, before any other hand of zero points

# RHUM 32 PAYTABLE, play bet, "to 1": (most points, multiple)
PLAY_PAYS = ((ACE_TO_FIVE, 100), (0, 50), (3, 20), (7, 4), (11, 3), (17, 2), (32, 1))
# INSURANCE BET PAY TABLE: (most points, prize); then multiples "to 1" by points, "must consist of 4 face cards"
INSURANCE_PRIZES = ((ACE_TO_FIVE, 100_000), (0, 5_000), (3, 1_000), (7, 200), (11, 100))
INSURANCE_PAYS = {47: 2, 48: 3, 49: 6, 50: 7}
TIE_PAYS = 20
LOST, PUSH, EVEN = map(Fraction, (0, 1, 2))  # return for each unit staked


class Rules(Settings, frozen=True, forbid_unknown_fields=True):
    """Settings of the game that the house may choose."""

    dealer_shows_fourth: bool = True  # 2: "forth one face up"; false: all four down


class DealersPoints(TypedDict):
    """Points of the dealer, and whether the dealer qualifies with them."""

    points: int | None
    qualified: bool | None


class SeatsPoints(TypedDict):
    """Points of a seat, and its result."""

    points: int | None
    result: Literal["win", "lose", "push", "fold"]


class Result(Outcome, frozen=True):
    """Result of a round. Points are null for a seat that folded, and for the dealer if nobody raised."""

    kept: ClassVar = ("cards",)

    dealer: DealersPoints
    hands: dict[str, SeatsPoints]
    cards: dict[str, list[Card]]


def play(rules: Rules, participants: Participants) -> Procedure:
    """1 to 7: deal four cards each, raise or fold; then a fifth to raisers and the dealer."""
    seats, dealer = [Hand(seat) for seat in participants.seats], Hand("dealer")
    yield from deal(*(seat for seat in seats for _ in range(4)))
    yield from deal(*[dealer] * 3, face_up=False)
    yield from deal(dealer, face_up=rules.dealer_shows_fourth)

    decisions = yield from ask(participants.seats, "raise", "fold", default="fold")
    raised = [seat for seat in seats if decisions[seat.place] == "raise"]
    if raised:
        yield from reveal(dealer)
    if live := [seat for seat in raised if not participants.is_void(seat)]:
        yield from deal(*live, dealer)
    return result(seats, live, dealer)


def result(seats: list[Hand], live: list[Hand], dealer: Hand) -> Result:
    """8 to 13: each seat that raised and is not void against the dealer."""
    dealer_points = points(dealer.cards) if live else None
    hands: dict[str, SeatsPoints] = {seat.place: {"points": None, "result": "fold"} for seat in seats}
    for seat, own in [(seat, points(seat.cards)) for seat in live]:
        hands[seat.place] = {"points": own, "result": compare(own, dealer_points or 0)}
    qualified = None if dealer_points is None else dealer_points <= QUALIFIES
    return Result({"points": dealer_points, "qualified": qualified}, hands, {seat.place: seat.cards for seat in live})


def compare(seat_points: int, dealer_points: int) -> Literal["win", "lose", "push"]:
    """9: a dealer who does not qualify has lost; 10 to 13: else the lower hand wins."""
    if dealer_points > QUALIFIES or seat_points < dealer_points:
        return "win"
    return "push" if seat_points == dealer_points else "lose"


def points(cards: Sequence[Card]) -> int:
    """Points of a hand: fewest points beside a spread, or the sum of all cards without one."""
    whole = sum(POINTS[card] for card in cards)
    return min((whole - sum(POINTS[card] for card in spread) for spread in spreads(cards)), default=whole)


def spreads(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Every spread in a hand, "min 3 cards and up to five cards"."""
    return [some for size in (3, 4, 5) for some in combinations(cards, size) if is_spread(some)]


def is_spread(cards: Sequence[Card]) -> bool:
    """True if the cards are of one rank, or a row of one suit."""
    if len({card[1] for card in cards}) > 1:
        return len({card[0] for card in cards}) == 1
    ranks = sorted([ORDER.index(card[0]) for card in cards])
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def pay(result: Result, stake: Stake) -> Fraction | Prize:
    """9 to 14, the pay tables and the tie bet: return of a bet for each unit staked, or a prize."""
    hand = result.hands[stake.seat or ""]
    if hand["result"] == "fold":
        return LOST
    cards = result.cards[stake.seat or ""]
    if stake.market == "insurance":  # 14: whatever the dealer has
        return insurance(cards)
    if stake.market == "tie":
        return 1 + Fraction(TIE_PAYS) if hand["points"] == result.dealer["points"] else LOST
    if hand["result"] != "win":
        return PUSH if hand["result"] == "push" else LOST
    if stake.market == "ante":
        return EVEN
    return 1 + Fraction(table_pay(PLAY_PAYS, cards) or 0) if result.dealer["qualified"] else PUSH


def insurance(cards: Sequence[Card]) -> Fraction | Prize:
    """Return of insurance: a prize for few points, or a multiple for four faces without a spread."""
    prize = table_pay(INSURANCE_PRIZES, cards)
    if prize is not None:
        return Prize(prize)
    four_faces = sum(card[0] in "JQK" for card in cards) >= 4
    pays = INSURANCE_PAYS.get(points(cards)) if four_faces else None
    return LOST if pays is None else 1 + Fraction(pays)


def table_pay(table: Sequence[tuple[int, int]], cards: Sequence[Card]) -> int | None:
    """Pay of a table for the points of these cards; None if it has none. Ace to five suited ranks first."""
    best = ACE_TO_FIVE if is_spread(cards) and {card[0] for card in cards} == set("A2345") else points(cards)
    return next((pays for upto, pays in table if best <= upto), None)


def describe(outcome: Mapping[str, Any]) -> Phrase:
    """The result in a sentence: what the dealer has."""
    total, qualified = outcome["dealer"]["points"], outcome["dealer"]["qualified"]
    if total is None:
        return Phrase("No hand is left in play")
    return Phrase("Dealer has {total}", {"total": total}) if qualified else Phrase("Dealer does not qualify")


MARKETS = {"ante": "ante", "play": "play", "tie": "tie", "insurance": "insurance"}


def best_spread(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The spread with the most points; empty if the hand has none."""
    return max(spreads(cards), key=lambda spread: sum(POINTS[card] for card in spread), default=())


def remarks(outcome: Mapping[str, Any]) -> tuple[Phrase, ...]:
    """Phrase that explains why a hand of few points has won."""
    return (Phrase("a spread counts nothing: the lower total wins"),) if outcome["dealer"]["qualified"] else ()


GAME = Game(
    name="rhum32",
    version="1",
    places=(*SEATS, "dealer"),
    settings=Rules,
    deck=lambda _: Deck(FULL_DECK, every_round=True),
    procedure=play,
    outcome=Result,
    markets=(Market("ante"), Market("tie", needs="ante"), Market("insurance", needs="ante", minimum=500, floor=324)),
    pay=pay,
    face=Face(
        "Rhum 32",
        "seats",
        room=5,
        dealt=4,
        shown=("dealer", *SEATS),
        markets=MARKETS,
        decisions={"raise": "raise", "fold": "fold"},
        forms=best_spread,
        formed="spread",
        result=describe,
        remarks=remarks,
        reasons=RhumReasons(points, QUALIFIES),
    ),
    strategy=few_points(points, POINTS),
    score=lambda _, cards: str(points(cards)),
    counted=Counted(("insurance",), by="controller.lab.rtp.counted_returns:rhum32"),
    tables={"play": PLAY_PAYS, "prizes": INSURANCE_PRIZES, "insurance": INSURANCE_PAYS, "tie": TIE_PAYS},
    highest={
        "ante": (EVEN,),
        "play": (PUSH + Fraction(max(pays for _, pays in PLAY_PAYS)),),
        "tie": (PUSH + Fraction(TIE_PAYS),),
        "insurance": (
            PUSH + Fraction(max(INSURANCE_PAYS.values())),
            Prize(max(prize for _, prize in INSURANCE_PRIZES)),
        ),
    },
    joins="ante",
    follow_ons={"raise": FollowOn("play", of="ante", times=Fraction(2))},  # 5: exactly double the ante
    seats=SEATS,
)
