"""Find texts on a Romanian page that are not in Romanian: raw names of the record, English sentences."""

import re
from collections.abc import Iterable
from functools import cache

from babel.messages.pofile import read_po

from controller.text.faults import LOCALE

CATALOGUE = LOCALE / "ro" / "LC_MESSAGES" / "tablectl.po"
RAW = re.compile(r"\b[a-z0-9]+_[a-z0-9_]+\b|\bundefined\b|\bnull\b|\bNone\b|\{\w*\}|\b(seat|player)\d+\b")
ENGLISH = re.compile(
    r"\b(the|and|of|is|was|to|by|with|for|from|no|not|on|at|this|that|it|its|has|have|been|"
    r"cards?|bets?|rounds?|dealt|shoe|seat|players?|wins?|due|left|since|press|paused|closed|open|waiting)\b",
    re.IGNORECASE,
)
SAME = (
    "32 Card",
    "no space left on device",
    "Casino Hold'em",
    "No more bets",
    "NO MORE BETS",
)  # names, the table's calls, messages of the PC
NAME = "table"  # name of the tables in these tests; also an English command with a Romanian word of its own


@cache
def english() -> frozenset[str]:
    """Return the English texts that differ from their Romanian ones."""
    with CATALOGUE.open("rb") as file:
        messages = {message.id: message.string for message in read_po(file) if message.id}
    return frozenset(text for text, romanian in messages.items() if text != romanian) - frozenset(messages.values())


def untranslated(texts: Iterable[str]) -> list[str]:
    """Return the texts that are not in Romanian, each once."""
    texts = (text for text in dict.fromkeys(texts) if text != NAME)
    return [text for text in texts if text in english() or RAW.search(text) or _is_english(text)]


def _is_english(text: str) -> bool:
    for name in SAME:
        text = text.replace(name, "")
    return ENGLISH.search(text) is not None
