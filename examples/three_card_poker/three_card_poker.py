"""Three Card Poker: ante and play, with a pair plus beside them. The dealer qualifies with queen high.

Three cards up to the player, three down to the dealer. Who has bet the ante plays, with a stake of the same amount, or
folds. What this file says is all that a table, its screens, a demo and `tablectl rtp` know of the game.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

from controller.rules.cards import FULL_DECK, Card, Deck
from controller.rules.face import Face, Phrase, PlaceName
from controller.rules.game import FollowOn, Game, Market, Stake
from controller.rules.procedure import Ask, Hand, Outcome, Participants, Procedure, Settings, ask, deal, reveal
from controller.rules.returns import Counted, Exact
from controller.rules.strategy import Chart, Seen

# Hands from low to high, and what they pay, "to 1"
HANDS = ("High Card", "Pair", "Flush", "Straight", "3 of a Kind", "Straight Flush")
ANTE_BONUS = {"Straight Flush": 5, "3 of a Kind": 4, "Straight": 1}
PAIR_PLUS = {"Straight Flush": 40, "3 of a Kind": 30, "Straight": 6, "Flush": 4, "Pair": 1}

LOST, PUSH, EVEN = Fraction(0), Fraction(1), Fraction(2)  # what comes back for each unit staked

# ── the procedure ────────────────────────────────────────────────────────────────────────────────────────────────


Winner = Literal["player", "dealer", "push"]


class Rules(Settings, frozen=True, forbid_unknown_fields=True):
    """What the house may set."""

    deal_order: Literal["hands", "turns"] = "hands"  # turns: player, dealer, player, dealer ...


class Result(Outcome, frozen=True):
    """The end of a round. `dealer`, `qualified` and `winner` are null when nobody played."""

    qualified: bool | None
    dealer: str | None
    winner: Winner | None
    decisions: dict[str, str]
    player: str


def play(rules: Rules, participants: Participants) -> Procedure:
    """Three cards each, the dealer's face down; play or fold; the dealer turns over if anybody plays."""
    player, dealer = Hand("player"), Hand("dealer")
    for hand in (player,) * 3 + (dealer,) * 3 if rules.deal_order == "hands" else (player, dealer) * 3:
        yield from deal(hand, face_up=hand is player)

    decisions: dict[str, str] = {}
    if participants.players:
        decisions.update((yield from ask(participants.players, "play", "fold", default="fold")))
    played = "play" in decisions.values()
    if played:
        yield from reveal(dealer)
    return result(player.cards, dealer.cards if played else None, decisions)


def result(ours: Sequence[Card], theirs: Sequence[Card] | None, decisions: dict[str, str]) -> Result:
    """Who has won, where anybody played: the higher hand, if the dealer qualifies."""
    if theirs is None:
        return Result(None, None, None, decisions, hand_name(ours))
    qualified, mine, other = strength(theirs) >= QUEEN_HIGH, strength(ours), strength(theirs)
    winner: Winner = "push" if mine == other else "player" if mine > other else "dealer"
    return Result(qualified, hand_name(theirs), winner if qualified else "player", decisions, hand_name(ours))


def strength(cards: Sequence[Card]) -> tuple[int, ...]:
    """A value that is greater for the better hand: its place among HANDS, then the ranks that decide."""
    ranks = sorted(("23456789TJQKA".index(card[0]) + 2 for card in cards), reverse=True)
    if ranks == [14, 3, 2]:
        ranks = [3, 2, 1]  # an ace is low in a straight to three
    alike, flush = len(set(ranks)), len({card[1] for card in cards}) == 1
    straight = alike == 3 and ranks[0] - ranks[2] == 2
    if alike == 2:
        return (1, ranks[1], ranks[0] + ranks[2] - ranks[1])  # the middle one is of the pair, whichever is beside it
    return (4 if alike == 1 else 5 if straight and flush else 3 if straight else 2 if flush else 0, *ranks)


def hand_name(cards: Sequence[Card]) -> str:
    """What three cards are called, one of HANDS."""
    return HANDS[strength(cards)[0]]


QUEEN_HIGH, Q64 = strength(["QC", "3D", "2H"]), strength(["QC", "6D", "4H"])

# ── what it pays ─────────────────────────────────────────────────────────────────────────────────────────────────


def pay(result: Result, stake: Stake) -> Fraction:
    """What each bet returns. The ante bonus comes on top, whatever the dealer has."""
    if stake.market == "pair_plus":
        return 1 + Fraction(PAIR_PLUS[result.player]) if result.player in PAIR_PLUS else LOST
    if result.decisions.get(stake.player) != "play":
        return LOST
    main = {"player": EVEN, "push": PUSH, "dealer": LOST}[result.winner or "dealer"]
    if stake.market == "ante":
        return main + Fraction(ANTE_BONUS.get(result.player, 0))
    return main if result.qualified else PUSH


