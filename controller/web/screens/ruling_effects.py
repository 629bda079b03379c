"""What a ruling on offer would do, in one line that names its card and place; the preview says what follows from it."""

from ...core.state import Draw
from ...core.withheld import seen
from ...rules.procedure import Deal, Step
from ...text.naming import card_sign
from ...text.table_words import TableWords
from . import manager_texts as m


def effect(ruling: str, code: str, draw: Draw | None, due: Step | None, words: TableWords) -> str:
    """Describe a ruling on a fault. `draw`: card that it takes if no other is named; `due`: step that is due then."""
    text = m.MEANS_AT.get((code, ruling), m.MEANS[ruling])
    if isinstance(due, Deal):
        text = m.MEANS_IF_DUE.get(ruling, text)
        return capital(words.say(text).format(card=_card(draw, words), place=words.place(due.to)))
    return capital(words.say(text).format(card=_card(draw, words)))


def _card(draw: Draw | None, words: TableWords) -> str:
    if draw is None:
        return words.say(m.ONE_CARD)
    card = seen(draw)
    return words.say(m.THE_CARD) if card is None else card_sign(card)


def capital(text: str) -> str:
    """The same text, its first letter a capital."""
    return text[:1].upper() + text[1:]
