"""Supported models of Stream Decks: product ids, keys and form of a picture.

How sure each fact is: [V] the vendor's published HID pages; [2] they and an independent open implementation agree; [1]
the open implementation alone. None of them was ever tried on a real deck.

    model       product ids               keys        picture of a key
    MK.2        0080 006D 00A5 00B9 [2]   5 x 3 [2]   72 x 72 JPEG, turned by half [2]
    XL          006C 008F 00BA [2]        8 x 4 [2]   96 x 96 JPEG, turned by half [2]
    Mini        0063 0090 00B3 00B8 [V]   3 x 2 [V]   80 x 80 [V] BMP, turned by a quarter and mirrored [1]
    Neo         009A [V]                  4 x 2 [V]   96 x 96 JPEG [V], turned by half [1]
    Plus        0084 [V]                  4 x 2 [V]   120 x 120 [V] JPEG, upright [1]

006D is the deck before the MK.2, 00A5 the MK.2 with scissor keys; 00B9, 00BA and 00B8 are modules to build in. Keys are
numbered from 0, row by row from the top left [2]. A picture turned by half is mirrored in both directions.
"""

from dataclasses import dataclass

from drivers.panels.pictures import Form


@dataclass(frozen=True, slots=True)
class Model:
    """Model of a Stream Deck, with its ids and keys."""

    name: str
    products: tuple[int, ...]  # the default first
    columns: int
    rows: int
    form: Form
    sensors: int = 0  # number of sensors, which are reported after the keys
    old: bool = False  # True: it has the older of the two protocols

    @property
    def keys(self) -> tuple[int, ...]:
        """The numbers of all keys, in ascending order."""
        return tuple(range(self.columns * self.rows))


def _half_turned_form(pixels: int) -> Form:
    return Form(pixels, "JPEG", left_right=True, upside_down=True)


MK2 = Model("Stream Deck MK.2", (0x0080, 0x006D, 0x00A5, 0x00B9), 5, 3, _half_turned_form(72))
XL = Model("Stream Deck XL", (0x006C, 0x008F, 0x00BA), 8, 4, _half_turned_form(96))
MINI = Model(
    "Stream Deck Mini", (0x0063, 0x0090, 0x00B3, 0x00B8), 3, 2, Form(80, "BMP", turned=90, upside_down=True), old=True
)
NEO = Model("Stream Deck Neo", (0x009A,), 4, 2, _half_turned_form(96), sensors=2)
PLUS = Model("Stream Deck +", (0x0084,), 4, 2, Form(120, "JPEG"))
MODELS = (MK2, XL, MINI, NEO, PLUS)
