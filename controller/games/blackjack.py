"""MultiHand Blackjack. The headings are those of the rule sheet (Romanian).

Where the sheet can be read in two ways: each hand gets its two cards before the next ("câte două cărți pentru fiecare
mână"), the two hands of a split theirs at once ("împarte automat"); split aces are neither hit nor doubled; a blackjack
may be insured too; all hands decide on insurance in one window ("disponibil imediat ce se împart primele cărți"); the
dealer turns over the face-down card, but draws only against a hand that is left to beat.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta

from ..rules.cards import FULL_DECK, Card, Deck
from ..rules.face import Face, Phrase
from ..rules.game import FollowOn, Game, Market, Stake
from ..rules.procedure import SEATS, SECOND, Hand, Outcome, Part, Participants, Procedure, Settings, ask, deal, reveal
from .reasons.blackjack import BlackjackReasons
from .strategies.blackjack import basic_strategy

# Punctaj: an ace 1 or 11, picture cards 10
VALUE = {card: min("A23456789TJQK".index(card[0]) + 1, 10) for card in FULL_DECK}

# Plăți, return for each unit staked: blackjack 3:2, win 1:1, push the stake, loss nothing; insurance 2:1
LOST, INSURED = Fraction(0), Fraction(3)
RETURNS = {"blackjack": Fraction(5, 2), "win": Fraction(2), "push": Fraction(1), "lose": LOST, "bust": LOST}
Ending = Literal["blackjack", "win", "push", "lose", "bust"]


class Rules(Settings, frozen=True, forbid_unknown_fields=True):
    """Settings of the game that the house may choose."""

    decks: Annotated[int, Meta(ge=1, le=8)] = 8
    every_round: bool = True  # "toate cărțile sunt în joc"; false: a shoe that stays, with a cut card
    change_below: Annotated[int, Meta(ge=0)] = 0  # cards, where the shoe stays
    deal_order: Literal["hands", "rounds"] = "hands"  # rounds: one card each and the dealer, twice
    split_second_card: Literal["at_once", "in_turn"] = "at_once"  # in_turn: when the second hand is reached
    draw_without_live_hand: bool = False


class DealersTotal(TypedDict):
    """Dealer's total at the end of a round."""

    total: int
    blackjack: bool


class HandsTotal(TypedDict):
    """Total and result of a hand at the end of a round."""

    total: int
    result: Ending


class Result(Outcome, frozen=True):
    """Result of a round: the dealer's total and every hand's."""

    dealer: DealersTotal
    hands: dict[str, HandsTotal]


class BlackjackHand(Hand):
    """Hand of blackjack; `split` is True for both hands of a split."""

    split = False


def play(rules: Rules, participants: Participants) -> Procedure:
    """Desfășurarea jocului: two cards to each hand, then to the dealer one up and one down."""
    hands, dealer = [BlackjackHand(seat) for seat in participants.seats], BlackjackHand("dealer")
    in_turn = (hand for hand in hands for _ in range(2))
    yield from deal(*((*hands, dealer, *hands) if rules.deal_order == "rounds" else (*in_turn, dealer)))
    yield from deal(dealer, face_up=False)

    if hands and dealer.cards[0][0] == "A":  # Asigurare: "imediat ce se împart primele cărți", so all hands at once
        yield from ask([hand.place for hand in hands], "insure", "decline", default="decline")
    # "își va verifica cărțile": under an ace or a ten; under any other card there can be no blackjack
    for hand in [hand for hand in hands if not is_blackjack(hand) and not is_blackjack(dealer)]:
        yield from play_hand(rules, hand, hands)
    yield from reveal(dealer)
    in_play = [hand for hand in hands if not participants.is_void(hand)]
    live = [hand for hand in in_play if points(hand.cards) <= 21 and not is_blackjack(hand)]
    if live or rules.draw_without_live_hand:
        while points(dealer.cards) < 17:  # "Rămâne în orice combinație de 17 puncte, inclusiv 17 moale"
            yield from deal(dealer)
    total: DealersTotal = {"total": points(dealer.cards), "blackjack": is_blackjack(dealer)}
    return Result(total, {hand.place: compare(dealer, hand) for hand in hands})


