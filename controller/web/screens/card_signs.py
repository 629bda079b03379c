"""Sign of a card in the shift manager's sentences, with its number where an equal one lies."""

from ...core.state import Draw, State
from ...text.naming import card_sign
from ...text.table_words import TableWords
from . import manager_texts as m


def sign(draw: Draw | None, state: State) -> str | None:
    """Sign of a card, with its number if an equal card lies on the table.

    Empty for a card with an unknown or hidden value; None for no card.
    """
    card = None if draw is None else draw.visible_card
    if draw is None or card is None:
        return None if draw is None else ""
    equal = [one for one in state.round.draws if one.lies and one.visible_card == card]
    return f"{card_sign(card)} (#{draw.number})" if len(equal) > 1 else card_sign(card)


def card_phrase(card: str | None, words: TableWords) -> str:
    """Sign of a card; "one of the cards" for None, "the card" for an empty sign (see `sign`)."""
    return card or words.say(m.ONE_CARD if card is None else m.THE_CARD)


def card_sentence(text: str, card: str | None, words: TableWords, **blanks: str) -> str:
    """Sentence with a card and other blanks filled in. `card`: see `card_phrase`."""
    return capital(words.say(text).format(card=card_phrase(card, words), **blanks))


def capital(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]
