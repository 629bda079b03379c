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
from ..web.screens.manager import life_text, manager_step
from ..web.screens.table_snapshot import TableSnapshot


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


def texts(snapshot: TableSnapshot) -> dict[str, Texts]:
    """Return the texts of a table in every language."""
    at_risk = _money(snapshot)
    return {language: _texts(snapshot, Words(language), at_risk) for language in LANGUAGES}


def _texts(snapshot: TableSnapshot, words: Words, at_risk: str) -> Texts:
    step = manager_step(snapshot, words)
    head, text = (step.head, step.text) if snapshot.halted is not None else _fault(snapshot, words)
    return Texts(
        game=title(snapshot.house.game),
        round=round_name(snapshot, words),
        life=life_text(snapshot, words),
        next=" · ".join(filter(None, (step.head, step.text))),
        head=head,
        text=text,
        money=at_risk,
    )


def _fault(snapshot: TableSnapshot, words: Words) -> tuple[str, str]:
    fault = snapshot.state.fault
    return ("", "") if fault is None else title_and_text(snapshot, fault, TableWords(words))


def _money(snapshot: TableSnapshot) -> str:
    """Stakes of the round with their currency, since a floor may have several; empty without bets."""
    bets = snapshot.state.round.bets
    return f"{money(bets.total, snapshot.house.currency)} {snapshot.house.currency}" if bets else ""
