"""Round as a baccarat shoe follows it: which place gets the next card, and who won.

It follows the punto banco tableau printed on every table, and shares no code with the controller that it is compared
with.
"""

from dataclasses import dataclass, field

BANKER_DRAWS = (range(10), range(10), range(10), (0, 1, 2, 3, 4, 5, 6, 7, 9), range(2, 8), range(4, 8), (6, 7), ())
"""Banker's total 0 to 7, and the Player's third cards (by value) on which the Banker draws."""


def value(card: str) -> int:
    """Points of a card, 0 to 9; ten and court cards count nothing."""
    return {"A": 1}.get(card[0], int(card[0]) if card[0].isdigit() else 0)


def total(cards: list[str]) -> int:
    """Points of a hand: last digit of the sum of its cards."""
    return sum(map(value, cards)) % 10


@dataclass(slots=True)
class ShoeRound:
    """Cards of one round, as the shoe counts them."""

    player: list[str] = field(default_factory=list)
    banker: list[str] = field(default_factory=list)

    def due(self) -> str | None:
        """Place of the next card, player or banker; None when the round is over."""
        if len(self.banker) < 2:
            return "player" if len(self.player) == len(self.banker) else "banker"
        if len(self.player) == 2 and max(total(self.player), total(self.banker[:2])) >= 8:
            return None
        if len(self.player) == 2 and total(self.player) <= 5:
            return "player"
        return "banker" if len(self.banker) == 2 and self._banker_draws() else None

    def lay(self, card: str) -> tuple[str, int]:
        """Put a card where it is due; returns its place and position. Raises ValueError if none is due."""
        place = self.due()
        if place is None:
            raise ValueError("the round is over: no card is due")
        hand = self.player if place == "player" else self.banker
        hand.append(card)
        return place, len(hand)

    def result(self) -> tuple[str, tuple[str, ...]]:
        """Return the winner and the places that have a pair."""
        player, banker = total(self.player), total(self.banker)
        hands = {"player": self.player, "banker": self.banker}
        pairs = tuple(name for name, hand in hands.items() if len(hand) >= 2 and hand[0][0] == hand[1][0])
        return "player" if player > banker else "banker" if banker > player else "tie", pairs

    def _banker_draws(self) -> bool:
        if len(self.player) == 2:
            return total(self.banker) <= 5
        return value(self.player[2]) in BANKER_DRAWS[total(self.banker)]
