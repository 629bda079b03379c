"""Entry: what one record adds to one figure. All statistics, metrics, reports and floors sum entries."""

from typing import NamedTuple

from msgspec import Struct

from ..core import records as r
from ..core.clock import Time


class CountedDevice(Struct, frozen=True, order=True):
    """Device of a table that figures are counted for. Empty: unknown."""

    kind: str  # shoe, panel, beacon ...
    table: str
    port: str = ""
    serial: str = ""


FigureGroup = tuple[str, str | CountedDevice]  # kind (table, dealer, manager, device, fault, currency ...), and name


class FigureEntry(NamedTuple):
    """Amount that a record adds to a figure. `amount`: times, minor units or microseconds, by the figure's unit.

    `also`: further groups to which it is added, beside the total, table, dealer and shift of the record; `alone`: only
    to these groups. `belongs`: time and dealer to which it is added, if they are not those of the record.
    """

    figure: str
    amount: int = 1
    also: tuple[FigureGroup, ...] = ()
    label: str = ""  # code of the fault, kind of the ruling, how a round ends
    alone: bool = False
    belongs: tuple[Time, str | None] | None = None


def device_of(table: str, device: str, identity: r.DeviceFound | None) -> FigureGroup:
    """Group of a device, as it was last found. A replaced device and its successor are counted separately.

    A device is identified by its serial number, else by its port. On USB the address changes with each plugging.
    """
    if identity is None:
        return "device", CountedDevice(device, table)
    port = "" if identity.serial or identity.address.startswith("usb ") else identity.address
    return "device", CountedDevice(device, table, port, identity.serial)
