"""Cards of a live or past round on the table: cards without a place, numbers of draws, the deck, possible places."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from ...core.hands import hands
from ...core.state import Draw, State
from ...rules.cards import Card, Deck
from ...rules.game import Game
from ...text.faults import Words
from ...text.naming import CardFace, card_face, face, place_name
from .places import in_order


class ShownLooseCard(Struct, frozen=True):
    """Card without a place in the round. `at`: place where it is reported to lie."""

    draw: int
    face: CardFace
    at: str
    place: str  # that place, if the screen shows it; else empty


class NamedPlace(Struct, frozen=True):
    """Place as the record names it (`key`) and as the screen does (`text`)."""

    key: str
    text: str


def loose_cards(state: State, strays: Mapping[str, Sequence[Draw]], words: Words) -> tuple[ShownLooseCard, ...]:
    """Cards without a place in the round, in the order in which they came. `strays`: those seen at places."""
    lies = {draw.number: place for place, draws in strays.items() for draw in draws}
    return tuple(
        ShownLooseCard(
            draw.number,
            face(draw, words),
            place_name(draw.place, words) if draw.place else "",
            lies.get(draw.number, ""),
        )
        for draw in state.loose
    )


def suits(deck: Deck, words: Words) -> tuple[tuple[CardFace, ...], ...]:
    """Every card of a deck, a row for each suit."""
    return _suits(tuple(deck.cards), words.language)


@lru_cache(maxsize=16)  # called many times a round, with few games and languages
def _suits(cards: tuple[Card, ...], language: str) -> tuple[tuple[CardFace, ...], ...]:
    words, known = Words(language), dict.fromkeys(card[1] for card in cards)
    return tuple(tuple(card_face(card, words) for card in cards if card[1] == suit) for suit in known)


def draw_numbers(state: State) -> dict[str, tuple[int, ...]]:
    """Numbers of the cards of each hand, in their order."""
    return {place: tuple(draw.number for draw in lying) for place, lying in hands(state.round).items()}


def named_places(game: Game, words: Words) -> tuple[NamedPlace, ...]:
    """Places on which a card can lie, in the order in which they lie on the table."""
    return tuple(NamedPlace(place, place_name(place, words)) for place in in_order(game))
