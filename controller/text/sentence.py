"""A sentence that remembers what it was made of, so that it can be said in another language.

What a script, a program or the log reads is the English text itself, as if it had been written there; who answers a
page has it said in that page's language by `Words.tell`.
"""

from collections.abc import Mapping, Sequence
from functools import reduce

from .terms import OR


class Sentence(str):
    """In English. `text`: with blanks, as it stands in the catalogue; `parts`: what fills them."""

    __slots__ = ("parts", "text")
    text: str
    parts: Mapping[str, object]

    def __new__(cls, text: str, **parts: object) -> "Sentence":
        """The text with its parts."""
        made = super().__new__(cls, text.format(**parts))
        made.text, made.parts = text, parts
        return made


def one_of(names: Sequence[str]) -> Sentence:
    """One or another: each of them is in the catalogue. At least one."""
    said = [Sentence(name) for name in names]
    return reduce(lambda first, last: Sentence(OR, first=first, last=last), said)


def message_of(error: Exception) -> str:
    """What an exception says, with what it was made of."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, str) else str(error)
