"""The rule sheets: one file each. A new game is one file, one line here, one test file."""

from ..procedure import Game
from . import baccarat, casino_holdem, thirty_two

GAMES: dict[str, Game] = {game.name: game for game in (baccarat.GAME, thirty_two.GAME, casino_holdem.GAME)}
