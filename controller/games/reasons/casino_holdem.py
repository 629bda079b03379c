"""Reasons of Casino Hold'em: the clauses are headings of the rule sheet."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...rules.cards import Card
from ...rules.face import BetPlace, DealtRound, DrawReason, Phrase, PlaceName, RuleReason, Values

PLAYING, OUTCOMES, BONUS = "PLAYING INSTRUCTIONS", "GAME OUTCOMES", "BONUS BET"


class HoldemReasons(Struct, frozen=True):
    """Reasons for draws and payments. `bonus_hand`, `describe`: functions of the game; `hands`: its names of hands."""

    bonus_hand: Callable[[list[Card]], str]
    bonus_pays: Mapping[str, int]
    describe: Callable[[Mapping[str, Any]], Phrase]
    hands: Mapping[str, str]

    def draws(self, dealt: DealtRound) -> Iterator[DrawReason]:
        """Reason for each card of the first round, for turn and river, and for burnt cards, which the sheet lacks."""
        first = RuleReason(PLAYING, Phrase("First round: two cards up, two cards down, three on the board"))
        for place in ("player", "dealer", "board"):
            for number in range(1, len(dealt.hands.get(place, ())) + 1):
                if number <= 3:
                    yield DrawReason(place, number, first)
        later = RuleReason(PLAYING, Phrase("The first round is decided: turn and river"))
        board = len(dealt.hands.get("board", ()))
        yield from (DrawReason("board", number, later) for number in range(4, board + 1))
        burnt = RuleReason("", Phrase("Burnt: house rule"))
        yield from (DrawReason("burn", number, burnt) for number in range(1, len(dealt.hands.get("burn", ())) + 1))
        if dealt.outcome is not None and board == 3:
            yield DrawReason("board", 0, RuleReason(PLAYING, Phrase("Nobody called: no turn and no river")))

    def payment(self, dealt: DealtRound, bet: BetPlace) -> RuleReason | None:
        """Bonus: by the first five cards; ante and call: fold, or the two hands."""
        outcome = dealt.outcome
        if outcome is None:
            return None
        if bet.market == "bonus":
            return RuleReason(BONUS, self._bonus(dealt.hands))
        if outcome["decisions"].get(bet.player) != "call":
            return RuleReason(PLAYING, Phrase("Folded: the ante is lost"))
        return RuleReason(OUTCOMES, self._comparison(outcome))

    def _comparison(self, outcome: Mapping[str, Any]) -> Phrase:
        if outcome["qualified"]:
            return self.describe(outcome)
        values: Values = {"place": PlaceName("dealer"), "hand": Phrase(self.hands[outcome["dealer"]])}
        return Phrase("{place} has {hand}, below a pair of fours: does not qualify", values)

    def _bonus(self, hands: Mapping[str, Sequence[Card]]) -> Phrase:
        name = self.bonus_hand([*hands["player"], *hands["board"][:3]])
        if name == "Pair of Aces":
            return Phrase("The first five cards: a pair of aces")
        values = {"hand": Phrase(self.hands[name])}
        if name in self.bonus_pays:
            return Phrase("The first five cards: {hand}", values)
        return Phrase("The first five cards: {hand}, below two aces", values)
