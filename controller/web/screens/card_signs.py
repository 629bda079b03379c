"""Sign of a card in the shift manager's sentences, with its number where an equal one lies."""

from ...core.state import Draw, State
from ...core.withheld import seen
from ...text.naming import card_sign
from ...text.table_words import TableWords
from . import manager_texts as m


def sign(draw: Draw | None, state: State) -> str | None:
    """Sign of a card, with its number where an equal one lies; empty if its value is not known. None: no card."""
    card = None if draw is None else seen(draw)
    if draw is None or card is None:
        return None if draw is None else ""
    equal = [one for one in state.round.draws if one.fate in ("placed", "loose") and seen(one) == card]
    return f"{card_sign(card)} (#{draw.number})" if len(equal) > 1 else card_sign(card)


def card_told(card: str | None, words: TableWords) -> str:
    """Sign of a card, or a name for it if that is open or not known: see `sign`."""
    return card or words.say(m.ONE_CARD if card is None else m.THE_CARD)


def capital(text: str) -> str:
    """The same text, its first letter a capital."""
    return text[:1].upper() + text[1:]
