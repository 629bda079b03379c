"""Rules of a table as recorded in its journal, for replays.

The settings are the recorded ones, the rule sheets those of this program.
"""

from collections.abc import Mapping

import msgspec

from ..rules.game import Game
from . import records as r
from .house import House, Terms


def recorded_house(table: str, what: r.Configured, games: Mapping[str, Game], program: str) -> House | None:
    """Build the House of a `configured` record; None if this program has no rule sheet for its game.

    `games`: rule sheets by name; `program`: version of the running program.
    """
    game = games.get(what.game)
    if game is None:
        return None
    settings, terms = msgspec.convert(what.settings, game.settings), msgspec.convert(what.terms, Terms)
    return House(game, settings, terms, table, what.studio, what.currency, program, what.posted, what.deciding)
