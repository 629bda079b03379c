"""Baccarat (punto banco), by the clauses of the rule sheet "Bet on Baccarat".

The clauses keep the sheet's numbers.

The sheet leaves open: the tables of 2.6 (the common third-card tableau, which 2.7.2 agrees with, is taken), the number
of decks (six, one shoe over many rounds) and when to change them (below 40 cards, or after the cut card).
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal

from msgspec import Meta

from ..rules.baccarat_odds import Coup
from ..rules.cards import FULL_DECK, Card, Deck
from ..rules.face import Face, Phrase, PlaceName
from ..rules.game import Game, Market, Pricing, Stake
from ..rules.procedure import Hand, Outcome, Participants, Procedure, Settings, bets, deal
from ..rules.returns import Counted
from .reasons.baccarat import BaccaratReasons

# 2.4.1 an ace is one point; 2.4.2 two to nine are their number; 2.4.3 ten and court cards are nothing
POINTS = {card: "A23456789".find(card[0]) + 1 for card in FULL_DECK}

# 2.6 Banker's total, and the points of Player's third card on which Banker draws
BANKER_DRAWS = {
    0: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    1: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    2: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
    7: set[int](),
}

ODDS = {  # decimal, stake included, for a table with one betting window (2.5.3)
    "player": Decimal("2.00"), "banker": Decimal("1.95"), "tie": Decimal("9.00"),
    "player_pair": Decimal("12.00"), "banker_pair": Decimal("12.00"), "any_pair": Decimal("6.00"),
    "small": Decimal("2.50"), "big": Decimal("1.54"),
}  # fmt: skip


class Rules(Settings, frozen=True, forbid_unknown_fields=True):
    """Settings of the game that the house may choose."""

    decks: Annotated[int, Meta(ge=1, le=8)] = 6
    change_below: Annotated[int, Meta(ge=6)] = 40
    betting_windows: Literal[1, 3] = 1  # 3: before the first card, after Player's first, after Banker's first
    margin: Annotated[float, Meta(ge=0, le=0.5)] = 0.05  # with 3; the fixed odds of small and big keep 0.053, 0.044


class Result(Outcome, frozen=True):
    """Result of a round of baccarat."""

    winner: Literal["player", "banker", "tie"]
    player: int
    banker: int
    natural: bool
    cards: int
    pairs: tuple[str, ...]


def points(cards: Sequence[Card]) -> int:
    """2.5.2: points of these cards, the last digit of their sum."""
    return sum(POINTS[card] for card in cards) % 10


def total(hand: Hand) -> int:
    """2.5.1: points of all cards of a side."""
    return points(hand.cards)


def play(rules: Rules, _: Participants) -> Procedure:
    """2: how a round is dealt."""
    player, banker = Hand("player"), Hand("banker")
    for window, hand in enumerate((player, banker, player, banker), start=2):  # 2.2.1, 2.2.2: in turn, Player first
        yield from deal(hand)
        if window <= rules.betting_windows:  # 2.5.3: "odds ... change with each betting round"
            yield from bets(window)

    natural = total(player) >= 8 or total(banker) >= 8
    if not natural:  # 2.7.1: after a natural no more cards are dealt, whatever other clauses say
        if player_draws(player.cards):
            yield from deal(player)
        if banker_draws(player.cards, banker.cards):
            yield from deal(banker)

    return result(player, banker, natural=natural)


def player_draws(player: Sequence[Card]) -> bool:
    """2.6: Player draws on 0 to 5. `player`: the first two cards."""
    return points(player) <= 5


def banker_draws(player: Sequence[Card], banker: Sequence[Card]) -> bool:
    """2.6: by Player's third card; 2.7.2: where Player has 6 or 7, Banker draws on 0 to 5."""
    return POINTS[player[2]] in BANKER_DRAWS[points(banker)] if len(player) > 2 else points(banker) <= 5


def result(player: Hand, banker: Hand, *, natural: bool) -> Result:
    """2.3: the side closer to nine wins; 2.3.1: a tie."""
    player_total, banker_total = total(player), total(banker)
    return Result(
        winner="player" if player_total > banker_total else "banker" if banker_total > player_total else "tie",
        player=player_total,
        banker=banker_total,
        natural=natural,
        cards=len(player.cards) + len(banker.cards),
        pairs=tuple(hand.place for hand in (player, banker) if is_pair(hand.cards[:2])),
    )


def is_pair(cards: list[Card]) -> bool:
    """2.5.3: two of a rank; the third card does not count."""
    return cards[0][0] == cards[1][0]


def pay(result: Result, stake: Stake) -> Fraction:
    """2.3.1, 2.5.3: a won bet returns its decimal odds; Player and Banker get their stake back on a tie."""
    if result.winner == "tie" and stake.market in ("player", "banker"):
        return Fraction(1)
    won = {
        "player": result.winner == "player",
        "banker": result.winner == "banker",
        "tie": result.winner == "tie",
        "player_pair": "player" in result.pairs,
        "banker_pair": "banker" in result.pairs,
        "any_pair": bool(result.pairs),
        "small": result.cards == 4,
        "big": result.cards >= 5,
    }
    return Fraction(stake.odds or 0) if won[stake.market] else Fraction(0)


COUP = Coup(play, Rules(), points)


def pricing(rules: Rules) -> Pricing | None:
    """2.5.3: "odds for these outcomes change with each betting round"; None with a single betting window."""
    if rules.betting_windows == 1:
        return None
    return Pricing(rules.betting_windows, Fraction(str(rules.margin)), COUP.chances)


def describe(outcome: Mapping[str, Any]) -> Phrase:
    """The result in a sentence."""
    player, banker = outcome["player"], outcome["banker"]
    if outcome["winner"] == "tie":
        return Phrase("TIE {ours} : {theirs}", {"ours": player, "theirs": banker})
    place, points = PlaceName(outcome["winner"]), sorted((player, banker), reverse=True)
    return Phrase("{place} wins {ours} : {theirs}", {"place": place, "ours": points[0], "theirs": points[1]})


def remarks(outcome: Mapping[str, Any]) -> tuple[Phrase, ...]:
    """Phrases for a natural and for pairs in an outcome."""
    natural = (Phrase("natural"),) if outcome["natural"] else ()
    return natural + tuple(PAIRS[place] for place in outcome["pairs"])


MARKETS = {
    "tie": "tie", "player_pair": "player pair", "banker_pair": "banker pair", "any_pair": "any pair",
    "small": "small", "big": "big",
}  # fmt: skip
PAIRS = {"player": Phrase("player pair"), "banker": Phrase("banker pair")}

GAME = Game(
    name="baccarat",
    version="1",
    places=("player", "banker"),
    settings=Rules,
    deck=lambda rules: Deck(FULL_DECK, rules.decks, rules.change_below),
    procedure=play,
    outcome=Result,
    markets=tuple(Market(name, odds) for name, odds in ODDS.items()),
    pay=pay,
    face=Face(
        "Baccarat",
        "sides",
        room=3,
        roads=True,
        markets=MARKETS,
        result=describe,
        remarks=remarks,
        reasons=BaccaratReasons(points, player_draws, banker_draws, describe),
    ),
    score=lambda _, cards: str(points(cards)),
    pricing=pricing,
    counted=Counted(tuple(ODDS), by="controller.lab.rtp.counted_returns:baccarat"),
    tables={"odds": ODDS},
    exclusive=(("player", "banker", "tie"), ("small", "big")),
)
