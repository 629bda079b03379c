"""Reasons of Rhum 32: the clauses are the numbers and headings of the rule sheet."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...rules.cards import Card
from ...rules.face import BetPlace, DealtRound, DrawReason, Phrase, PlaceName, RuleReason, Values


class RhumReasons(Struct, frozen=True):
    """Reasons for draws and payments. `points`: counts a hand; `qualifies`: most points of a dealer who plays (8)."""

    points: Callable[[Sequence[Card]], int]
    qualifies: int

    def draws(self, dealt: DealtRound) -> Iterator[DrawReason]:
        """Reason for the first four cards of each place, and for the fifth."""
        first = RuleReason("2", Phrase("Four cards to each seat and to {place}", {"place": PlaceName("dealer")}))
        for place, cards in dealt.hands.items():
            yield from (DrawReason(place, number, first) for number in range(1, min(len(cards), 4) + 1))
        for place, cards in dealt.hands.items():
            if len(cards) > 4:
                who = {"place": PlaceName(place)}
                raised, dealer = Phrase("{place} raised: a fifth card", who), Phrase("{place} takes a fifth card", who)
                yield DrawReason(place, 5, RuleReason("7", dealer if place == "dealer" else raised))
            elif dealt.outcome is not None and place != "dealer":
                yield DrawReason(place, 0, RuleReason("4", Phrase("{place} folded", {"place": PlaceName(place)})))

    def payment(self, dealt: DealtRound, bet: BetPlace) -> RuleReason | None:
        """Fold, insurance, tie, then the two totals."""
        outcome, seat = dealt.outcome, bet.seat or ""
        if outcome is None:
            return None
        hand, dealer = outcome["hands"][seat], outcome["dealer"]
        values: Values = {"place": PlaceName(seat), "total": hand["points"] or 0, "other": PlaceName("dealer")}
        values |= {"theirs": dealer["points"] or 0, "limit": self.qualifies}
        if hand["result"] == "fold":
            return RuleReason("4", Phrase("{place} folded", values))
        if bet.market == "insurance":
            return RuleReason("14", Phrase("{place} has {total} points, whatever {other} has", values))
        if bet.market == "tie":
            return RuleReason("TIE BET", Phrase("{place} has {total}, {other} has {theirs}", values))
        return _comparison_reason(hand, dealer, values)


def _comparison_reason(hand: Mapping[str, Any], dealer: Mapping[str, Any], values: Values) -> RuleReason:
    """8 to 13: a dealer above the limit, or the lower total."""
    if not dealer["qualified"]:
        return RuleReason("9", Phrase("{other} has {theirs}, more than {limit}: does not qualify", values))
    if hand["result"] == "push":
        return RuleReason("13", Phrase("{place} and {other} both have {total}: the stake goes back", values))
    clause = "11" if hand["result"] == "win" else "12"
    return RuleReason(clause, Phrase("{place} has {total}, {other} has {theirs}: the lower total wins", values))
