"""Reasons of baccarat: the clauses are those of the rule sheet "Bet on Baccarat".

Whether a side draws is decided by the game's own functions, which are passed in.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...rules.cards import Card
from ...rules.face import BetPlace, CardName, DealtRound, DrawReason, Phrase, PlaceName, RuleReason, Values

SIDES = ("player", "banker")


class BaccaratReasons(Struct, frozen=True):
    """Reasons for draws and payments. The fields are functions of the game."""

    points: Callable[[Sequence[Card]], int]
    player_draws: Callable[[Sequence[Card]], bool]
    banker_draws: Callable[[Sequence[Card], Sequence[Card]], bool]
    describe: Callable[[Mapping[str, Any]], Phrase]

    def draws(self, dealt: DealtRound) -> Iterator[DrawReason]:
        """Reason for each card, and for each side that got no third one."""
        player, banker = (dealt.hands.get(side, ()) for side in SIDES)
        first = RuleReason(
            "2.2.1", Phrase("Two cards to each side in turn, {place} first", {"place": PlaceName("player")})
        )
        for number in (1, 2):
            for side, cards in zip(SIDES, (player, banker), strict=True):
                if len(cards) >= number:
                    yield DrawReason(side, number, first)
        if len(banker) >= 2:
            yield from self._third_cards(player, banker)

    def _third_cards(self, player: Sequence[Card], banker: Sequence[Card]) -> Iterator[DrawReason]:
        """2.6, 2.7.1: why a side got a third card, or none."""
        totals = {"player": self.points(player[:2]), "banker": self.points(banker[:2])}
        naturals = [side for side in SIDES if totals[side] >= 8]
        for side in naturals:
            values: Values = {"place": PlaceName(side), "total": totals[side]}
            phrase = Phrase("{place} has {total} with two cards, a natural: no more cards are dealt", values)
            yield DrawReason(side, 0, RuleReason("2.7.1", phrase))
        if naturals:
            return
        values = {"place": PlaceName("player"), "total": totals["player"]}
        if not self.player_draws(player[:2]):
            yield DrawReason("player", 0, RuleReason("2.6", Phrase("{place} has {total}: stands", values)))
        elif len(player) > 2:
            yield DrawReason("player", 3, RuleReason("2.6", Phrase("{place} has {total}: draws", values)))
        else:
            return  # the round ended before this card
        yield from self._bankers_third(player, banker)

    def _bankers_third(self, player: Sequence[Card], banker: Sequence[Card]) -> Iterator[DrawReason]:
        """2.6, 2.7.2: why Banker drew, or stood."""
        draws = self.banker_draws(player, banker[:2])
        if draws and len(banker) < 3:
            return  # the round ended before this card
        total = self.points(banker[:2])
        values: Values = {"place": PlaceName("banker"), "total": total, "other": PlaceName("player")}
        if len(player) > 2:
            values["card"] = CardName(player[2])
            drew = Phrase("{place} has {total}, the third card of {other} is {card}: draws", values)
            stood = Phrase("{place} has {total}, the third card of {other} is {card}: stands", values)
        else:
            values["theirs"] = self.points(player)
            drew = Phrase("{place} has {total}, {other} has {theirs}: draws", values)
            stood = Phrase("{place} has {total}, {other} has {theirs}: stands", values)
        clause = "2.6" if len(player) > 2 else "2.7.2"
        yield DrawReason("banker", 3 if draws else 0, RuleReason(clause, drew if draws else stood))

    def payment(self, dealt: DealtRound, bet: BetPlace) -> RuleReason | None:
        """2.3, 2.5.3: why a bet won, lost or came back."""
        outcome = dealt.outcome
        if outcome is None:
            return None
        if bet.market in SIDES and outcome["winner"] == "tie":
            return RuleReason("2.3.1", Phrase("A tie: the stake goes back"))
        if bet.market in (*SIDES, "tie"):
            return RuleReason("2.3.1" if bet.market == "tie" else "2.3", self.describe(outcome))
        if bet.market in ("small", "big"):
            cards = {"cards": outcome["cards"]}
            return RuleReason("2.5.3", Phrase("{cards} cards were dealt: Small wins with 4, Big with 5 or 6", cards))
        return RuleReason("2.5.3", _pair(bet.market, outcome["pairs"]))


def _pair(market: str, pairs: Sequence[str]) -> Phrase:
    sides = [side for side in SIDES if market in (f"{side}_pair", "any_pair")]
    paired = [side for side in sides if side in pairs]
    if paired:
        return Phrase("The first two cards of {place} are a pair", {"place": PlaceName(paired[0])})
    if len(sides) > 1:
        return Phrase("Neither side has a pair with its first two cards")
    return Phrase("The first two cards of {place} are no pair", {"place": PlaceName(sides[0])})
