"""Choices of a search for rounds: faults, results and ends, by their codes in a search."""

from collections.abc import Iterable, Mapping
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ...core.fault_catalogue import CATALOGUE
from ...rules.game import Game
from ...text import terms
from ...text.faults import Words
from ...text.naming import place_name
from . import texts as t


def faults(words: Words) -> dict[str, str]:
    """Faults by code, in the words of the shift manager."""
    return {code: words.manager_title(code) for code in CATALOGUE}


def winners(games: Iterable[Game], words: Words) -> dict[str, str]:
    """Results that an outcome of these games can name as `winner`; none for a game of seats."""
    names = dict[str, str]()
    for game in games:
        for winner in _winners(game):
            names[winner] = _name(winner, words)
    return names


def _winners(game: Game) -> Iterable[str]:
    hint = get_type_hints(game.outcome).get("winner")
    named = tuple(_literals(hint))
    return named or (game.places if hint is str else ())


def _literals(hint: Any) -> Iterable[str]:  # noqa: ANN401 - any type hint
    if get_origin(hint) is Literal:
        yield from map(str, get_args(hint))
    for inner in get_args(hint) if hint is not NoneType and get_origin(hint) is not Literal else ():
        yield from _literals(inner)


def _name(winner: str, words: Words) -> str:
    if winner == "tie":
        return words.say(terms.RESULTS["tie"])
    results: Mapping[str, str] = t.HAND_RESULTS
    return words.say(results[winner]) if winner in results else place_name(winner, words)
