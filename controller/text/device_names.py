"""Names of counted devices: in a reader's language, and the fixed English name of statistics and stored figures."""

from ..accounts.entry import CountedDevice
from . import terms
from .faults import Words


def device_key(device: CountedDevice) -> str:
    """Name in statistics, the API and stored figures, such as `shoe of table1 at /dev/ttyUSB0`. It never changes."""
    if device.serial:
        return f"{device.kind} of {device.table} with serial number {device.serial}"
    return f"{device.kind} of {device.table} at {device.port}" if device.port else f"{device.kind} of {device.table}"


def device_title(device: CountedDevice, words: Words, *, with_table: bool = False) -> str:
    """Name on a page, such as `table1 · Shoe · /dev/ttyUSB0`."""
    kind = words.say(terms.DEVICES.get(device.kind, device.kind))
    table = device.table if with_table else ""
    return " · ".join(filter(None, (table, kind, device.serial or device.port)))
