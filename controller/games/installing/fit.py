"""Check of a package's game: each field has its type, and the procedure begins with a step.

Python does not enforce type hints, so they are checked here, once, when the game is loaded.
"""

import re
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from ...rules.cards import Deck
from ...rules.dealing import Dealing
from ...rules.game import Game
from ...rules.procedure import Participants

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
SIDES = 2


class Unfit(ValueError):
    """Error: a package gives no valid game; says what was expected and what came."""


def validate_game(name: str, game: object) -> Game:
    """Return the game given under this name if it is sound. Raises Unfit, or what its own code raises."""
    if not isinstance(game, Game):
        raise Unfit(f"expected a Game from controller.rules.game, got a {type(game).__name__}")
    _fields(game)
    _fields(game.face, "face ")
    for market in game.markets:
        _fields(market, f"market {market.name} ")
    for decision, added in game.follow_ons.items():
        _fields(added, f"follow_ons {decision} ")
    if game.name != name or not NAME.fullmatch(name):
        raise Unfit(f"name: expected the entry point's own, {name}, of a-z, 0-9 and _, got {game.name}")
    _markets(game)
    _rooms(game)
    _sides(game)
    _begins(game)
    return game


def _fields(struct: Struct, whose: str = "") -> None:
    """Check that each field of a struct has its type. Raises Unfit."""
    for field, hint in get_type_hints(type(struct)).items():
        if not fits(value := getattr(struct, field), hint):
            raise Unfit(f"{whose}{field}: expected {_describe_type(hint)}, got {value!r:.60}")


def fits(value: object, hint: Any) -> bool:  # noqa: ANN401 - any type hint of a Game
    """True if a value has the type of a hint, checked as deep as the fields of a Game need it."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is Literal:
        return value in inner
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in inner)
    if origin is tuple:
        return isinstance(value, tuple) and all(fits(one, inner[0]) for one in value)
    if origin is type:
        return isinstance(value, type) and issubclass(value, inner[0])
    if origin is Mapping:
        return isinstance(value, Mapping) and all(fits(k, inner[0]) and fits(v, inner[1]) for k, v in value.items())
    if origin is Callable:
        return callable(value)
    return isinstance(value, hint)


def _describe_type(hint: Any) -> str:  # noqa: ANN401 - any type hint of a Game
    return "something to call" if get_origin(hint) is Callable else re.sub(r"[\w.]+\.(?=\w)|<class |'|>", "", str(hint))


def _markets(game: Game) -> None:
    """Check that every market named in the game exists. Raises Unfit."""
    markets = {market.name for market in game.markets}
    named = {"joins": game.joins, **{f"{market.name} needs": market.needs for market in game.markets}}
    named |= {f"follow_ons {decision}": added.of for decision, added in game.follow_ons.items()}
    for what, market in named.items():
        if market is not None and market not in markets:
            raise Unfit(f"{what}: expected one of the markets {', '.join(sorted(markets))}, got {market}")
    every = markets | {added.market for added in game.follow_ons.values()} | {*game.face.markets}
    for what, names in (("highest", game.highest), *(("exclusive", group) for group in game.exclusive)):
        for market in sorted({*names} - every):
            raise Unfit(f"{what}: expected one of the markets {', '.join(sorted(every))}, got {market}")


def _rooms(game: Game) -> None:
    """Check that `Face.room` names only places of the game, each with room for a card. Raises Unfit."""
    rooms = game.face.room if isinstance(game.face.room, Mapping) else dict.fromkeys(game.places, game.face.room)
    for place, cards in rooms.items():
        if place not in game.places:
            raise Unfit(f"face room: expected one of the places {', '.join(game.places)}, got {place}")
        if cards < 1:
            raise Unfit(f"face room: expected 1 card or more, got {cards}")


def _sides(game: Game) -> None:
    """Check that the layout `sides` has two places: more leave no room for their names. Raises Unfit."""
    if game.face.layout == "sides" and len(game.places) != SIDES:
        places = ", ".join(game.places)
        raise Unfit(f"face layout: expected two places for sides, got {places}: use row")


def _begins(game: Game) -> None:
    """Check that the deck holds cards and that a round begins with a step. Raises Unfit."""
    deck = game.deck(settings := game.settings())
    if not isinstance(deck, Deck) or not deck.cards:
        raise Unfit(f"deck: expected a Deck with cards in it, got {deck!r:.60}")
    if Dealing(game.procedure(settings, Participants(("player",), game.seats[:1]))).due is None:
        raise Unfit("procedure: expected at least one step, got none: the round ends at once")
