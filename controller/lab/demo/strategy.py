"""Decisions of the emulated players: by the game's own strategy, and now and then at random.

The players see what a real player sees, and answer only with an option they were given.
"""

import random

from ...core.script import Laid
from ...core.state import Round
from ...rules.dealing import RuleSheetCall, SheetFailed
from ...rules.game import Game
from ...rules.procedure import Ask
from ...rules.strategy import Seen
from .pace import StuckDemo

PLEASES = 0.1  # chance of a random decision


def choose(game: Game, ask: Ask, cards: Seen, dice: random.Random) -> str:
    """Return the decision of the asked player, one of the options of the question.

    Random with a chance of `PLEASES` and for games without a strategy; else by the strategy of the game. Raises
    StuckDemo if the strategy fails.
    """
    if game.strategy is None or dice.random() < PLEASES:
        return dice.choice(ask.options)
    try:
        with RuleSheetCall():
            return game.strategy.decide(ask, cards)[ask.who[0]]
    except SheetFailed as error:
        raise StuckDemo(f"{game.name}: strategy fails ({error})") from None


def open_cards_by_place(round_: Round) -> Seen:
    """Return the face-up cards, by the place to which each was dealt."""
    cards: dict[str, list[str]] = {}
    for entry in round_.script:
        draw = round_.draws[entry.draw - 1] if isinstance(entry, Laid) else None
        if draw and draw.place and draw.card and not draw.hidden:
            cards.setdefault(draw.place, []).append(draw.card)
    return cards
