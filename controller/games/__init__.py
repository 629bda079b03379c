"""The rule sheets: one file each. A new game is one file, one line here, one test file."""

from ..rules.game import Game
from . import baccarat, blackjack, casino_holdem, rhum32, thirty_two

SHEETS = (baccarat, thirty_two, casino_holdem, blackjack, rhum32)
GAMES: dict[str, Game] = {sheet.GAME.name: sheet.GAME for sheet in SHEETS}
