"""Casino Hold'em. The headings are those of the rule sheet.

The sheet leaves open: the order within the first round (player's two, dealer's two, then the flop is taken, as it is
written), whether cards are burnt before turn and river (no), and whether the board is dealt out when nobody calls (no).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar, Literal

from ..rules.cards import FULL_DECK, Card, Deck
from ..rules.face import Face, HandName, Phrase, PlaceName
from ..rules.game import FollowOn, Game, Market, Stake
from ..rules.poker import best_five, hand_name, ranked, strength
from ..rules.procedure import Hand, Outcome, Part, Participants, Procedure, Settings, ask, deal, reveal
from ..rules.returns import Counted
from .reasons.casino_holdem import HoldemReasons
from .strategies.casino_holdem import STRATEGY

# PAYOUTS, ante bet, "to 1"
ANTE_PAYS = {
    "Royal Flush": 100, "Straight Flush": 20, "4 of a Kind": 10, "Full House": 3, "Flush": 2,
    "Straight": 1, "3 of a Kind": 1, "2 Pairs": 1, "1 Pair": 1, "High Card": 1,
}  # fmt: skip
# PAYOUTS, bonus bet, "to 1"
BONUS_PAYS = {
    "Royal Flush": 100, "Straight Flush": 50, "4 of a Kind": 40, "Full House": 30, "Flush": 20,
    "Straight": 7, "3 of a Kind": 7, "2 Pairs": 7, "Pair of Aces": 7,
}  # fmt: skip

PAIR_OF_FOURS = strength(["4C", "4D", "2C", "3D", "5H"])  # the weakest hand with which the dealer qualifies
LOST, PUSH, EVEN = Fraction(0), Fraction(1), Fraction(2)  # return for each unit staked

Winner = Literal["player", "dealer", "push"]


class Rules(Settings, frozen=True, forbid_unknown_fields=True):
    """Settings of the game that the house may choose."""

    deal_order: Literal["hands", "rounds"] = "hands"  # rounds: player, dealer, player, dealer
    burn_before_street: bool = False
    deal_out_if_all_fold: bool = False


class Result(Outcome, frozen=True):
    """Result of a round. `dealer`, `qualified` and `winner` are null if nobody called."""

    kept: ClassVar = ("first_five",)

    qualified: bool | None
    player: str
    dealer: str | None
    winner: Winner | None  # a dealer who does not qualify has lost
    decisions: dict[str, str]
    first_five: str  # hand of the player's two cards and the flop, for the bonus bet


def play(rules: Rules, participants: Participants) -> Procedure:
    """PLAYING INSTRUCTIONS: two cards up, two down for the dealer, three on the board; call or fold."""
    player, dealer, board = Hand("player"), Hand("dealer"), Hand("board")
    for hand in (player, player, dealer, dealer) if rules.deal_order == "hands" else (player, dealer) * 2:
        yield from deal(hand, face_up=hand is player)
    yield from street(rules, board, 3)

    decisions: dict[str, str] = {}
    if participants.players:
        decisions.update((yield from ask(participants.players, "call", "fold", default="fold")))
    called = "call" in decisions.values()
    if called or rules.deal_out_if_all_fold:
        yield from street(rules, board, 1)  # the turn
        yield from street(rules, board, 1)  # the river
    if called:
        yield from reveal(dealer)
    return result(player, dealer if called else None, board, decisions)


def street(rules: Rules, board: Hand, cards: int) -> Part:
    """Deal this number of cards to the board; burn one before them if the house does so."""
    if rules.burn_before_street:
        yield from deal(Hand("burn"), face_up=False)
    yield from deal(*[board] * cards)


def result(player: Hand, dealer: Hand | None, board: Hand, decisions: dict[str, str]) -> Result:
    """GAME OUTCOMES: best five of seven win; the dealer qualifies with a pair of fours or better."""
    player_cards = player.cards + board.cards
    qualified = dealer_cards = None
    winner: Winner | None = None
    if dealer:
        dealer_cards = dealer.cards + board.cards
        qualified = strength(dealer_cards) >= PAIR_OF_FOURS
        margin = strength(player_cards) - strength(dealer_cards)
        winner = "player" if margin > 0 or not qualified else "dealer" if margin < 0 else "push"
    return Result(
        qualified=qualified,
        player=hand_name(player_cards),
        dealer=hand_name(dealer_cards) if dealer_cards else None,
        winner=winner,
        decisions=decisions,
        first_five=bonus_hand(player.cards + board.cards[:3]),
    )


def bonus_hand(five: list[Card]) -> str:
    """BONUS BET: two aces or better among the first five cards, whatever is decided later."""
    name = hand_name(five)
    aces = [card for card in five if card[0] == "A"]
    return "Pair of Aces" if name == "1 Pair" and len(aces) == 2 else name


def pay(result: Result, stake: Stake) -> Fraction:
    """GAME OUTCOMES, BONUS BET: return of a bet for each unit staked."""
    if stake.market == "bonus":
        return LOST if result.first_five not in BONUS_PAYS else 1 + Fraction(BONUS_PAYS[result.first_five])
    if result.decisions.get(stake.player) != "call" or result.winner == "dealer":
        return LOST
    if result.winner == "push":
        return PUSH
    if stake.market == "ante":  # by the pay table, also if the dealer does not qualify
        return 1 + Fraction(ANTE_PAYS[result.player])
    return EVEN if result.qualified else PUSH


def describe(outcome: Mapping[str, Any]) -> Phrase:
    """The result in a sentence."""
    winner, hands = outcome["winner"], {side: HandName(side, HANDS[outcome[side] or "High Card"]) for side in SIDES}
    if winner is None:
        return Phrase("Nobody called")
    if not outcome["qualified"]:
        return Phrase("Dealer does not qualify")
    if winner == "push":
        return Phrase("PUSH: both have {hand}", {"hand": hands["player"]})
    ours, theirs = (hands[side] for side in (winner, "dealer" if winner == "player" else "player"))
    return Phrase("{place} wins: {ours} against {theirs}", {"place": PlaceName(winner), "ours": ours, "theirs": theirs})


SIDES = ("player", "dealer")
HANDS = {
    "Royal Flush": "royal flush", "Straight Flush": "straight flush", "4 of a Kind": "four of a kind",
    "Full House": "full house", "Flush": "flush", "Straight": "straight", "3 of a Kind": "three of a kind",
    "2 Pairs": "two pair", "1 Pair": "a pair", "High Card": "high card",
}  # fmt: skip
MARKETS = {"ante": "ante", "call": "call bet", "bonus": "bonus"}

GAME = Game(
    name="casino_holdem",
    version="1",
    places=("player", "dealer", "board"),
    settings=Rules,
    deck=lambda _: Deck(FULL_DECK, every_round=True),
    procedure=play,
    outcome=Result,
    markets=(Market("ante", published=Fraction("97.84")), Market("bonus", needs="ante", published=Fraction("93.74"))),
    pay=pay,
    face=Face(
        "Casino Hold'em",
        "poker",
        room=2,
        shown=("dealer", "board", "player"),
        markets=MARKETS,
        decisions={"call": "call", "fold": "fold"},
        hands=HANDS,
        ranked=lambda cards: ranked(hand_name(cards), best_five(cards)),
        forms=best_five,
        result=describe,
        reasons=HoldemReasons(bonus_hand, BONUS_PAYS, describe, HANDS),
    ),
    strategy=STRATEGY,
    score=lambda _, cards: hand_name(list(cards)) if len(cards) >= 5 else "",
    counted=Counted(("bonus",), by="controller.lab.rtp.counted_returns:casino_holdem"),
    tables={"ante": ANTE_PAYS, "bonus": BONUS_PAYS},
    highest={
        "ante": (PUSH + Fraction(max(ANTE_PAYS.values())),),
        "bonus": (PUSH + Fraction(max(BONUS_PAYS.values())),),
        "call": (EVEN,),
    },
    joins="ante",
    follow_ons={"call": FollowOn("call", of="ante", times=Fraction(2))},  # PLAYING INSTRUCTIONS: double the ante
)
