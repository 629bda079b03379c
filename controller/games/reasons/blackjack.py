"""Reasons of MultiHand Blackjack: the clauses are headings of the rule sheet (Romanian)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...rules.cards import Card
from ...rules.face import BetPlace, DealtRound, DrawReason, Phrase, PlaceName, RuleReason, Values
from ...rules.procedure import SECOND

PLAY, ACTIONS, SPLIT, INSURANCE, PAYS = "Desfășurarea jocului", "Acțiuni", "Împărțiți", "Asigurare", "Plăți"


class BlackjackReasons(Struct, frozen=True):
    """Reasons for draws and payments. `points`: function of the game."""

    points: Callable[[Sequence[Card]], int]

    def draws(self, dealt: DealtRound) -> Iterator[DrawReason]:
        """Reason for each card of the seats, then of the dealer."""
        for place, cards in dealt.hands.items():
            if place != "dealer":
                yield from self._hand_reasons(dealt, place, cards)
        dealer = dealt.hands.get("dealer", ())
        first = RuleReason(PLAY, Phrase("One card of {place} face up, one face down", {"place": PlaceName("dealer")}))
        yield from (DrawReason("dealer", number, first) for number in range(1, min(len(dealer), 2) + 1))
        for number in range(3, len(dealer) + 1):
            values: Values = {"place": PlaceName("dealer"), "total": self.points(dealer[: number - 1])}
            yield DrawReason("dealer", number, RuleReason(PLAY, Phrase("{place} has {total}, below 17: draws", values)))
        if dealt.outcome is not None:
            yield DrawReason("dealer", 0, RuleReason(PLAY, self._dealer_phrase(dealer)))

    def _hand_reasons(self, dealt: DealtRound, place: str, cards: Sequence[Card]) -> Iterator[DrawReason]:
        """Cards of one hand: two at first (one of a split hand), then one for each decision."""
        split = place.endswith(SECOND) or place + SECOND in dealt.hands
        decisions = [decision for decision in dealt.decisions.get(place, ()) if decision in ("hit", "double")]
        for number in range(1, len(cards) + 1):
            if split and number == 2:
                reason = RuleReason(SPLIT, Phrase("Split: each hand gets a second card"))
            elif number <= 2:
                reason = RuleReason(PLAY, Phrase("Two cards to each hand"))
            else:
                values: Values = {"place": PlaceName(place), "total": self.points(cards[: number - 1])}
                doubled = decisions[number - 3 : number - 2] == ["double"]
                twice, hit = Phrase("{place} has {total}: doubled", values), Phrase("{place} has {total}: hit", values)
                reason = RuleReason(ACTIONS, twice if doubled else hit)
            yield DrawReason(place, number, reason)

    def _dealer_phrase(self, dealer: Sequence[Card]) -> Phrase:
        total = self.points(dealer)
        values: Values = {"place": PlaceName("dealer"), "total": total}
        if total > 21:
            return Phrase("{place} has {total}, more than 21: bust", values)
        if total >= 17:
            return Phrase("{place} has {total}, 17 or more: stands", values)
        return Phrase("No hand is left to beat: {place} draws no card", values)

    def payment(self, dealt: DealtRound, bet: BetPlace) -> RuleReason | None:
        """Plăți: the hand against the dealer's; insurance against the dealer's blackjack."""
        outcome = dealt.outcome
        if outcome is None:
            return None
        dealer = outcome["dealer"]
        if bet.market == "insurance":
            other = {"other": PlaceName("dealer")}
            has = Phrase("{other} has blackjack", other), Phrase("{other} has no blackjack", other)
            return RuleReason(INSURANCE, has[not dealer["blackjack"]])
        place = (bet.seat or "") + (SECOND if bet.market == "split" else "")
        return RuleReason(PAYS, _hand_phrase(place, outcome["hands"][place], dealer))


def _hand_phrase(place: str, hand: Mapping[str, Any], dealer: Mapping[str, Any]) -> Phrase:
    values: Values = {"place": PlaceName(place), "total": hand["total"], "other": PlaceName("dealer")}
    values["theirs"] = Phrase("blackjack") if dealer["blackjack"] else dealer["total"]
    if hand["result"] == "bust":
        return Phrase("{place} has {total}, more than 21: bust", values)
    if hand["result"] == "blackjack" or (hand["result"] == "push" and dealer["blackjack"]):
        return Phrase("{place} has blackjack, {other} has {theirs}", values)
    return Phrase("{place} has {total}, {other} has {theirs}", values)
