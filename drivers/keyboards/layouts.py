"""Characters of keys, by the device's layout ("country") and the modifiers that are held.

How sure: us, de, fr and ro (its variant "std", SR 13392: digits and letters are those of us) follow X.org's
xkeyboard-config. [?] whether a maker's "Romania" is that one or the older QWERTZ: set such a device to us.
Keys are numbered as in linux/input-event-codes.h: by their position, not by the characters on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

LayoutName = Literal["us", "de", "fr", "ro"]
SHIFTS: Final = frozenset({42, 54})
ALT_GR, CAPS_LOCK = 100, 58
OTHERS: Final = frozenset({29, 97, 56, 125, 126})  # Ctrl, Alt and the logo key: with these a key is a command
ENDS: Final = frozenset({15, 28, 96})  # Tab, Enter, Enter of the number pad
LOCKS: Final = frozenset({69, 70})  # Num Lock, Scroll Lock: they type nothing; the number pad always types digits

# The rows of a keyboard of 105 keys, from the key left of 1 to the key right of +, and so on downwards.
ROWS: Final = ((41, *range(2, 14)), tuple(range(16, 28)), (*range(30, 41), 43), (86, *range(44, 54)))
PAD: Final[Mapping[int, str]] = MappingProxyType(
    {**dict(zip((71, 72, 73, 75, 76, 77, 79, 80, 81, 82), "7894561230", strict=True)),
     55: "*", 74: "-", 78: "+", 83: ".", 98: "/", 57: " "}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class KeyLayout:
    """Characters of the keys: alone, with Shift, with AltGr."""

    plain: Mapping[int, str]
    shifted: Mapping[int, str]
    third: Mapping[int, str]

    def character_of(self, code: int, *, shift: bool, third: bool, caps: bool) -> str | None:
        """Character of a key with these modifiers; None if it types none."""
        if code in PAD:
            return PAD[code]
        if third:
            return self.third.get(code)
        character = (self.shifted if shift else self.plain).get(code)
        return character.swapcase() if caps and character is not None and len(character.swapcase()) == 1 else character


def _rows(*rows: str) -> Mapping[int, str]:
    """Map keys to characters, row by row; a space is a key without a character."""
    keys = (zip(codes, row, strict=True) for codes, row in zip(ROWS, rows, strict=True))
    return MappingProxyType({code: typed for row in keys for code, typed in row if typed != " "})


_US = KeyLayout(
    _rows("`1234567890-=", "qwertyuiop[]", "asdfghjkl;'\\", "<zxcvbnm,./"),
    _rows("~!@#$%^&*()_+", "QWERTYUIOP{}", 'ASDFGHJKL:"|', ">ZXCVBNM<>?"),
    MappingProxyType({}),
)
_DE = KeyLayout(
    _rows("^1234567890ß´", "qwertzuiopü+", "asdfghjklöä#", "<yxcvbnm,.-"),
    _rows('°!"§$%&/()=?`', "QWERTZUIOPÜ*", "ASDFGHJKLÖÄ'", ">YXCVBNM;:_"),
    _rows("  ²³   {[]}\\ ", "@          ~", " " * 12, "|" + " " * 10),
)
_FR = KeyLayout(
    _rows("²&é\"'(-è_çà)=", "azertyuiop^$", "qsdfghjklmù*", "<wxcvbn,;:!"),
    _rows(" 1234567890°+", "AZERTYUIOP¨£", "QSDFGHJKLM%µ", ">WXCVBN?./§"),
    _rows("  ~#{[|`\\^@]}", " " * 12, " " * 12, " " * 11),
)
_RO = KeyLayout(
    _rows("„1234567890-=", "qwertyuiopăî", "asdfghjklșțâ", "\\zxcvbnm,./"),
    _rows("”!@#$%^&*()_+", "QWERTYUIOPĂÎ", "ASDFGHJKLȘȚÂ", "|ZXCVBNM;:?"),
    _rows(" " * 13, "          []", "         ;'\\", " " * 11),
)
LAYOUTS: Final[Mapping[str, KeyLayout]] = MappingProxyType({"us": _US, "de": _DE, "fr": _FR, "ro": _RO})
