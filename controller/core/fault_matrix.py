"""Matrix of faults: code × game × rulings that may be offered.

Computed from the fault catalogue and the games; nothing is written by hand.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..rules.dealing import Dealing, as_answer
from ..rules.game import Game
from ..rules.procedure import Ask, Deal, Participants
from .fault_catalogue import CATALOGUE


class MatrixRow(NamedTuple):
    """A fault in a game, and the rulings that may be offered for it."""

    code: str
    game: str
    rulings: tuple[str, ...]


def hides(game: Game) -> bool:
    """True if a card of this game lies face down for a while."""
    seats = game.seats[:1]
    dealing = Dealing(game.procedure(game.settings(), Participants(("p1",), seats)))
    for card in game.deck(game.settings()).cards:
        while isinstance(dealing.due, Ask):
            dealing.answer(as_answer(dealing.due, dict.fromkeys(dealing.due.who, dealing.due.options[0])))
        if not isinstance(dealing.due, Deal):
            return False
        if not dealing.due.face_up:
            return True
        dealing.answer(as_answer(dealing.due, card))
    return False


def has_one_winner(game: Game) -> bool:
    """True if the result of a shoe can be compared with the game's result: games without seats."""
    return not game.seats


def occurs(code: str, game: Game) -> bool:
    """True if the fault with this code can occur in this game."""
    return {"hidden_card_exposed": hides, "result_mismatch": has_one_winner}.get(code, lambda _: True)(game)


def matrix(games: dict[str, Game]) -> Iterator[MatrixRow]:
    """Iterate over all rows, in the order of the catalogue."""
    for code, entry in CATALOGUE.items():
        for name, game in games.items():
            if occurs(code, game):
                carries = not game.deck(game.settings()).every_round
                can = {"carry": carries, "void_hand": bool(game.seats)}
                rulings = (ruling for ruling in entry.rulings if can.get(ruling, True))
                yield MatrixRow(code, name, tuple(rulings))
