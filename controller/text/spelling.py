"""Characters that a name may hold: of players, dealers, shift managers, programs, tables.

What cannot be seen is in no name. Else two names could look the same and be two, and one could turn
round, or break, the line that it stands in: on a screen, in a log, in the record.

Not seen are the characters that Unicode calls control (Cc), format (Cf), line and paragraph separator (Zl, Zp), private
(Co), half a character (Cs) and not assigned (Cn), and the letters and marks without a shape of their own. Of the spaces
there is one kind, singly between two words. What can be written in two ways, as letter and accent or as one, is written
as one (Unicode's form NFC): a name is what the record and the game server know somebody by, so it is refused and never
rewritten. That letters of two alphabets look alike is not looked at.
"""

import re
import unicodedata

from ..core.coded_message import coded
from .coded import WithMessage

_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")  # nearly every name there is
_SHAPELESS = re.compile(  # by Unicode's Default_Ignorable_Code_Point, where the category does not say it; and a blank
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


def check_text(text: str) -> None:
    """Check a text on one line, such as a reason; it may hold any spaces. Raises Misspelt."""
    if text.isprintable() and not _SHAPELESS.search(text):  # nearly every one
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
