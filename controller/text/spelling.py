"""Characters that a name may hold: of players, dealers, shift managers, programs, tables.

A name contains no invisible characters. With them two different names could look the same, and a name could reverse or
break its line on a screen, in a log or in the record.

Invisible are the Unicode categories control (Cc), format (Cf), line and paragraph separator (Zl, Zp), private (Co),
surrogate (Cs) and unassigned (Cn), and letters and marks without a shape. Words are separated by single spaces. A name
must be in Unicode's form NFC, with letter and accent as one character. It is refused if it is not, and never changed,
because the record and the game server identify a person by it. Similar letters of two alphabets are not detected.
"""

import re
import unicodedata

from ..core.coded_message import coded
from .coded import WithMessage

_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")  # fast check that nearly every name passes
_SHAPELESS = re.compile(  # Unicode's Default_Ignorable_Code_Point beyond the categories above, and a blank letter
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


class Misspelt(WithMessage, ValueError):
    """Name or text with a character that is not allowed; says what was expected, and what came."""


def check_name(name: str) -> None:
    """Check a name. Raises Misspelt if it is not valid."""
    if _PLAIN.fullmatch(name):
        return
    check_text(name)
    if name != " ".join(name.split()):
        raise Misspelt(coded("spaces"))
    if not unicodedata.is_normalized("NFC", name):
        raise Misspelt(coded("pieces"))


def check_reason(reason: str) -> None:
    """Check the reason that a person gives for an act: a text that says something. Raises Misspelt."""
    if not reason.strip():
        raise Misspelt(coded("says_nothing"))
    check_text(reason)


def check_text(text: str) -> None:
    """Check a text on one line, such as a line of a script; it may hold any spaces. Raises Misspelt."""
    if text.isprintable() and not _SHAPELESS.search(text):  # fast check that nearly every text passes
        return
    unseen = next((character for character in text if not is_seen(character)), None)
    if unseen is not None:
        name = unicodedata.name(unseen, "").lower()
        raise Misspelt(coded("unseen", code=f"U+{ord(unseen):04X} {name}".rstrip()))


def is_seen(character: str) -> bool:
    """True if a name or a text may contain this character."""
    if _SHAPELESS.match(character):
        return False
    return character.isprintable() or unicodedata.category(character) == "Zs"
