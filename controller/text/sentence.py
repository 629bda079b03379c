"""English sentence that keeps its template and parts, so that it can be translated later.

Scripts, programs and the log read the English text itself. For a page, `Words.tell` translates it into the page's
language.
"""

from collections.abc import Mapping, Sequence
from functools import reduce

from .terms import OR


class Sentence(str):
    """Text in English. `text`: its template in the catalogue; `parts`: values that fill the template."""

    __slots__ = ("parts", "text")
    text: str
    parts: Mapping[str, object]

    def __new__(cls, text: str, **parts: object) -> "Sentence":
        """Fill the template and keep template and parts."""
        made = super().__new__(cls, text.format(**parts))
        made.text, made.parts = text, parts
        return made


def one_of(names: Sequence[str]) -> Sentence:
    """Join names with "or". Each must be in the catalogue; at least one is needed."""
    said = [Sentence(name) for name in names]
    return reduce(lambda first, last: Sentence(OR, first=first, last=last), said)


def message_of(error: Exception) -> str:
    """Message of an exception, as a Sentence if it was raised with one."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, str) else str(error)