def play_hand(rules: Rules, hand: BlackjackHand, hands: list[BlackjackHand]) -> Part:
    """Acțiuni: hit, stand, double two cards (after a split too), split equal values once."""
    while points(hand.cards) < 21:
        options = ["hit", "stand"] if len(hand.cards) > 2 else ["hit", "stand", "double"]
        if len(hand.cards) == 2 and VALUE[hand.cards[0]] == VALUE[hand.cards[1]] and not hand.split:
            options.append("split")
        decision = (yield from ask([hand.place], *options, default="stand"))[hand.place]
        if decision == "split":
            yield from play_split(rules, hand, hands)
        elif decision != "stand":
            yield from deal(hand)
        if decision != "hit":
            return


def play_split(rules: Rules, hand: BlackjackHand, hands: list[BlackjackHand]) -> Part:
    """Împărțiți: two hands, each with a second card; aces get that one card and no other."""
    second = BlackjackHand(hand.place + SECOND)
    second.cards.append(hand.cards.pop())
    hand.split = second.split = True
    hands.insert(hands.index(hand) + 1, second)
    at_once, aces = rules.split_second_card == "at_once", hand.cards[0][0] == "A"
    yield from deal(*([hand, second] if at_once else [hand]))
    if not aces:
        yield from play_hand(rules, hand, hands)
    yield from deal(*([] if at_once else [second]))
    if not aces:
        yield from play_hand(rules, second, hands)


def points(cards: Sequence[Card]) -> int:
    """Punctaj: an ace is 11 where that does not go over 21."""
    low = sum([VALUE[card] for card in cards])
    return low + 10 if low <= 11 and any(card[0] == "A" for card in cards) else low


def is_blackjack(hand: BlackjackHand) -> bool:
    """True for an ace and a ten as dealt; after a split they are 21, not blackjack."""
    return len(hand.cards) == 2 and points(hand.cards) == 21 and not hand.split


def compare(dealer: BlackjackHand, hand: BlackjackHand) -> HandsTotal:
    """Total and result of a hand: over 21 it loses to any dealer; blackjack beats any other 21."""
    ours, theirs = ((points(one.cards), is_blackjack(one)) for one in (hand, dealer))
    won: Ending = "blackjack" if is_blackjack(hand) else "win"
    result: Ending = "push" if ours == theirs else won if theirs[0] > 21 or ours > theirs else "lose"
    return {"total": ours[0], "result": "bust" if ours[0] > 21 else result}


def pay(result: Result, stake: Stake) -> Fraction:
    """Plăți: return of a bet for each unit staked. A split bet is the stake of the second hand."""
    if stake.market == "insurance":
        return INSURED if result.dealer["blackjack"] else LOST
    place = (stake.seat or "") + (SECOND if stake.market == "split" else "")
    return RETURNS[result.hands[place]["result"]]


def describe(outcome: Mapping[str, Any]) -> Phrase:
    """The result in a sentence: what the dealer has."""
    total = outcome["dealer"]["total"]
    if outcome["dealer"]["blackjack"]:
        return Phrase("Dealer: blackjack")
    values = {"total": total}
    return Phrase("Dealer busts with {total}", values) if total > 21 else Phrase("Dealer has {total}", values)


MARKETS = {"main": "main bet", "insurance": "insurance", "double": "double bet", "split": "split bet"}
DECISIONS = {name: name for name in ("hit", "stand", "double", "split", "insure", "decline")}

GAME = Game(
    name="blackjack",
    version="2",
    places=(*SEATS, *(seat + SECOND for seat in SEATS), "dealer"),
    settings=Rules,
    deck=lambda rules: Deck(FULL_DECK, rules.decks, rules.change_below, every_round=rules.every_round),
    procedure=play,
    outcome=Result,
    markets=(Market("main", published=Fraction("99.60")),),
    pay=pay,
    face=Face(
        "Blackjack",
        "seats",
        room=5,
        shown=("dealer", *SEATS),
        markets=MARKETS,
        decisions=DECISIONS,
        results={"blackjack": "BLACKJACK", "bust": "BUST"},
        wins=("blackjack",),
        losses=("bust",),
        result=describe,
        reasons=BlackjackReasons(points),
    ),
    strategy=basic_strategy(points, VALUE),
    score=lambda _, cards: str(points(cards)),
    tables={"returns": RETURNS, "insurance": INSURED},
    highest={
        "main": (RETURNS["blackjack"],),
        "double": (RETURNS["win"],),
        "split": (RETURNS["win"],),
        "insurance": (INSURED,),
    },
    joins="main",
    follow_ons={
        "insure": FollowOn("insurance", of="main", times=Fraction(1, 2)),
        **{name: FollowOn(name, of="main", times=Fraction(1)) for name in ("double", "split")},
    },
    refusable=("insure", "double", "split"),
    seats=SEATS,
)
