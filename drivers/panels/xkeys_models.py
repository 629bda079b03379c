"""Models of X-keys panels with the same protocol: keys, lamps, clock and product ids.

How sure each fact is: [V] the vendor's published data report of that model; [2] the vendor and an independent open
implementation agree; [1] one open implementation. None of them was ever tried on a real panel.

    XK-24    4 columns of 6 keys, clock at 6 [2], red lamps from 32 [V]
    XK-80    10 columns of 8 keys, clock at 12, red lamps from 80 [2]
    XK-60    as the XK-80 [V], without row 3 and without rows 4 to 8 of columns 3 and 8 [1]
    XK-16    one row of 16 keys, reported in 4 columns of 4, clock at 6 [2]; blue lamps, 6 of 8 numbers each [1]

Key number = 8 * column + row, both from 0; on the XK-16 it is 0 to 15 from left to right. The lengths of the reports
and the descriptor are those of the XK-24, and the ids those of the vendor's data reports [V].

Each has a variant for Android, with its own ids and longer reports [V]: 36 bytes, the clock at 31, the number of
restarts at 35, and after the columns a byte with the state of the locks, in which bit 4 is the program switch. An
independent implementation has the same ids, but the clock at the position of the other variant [1]; here the vendor's
report is followed. Variants for KVM switches (04D3 to 04D8, 04F5, 04F6) are not supported.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from drivers.panels.lights import Colour

COLUMNS_AT = 2  # in an input report
PLAIN_BYTES, ANDROID_BYTES = 32, 36  # of an input report
ANDROID_CLOCK_AT = 31
Place = tuple[int, int]  # column and row, as the reports have them


@dataclass(frozen=True, slots=True)
class Variant:
    """The product ids of one variant of a model, and how long its reports are."""

    products: tuple[int, ...]  # ids that report keys, the default first
    hardware_mode: tuple[int, ...]  # ids that report no keys
    report_bytes: int = PLAIN_BYTES


@dataclass(frozen=True, slots=True)
class Model:
    """Model of an X-keys panel, with its keys and lamps."""

    name: str
    variants: tuple[Variant, ...]  # the usual one first
    columns: int
    rows: int
    clock_at: int  # position of the clock in an input report of the usual variant
    numbers: Mapping[Place, int]  # of the keys
    red_bank: int | None = None  # number of the first red lamp; none: its lamps have one colour
    block: int = 8  # of each eight lamp numbers, so many belong to keys

    @property
    def products(self) -> tuple[int, ...]:
        """Product ids that report keys, the default first."""
        return tuple(product for variant in self.variants for product in variant.products)

    @property
    def hardware_mode(self) -> tuple[int, ...]:
        """Product ids that report no keys (hardware mode)."""
        return tuple(product for variant in self.variants for product in variant.hardware_mode)

    def variant(self, product: int) -> Variant:
        """The variant with this product id; the usual one for any other."""
        variants = (one for one in self.variants if product in one.products + one.hardware_mode)
        return next(variants, self.variants[0])

    @property
    def keys(self) -> tuple[int, ...]:
        """The numbers of all keys, in ascending order."""
        return tuple(sorted(self.numbers.values()))

    def lamp(self, key: int, colour: Colour) -> int:
        """The number of a lamp of this key."""
        bank = self.red_bank if colour is Colour.RED and self.red_bank is not None else 0
        return bank + 8 * (key // self.block) + key % self.block


def _grid(columns: int, rows: int, gaps: frozenset[Place] = frozenset()) -> Mapping[Place, int]:
    places = [(column, row) for column in range(columns) for row in range(rows)]
    return MappingProxyType({(column, row): 8 * column + row for column, row in places if (column, row) not in gaps})


_GAPS = frozenset(
    (column, row) for column in range(10) for row in range(8) if row == 2 or (column in (2, 7) and row > 2)
)
_STICK = MappingProxyType({(column, row): 4 * row + column for column in range(4) for row in range(4)})


def _variants(plain: Variant, android: int) -> tuple[Variant, ...]:
    """Variants of a model: the usual one and that for Android.

    The four ids of the latter follow each other: the outer ones report keys.
    """
    return plain, Variant((android, android + 3), (android + 1, android + 2), ANDROID_BYTES)


_XK_24 = _variants(Variant((0x0405, 0x0403), (0x0404, 0x04E1)), 0x049C)
_XK_80 = _variants(Variant((0x0441, 0x0443), (0x0442, 0x04E2)), 0x04C1)
_XK_60 = _variants(Variant((0x0461, 0x0463), (0x0462, 0x04E6)), 0x04CF)
_XK_16 = _variants(Variant((0x0419, 0x041B), (0x041A, 0x04E3)), 0x04BD)
XK_24 = Model("XK-24", _XK_24, 4, 6, 6, _grid(4, 6), 32)
XK_80 = Model("XK-80", _XK_80, 10, 8, 12, _grid(10, 8), 80)
XK_60 = Model("XK-60", _XK_60, 10, 8, 12, _grid(10, 8, _GAPS), 80)
XK_16 = Model("XK-16", _XK_16, 4, 4, 6, _STICK, None, 6)
MODELS = (XK_24, XK_80, XK_60, XK_16)
