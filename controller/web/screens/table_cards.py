"""Cards of a live or past round on the table: cards without a place, numbers of draws, the deck, possible places."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from ...core.state import Draw, State
from ...rules.cards import Card, Deck
from ...text.faults import Words
from ...text.naming import CardFace, card_face, face, place_name
from .table_snapshot import TableSnapshot


class ShownLooseCard(Struct, frozen=True):
    """Card without a place in the round. `at`: place where it is reported to lie."""

    draw: int
    face: CardFace
    at: str
    place: str  # that place, if the screen shows it; else empty


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
        for draw in state.loose_draws
    )


def suits(deck: Deck, words: Words) -> tuple[tuple[CardFace, ...], ...]:
    """Every card of a deck, a row for each suit."""
    return _suits(tuple(deck.cards), words.language)


@lru_cache(maxsize=16)  # called many times a round, with few games and languages
def _suits(cards: tuple[Card, ...], language: str) -> tuple[tuple[CardFace, ...], ...]:
    words, letters = Words(language), dict.fromkeys(card[1] for card in cards)
    return tuple(tuple(card_face(card, words) for card in cards if card[1] == suit) for suit in letters)


def draw_numbers(snapshot: TableSnapshot) -> dict[str, tuple[int, ...]]:
    """Numbers of the cards of each hand, in their order."""
    return {place: tuple(draw.number for draw in lying) for place, lying in snapshot.cards_by_place.items()}
