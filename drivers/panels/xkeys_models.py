"""The X-keys models that speak alike: where each has its keys, its lamps and its clock, and the product ids it goes by.

How sure each fact is: [V] the vendor's published data report; [2] the vendor and an independent open implementation
agree; [1] one open implementation; [?] not published, taken from the models beside it. Nothing here was tried on a
panel.

    XK-24    4 columns of 6 keys [V], clock at 6 [V], red lamps from 32 [V]
    XK-80    10 columns of 8 keys, clock at 12, red lamps from 80 [2]
    XK-60    as the XK-80, without row 3 and without rows 4 to 8 of columns 3 and 8 [1]
    XK-16    one row of 16 keys, told in 4 columns of 4 [2], clock at 6 [1]; its lamps are blue, 6 of 8 numbers each [1]

Key number = 8 * column + row, both from 0; on the XK-16 it is 0 to 15 from left to right. The lengths of the reports
and the descriptor are those of the XK-24 [?]. Of the ids in hardware mode, 04E2, 04E3 and 04E6 are [?], all others [2].
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from drivers.panels.lights import Colour

COLUMNS_AT = 2  # in an input report
Place = tuple[int, int]  # column and row, as the reports have them


@dataclass(frozen=True, slots=True)
class Model:
    """One of them."""

    name: str
    products: tuple[int, ...]  # that report keys, the default first
    hardware_mode: tuple[int, ...]  # that do not
    columns: int
    rows: int
    clock_at: int  # in an input report
    numbers: Mapping[Place, int]  # of the keys
    red_bank: int | None = None  # number of the first red lamp; none: its lamps have one colour
    block: int = 8  # so many keys have lamps in a row, out of eight numbers

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

XK_24 = Model("XK-24", (0x0405, 0x0403), (0x0404, 0x04E1), 4, 6, 6, _grid(4, 6), 32)
XK_80 = Model("XK-80", (0x0441, 0x0443, 0x04C1, 0x04C4), (0x0442, 0x04E2), 10, 8, 12, _grid(10, 8), 80)
XK_60 = Model("XK-60", (0x0461, 0x0463, 0x04CF, 0x04D2), (0x0462, 0x04E6), 10, 8, 12, _grid(10, 8, _GAPS), 80)
XK_16 = Model("XK-16", (0x0419, 0x041B, 0x04BD, 0x04C0), (0x041A, 0x04E3), 4, 4, 6, _STICK, None, 6)
MODELS = (XK_24, XK_80, XK_60, XK_16)