def counted() -> list[Exact]:
    """The return of both bets: each hand of the player's against every hand that the dealer can have with it."""
    hands = list(combinations(FULL_DECK, 3))
    below = dealers(hands)
    over = "all 22 100 hands against each of the 18 424 that the dealer can have; played with Q-6-4 or better"
    ante = sum((ante_of(hand, below) for hand in hands if strength(hand) >= Q64), Fraction(0)) / len(hands)
    plus = sum((pay(result(hand, None, {}), Stake("p", "pair_plus")) for hand in hands), Fraction(0)) / len(hands)
    return [
        Exact(market="ante", returned=ante, over=over),
        Exact(market="pair_plus", returned=plus, over="all 22 100 hands"),
    ]


Below = Callable[[Sequence[Card], tuple[int, ...]], int]


def dealers(hands: Sequence[tuple[Card, ...]]) -> Below:
    """How many dealer's hands that hold none of these cards are worth less than that: by inclusion and exclusion."""
    worth: dict[tuple[Card, ...], list[tuple[int, ...]]] = defaultdict(list)
    for hand in sorted(hands, key=strength):
        for number in range(4):
            for some in combinations(hand, number):
                worth[some].append(strength(hand))

    def below(cards: Sequence[Card], value: tuple[int, ...]) -> int:
        parts = (some for number in range(4) for some in combinations(cards, number))
        return sum((-1) ** len(some) * bisect_left(worth[some], value) for some in parts)

    return below


def ante_of(hand: Sequence[Card], below: Below) -> Fraction:
    """What the ante and the stake that follows it come to when this hand is played, against every dealer's hand."""
    ours, all_ = strength(hand), below(hand, (len(HANDS),))
    weak, beaten = below(hand, QUEEN_HIGH), below(hand, max(ours, QUEEN_HIGH))
    ties = below(hand, (*ours, 0)) - below(hand, ours) if ours >= QUEEN_HIGH else 0

    def came(winner: Winner, ways: int, *, qualified: bool = True) -> Fraction:
        end = Result(qualified, None, winner, {"p": "play"}, hand_name(hand))
        return ways * (pay(end, Stake("p", "ante")) + pay(end, Stake("p", "play")) - 1)

    won = came("player", weak, qualified=False) + came("player", beaten - weak)
    return (won + came("push", ties) + came("dealer", all_ - beaten - ties)) / all_


# ── play and texts ───────────────────────────────────────────────────────────────────────────────────────────────


def decide(asked: Ask, seen: Seen) -> Mapping[str, str]:
    """Play with queen, six, four or better."""
    return dict.fromkeys(asked.who, "play" if strength(seen["player"]) >= Q64 else "fold")


def describe(outcome: Mapping[str, Any]) -> Phrase:
    """The result in a sentence."""
    winner, sides = outcome["winner"], ("player", "dealer")
    hands = {side: Phrase(NAMES[outcome[side] or "High Card"]) for side in sides}
    if winner is None:
        return Phrase("Nobody played")
    if not outcome["qualified"]:
        return Phrase("Dealer does not qualify")
    if winner == "push":
        return Phrase("PUSH: both have {hand}", {"hand": hands["player"]})
    ours, theirs = hands[winner], hands["dealer" if winner == "player" else "player"]
    return Phrase("{place} wins: {ours} against {theirs}", {"place": PlaceName(winner), "ours": ours, "theirs": theirs})


NAMES = {
    "Straight Flush": "straight flush", "3 of a Kind": "three of a kind", "Straight": "straight", "Flush": "flush",
    "Pair": "a pair", "High Card": "high card",
}  # fmt: skip

GAME = Game(
    name="three_card_poker",
    version="1",
    places=("player", "dealer"),
    settings=Rules,
    deck=lambda _: Deck(FULL_DECK, every_round=True),
    procedure=play,
    outcome=Result,
    markets=(Market("ante", published=Fraction("96.63")), Market("pair_plus", published=Fraction("97.68"))),
    pay=pay,
    face=Face(
        "Three Card Poker",
        "poker",
        room=3,
        dealt=3,
        shown=("dealer", "player"),
        markets={"ante": "ante", "pair_plus": "pair plus", "play": "play bet"},
        decisions={"play": "play", "fold": "fold"},
        hands=NAMES,
        result=describe,
    ),
    strategy=Chart("play with queen, six, four or better", decide),
    counted=Counted(("ante", "pair_plus"), by="three_card_poker:counted"),
    score=lambda _, cards: hand_name(cards) if len(cards) == 3 else "",
    tables={"ante_bonus": ANTE_BONUS, "pair_plus": PAIR_PLUS},
    highest={
        "ante": (EVEN + max(ANTE_BONUS.values()),),
        "pair_plus": (1 + Fraction(max(PAIR_PLUS.values())),),
        "play": (EVEN,),
    },
    joins="ante",
    follow_ons={"play": FollowOn("play", of="ante", times=Fraction(1))},
)
