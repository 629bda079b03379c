"""How the emulated players decide: simple and sensible, by what lies open on the table.

The one rule: they see what a player sees, and answer only with an option they were given.
"""

import random
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from ..rules.cards import Card
from ..rules.game import Game

RAISE_UP_TO = 26  # points of four cards at Rhum 32
INSURES, BLUFFS = 0.2, 0.3  # chances


class Seen(Struct, frozen=True):
    """The cards that lie open: those that the decision is about, and the dealer's."""

    game: Game
    own: Sequence[Card]
    dealers: Sequence[Card]

    @property
    def points(self) -> int:
        """What the own cards come to, in a game that counts points."""
        return int(self.game.score(self.own))


def choose(seen: Seen, options: Sequence[str], dice: random.Random) -> str:
    """One of the options."""
    habit = next((_HABITS[option] for option in options if option in _HABITS), None)
    return habit(seen, options, dice) if habit else dice.choice(options)


def _call(seen: Seen, _options: Sequence[str], dice: random.Random) -> str:
    """With anything but low cards; now and then with those too."""
    good = seen.game.score(seen.own) != "High Card" or any(card[0] in "AKQ" for card in seen.own[:2])
    return "call" if good or dice.random() < BLUFFS else "fold"


def _raise(seen: Seen, _options: Sequence[str], _dice: random.Random) -> str:
    """With few points: the lower hand wins."""
    return "raise" if seen.points <= RAISE_UP_TO else "fold"


def _insure(_seen: Seen, _options: Sequence[str], dice: random.Random) -> str:
    return "insure" if dice.random() < INSURES else "decline"


def _hit(seen: Seen, options: Sequence[str], _dice: random.Random) -> str:
    """Against a dealer who is likely to go over, stand early."""
    weak = seen.dealers[0][0] in "23456"
    if "split" in options and seen.own[0][0] in "A8":
        return "split"
    if "double" in options and seen.points in (10, 11):
        return "double"
    return "hit" if seen.points < (13 if weak else 17) else "stand"


_HABITS: Mapping[str, Callable[[Seen, Sequence[str], random.Random], str]] = {
    "call": _call,
    "raise": _raise,
    "insure": _insure,
    "hit": _hit,
}
