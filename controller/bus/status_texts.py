"""Texts of a table's status in every language, equal to the table's own page for shift managers.

With them a floor can show a table of a game that it does not know.
"""

from msgspec import Struct

from ..text.faults import LANGUAGES, Words
from ..text.money import money
from ..text.naming import title
from ..text.table_words import TableWords
from ..web.screens.at_fault import title_and_text
from ..web.screens.dealer import round_name
from ..web.screens.look import Look
from ..web.screens.manager import life_text, next_of


class Texts(Struct, frozen=True):
    """Texts of a status in one language.

    `head` and `text`: for a fault, or a record that cannot be written; else empty.
    """

    game: str
    round: str
    life: str
    next: str
    head: str
    text: str
    money: str  # stakes at risk


def texts(look: Look) -> dict[str, Texts]:
    """Return the texts of a table in every language."""
    at_risk = _money(look)
    return {language: _texts(look, Words(language), at_risk) for language in LANGUAGES}


def _texts(look: Look, words: Words, at_risk: str) -> Texts:
    step = next_of(look, words)
    head, text = (step.head, step.text) if look.halted is not None else _fault(look, words)
    return Texts(
        game=title(look.house.game),
        round=round_name(look, words),
        life=life_text(look, words),
        next=" · ".join(filter(None, (step.head, step.text))),
        head=head,
        text=text,
        money=at_risk,
    )


def _fault(look: Look, words: Words) -> tuple[str, str]:
    fault = look.state.fault
    return ("", "") if fault is None else title_and_text(look, fault, TableWords(words))


def _money(look: Look) -> str:
    """Stakes of the round with their currency, since a floor may have several; empty without bets."""
    bets = look.state.round.bets
    return f"{money(bets.total, look.house.currency)} {look.house.currency}" if bets else ""
