"""Reasons of 32 Card: the clauses are headings of the rule sheet."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from msgspec import Struct

from ...rules.cards import Card
from ...rules.face import BetPlace, DealtRound, DrawReason, Phrase, PlaceName, RuleReason, Values


class ThirtyTwoReasons(Struct, frozen=True):
    """Reasons for draws and payments. `points`, `describe`: functions of the game."""

    points: Callable[[str, Sequence[Card]], int]
    describe: Callable[[Mapping[str, Any]], Phrase]

    def draws(self, dealt: DealtRound) -> Iterator[DrawReason]:
        """Reason for each card: the first ones, then those of hands tied at the top."""
        for place in dealt.hands:
            yield DrawReason(place, 1, RuleReason("Game Rules", Phrase("One card to each player")))
        for number in count(2):
            tied = [place for place, cards in dealt.hands.items() if len(cards) >= number]
            if not tied:
                return
            for place in tied:
                total = self.points(place, dealt.hands[place][: number - 1])
                values: Values = {"place": PlaceName(place), "total": total}
                phrase = Phrase("{place} is tied at the top with {total}: one more card", values)
                yield DrawReason(place, number, RuleReason("Game Rules", phrase))

    def payment(self, dealt: DealtRound, bet: BetPlace) -> RuleReason | None:  # noqa: ARG002 - the same for every bet
        """Pay-out table: only the winner is paid."""
        return None if dealt.outcome is None else RuleReason("Pay-out table", self.describe(dealt.outcome))
