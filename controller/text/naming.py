"""Names of cards, places and choices, in the language of the screen.

A name is made from the record's own word, so that a place of any game has a name. A word that is no place is shown
unchanged.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from ..core.spot import Spot
from ..core.state import Draw
from ..games import GAMES
from ..rules.cards import Card
from ..rules.face import CardName, HandName, Phrase, PlaceName, Value
from ..rules.game import Game
from ..rules.procedure import SECOND, seat_of
from . import terms as t
from .faults import Words

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_NUMBERED = re.compile(r"([a-z]+)(\d+)")
PLACES = frozenset(place for game in GAMES.values() for place in game.places)  # any other word is a player's name


class CardFace(Struct, frozen=True):
    """Appearance of a card on the table."""

    card: Card | None
    rank: str  # as printed: 10, not T; empty for a back
    suit: str
    name: str  # for screen readers


def title(game: Game) -> str:
    """Title of a game; its technical name if it has none."""
    return game.face.title or game.name


def phrase(sentence: Phrase, words: Words) -> str:
    """Translate a text of the game's own and fill in its values."""
    return words.say(sentence.text).format(**{name: _value(value, words) for name, value in sentence.values.items()})


def _value(value: Value, words: Words) -> int | str:
    match value:
        case CardName(card=card):
            return card_sign(card)
        case PlaceName(place=place):
            return place_name(place, words)
        case HandName(called=called):
            return words.say(called)
        case Phrase():
            return phrase(value, words)
    return value


def face(draw: Draw, words: Words) -> CardFace:
    """Face of a draw as everybody sees it: a back if it is hidden."""
    if draw.hidden:
        return CardFace(None, "", "", words.say(t.FACE_DOWN))
    card = draw.card
    return CardFace(None, "?", "", words.say(t.UNREAD)) if card is None else card_face(card, words)


def card_face(card: Card, words: Words) -> CardFace:
    """Face of a card that lies open."""
    if card[0] not in t.RANKS or card[1] not in t.SUITS:
        return CardFace(card, "★", "", words.say(t.JOKER))
    rank, suit = words.say(t.RANKS[card[0]]), words.say(t.SUITS[card[1]])
    return CardFace(card, card[0].replace("T", "10"), card[1], words.say(t.CARD).format(rank=rank, suit=suit))


def card_sign(card: Card) -> str:
    """Format a card for a sentence: `TS` is 10♠."""
    return card[0].replace("T", "10") + SIGNS[card[1]] if card[1:] in SIGNS else card


def place_name(place: str, words: Words) -> str:
    """Name a place: `player8` is PLAYER 8, `seat2.2` is SEAT 2, second hand."""
    if place.endswith(SECOND):
        return words.say(t.SECOND_HAND).format(seat=place_name(seat_of(place), words))
    numbered = _NUMBERED.fullmatch(place)
    if numbered and numbered[1] in t.NUMBERED:
        return words.say(t.NUMBERED[numbered[1]]).format(number=numbered[2])
    if place in t.PLACES:
        return words.say(t.PLACES[place])
    return words.say(label(place)) if place in PLACES else place


def label(place: str) -> str:
    """Default name of a place without one of its own: DRAGON for `dragon`, HAND 3 for `hand3`."""
    return re.sub(r"(?<=[a-z])(?=\d)", " ", place).replace("_", " ").upper()


def market_name(game: Game, spot: Spot, words: Words) -> str:
    """Name a market: `seat1 main` is SEAT 1 main bet."""
    called = game.face.markets
    name = words.say(called[spot.market]) if spot.market in called else place_name(spot.market, words)
    return f"{place_name(spot.seat, words)} · {name}" if spot.seat else name


def options(game: Game, choices: Sequence[str], words: Words) -> str:
    """Write the options of a decision as a question: `hit, stand or double?`."""
    *others, last = [decision(game, choice, words) for choice in choices]
    text = words.say(t.OR).format(first=", ".join(others), last=last) if others else last
    return words.say(t.CHOICE).format(options=text)


def decision(game: Game, choice: str, words: Words) -> str:
    """Translated name of a decision; the record's word if it has none."""
    called = game.face.decisions
    return words.say(called[choice]) if choice in called else choice


def card_number(place: str, number: int, words: Words) -> str:
    """Name of a place's card by its number, counted from 1."""
    names = t.STREETS if place == "board" else t.ORDINALS
    return words.say(names[number - 1] if number <= len(names) else t.NEXT_CARD)
