"""A table's rules as its record has them: the settings of that time, with the rule sheets of this program."""

from collections.abc import Mapping

import msgspec

from ..rules.game import Game
from . import records as r
from .house import House, Terms


def recorded_house(table: str, what: r.Configured, games: Mapping[str, Game], program: str) -> House | None:
    """None where the game is not known here. `program`: the version that this one is."""
    game = games.get(what.game)
    if game is None:
        return None
    settings, terms = msgspec.convert(what.settings, game.settings), msgspec.convert(what.terms, Terms)
    return House(game, settings, terms, table, what.studio, what.currency, program, what.posted, what.deciding)
