"""Which devices are a table's own: by its config, and as its record remembers them.

A table that comes back takes no other device for its own than the one it had, unless the config says so.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Protocol

from drivers.identity import NotOurs, Recognition, Seen, Wanted, remembered
from drivers.own_keyboard import OwnKeyboard
from drivers.own_port import OwnPort
from drivers.serial_port import SerialSettings
from drivers.sysfs import SYS

from ..config.devices import PanelSection
from ..core.records import DeviceFound
from ..journal import JournalError, head_of, is_there, reach, read

FAR = 200_000  # records that are looked back
USB = "usb"  # what devices are named by that have no port


class Section(Protocol):
    """What the config says of any device."""

    @property
    def serial(self) -> str | None:
        """Its number."""

    @property
    def at(self) -> str | None:
        """Its socket."""


class PortSection(Section, Protocol):
    """What it says of one at a port."""

    @property
    def port(self) -> str | None:
        """Its name."""

    @property
    def is_keyboard(self) -> bool:
        """Whether it types there."""

    @property
    def line_baud(self) -> int:
        """How quickly it talks, where it does not."""


def wanted(device: str, section: Section) -> Wanted:
    """What it says of this one."""
    unit = section.unit if isinstance(section, PanelSection) else None
    return Wanted(device, section.serial, section.at, unit)


class Asked:
    """What a device is asked for, once another one is there: told with the table's troubles."""

    def __init__(self, recognition: Recognition) -> None:
        self._recognition = recognition

    @property
    def trouble(self) -> str | None:
        """Why the one that is there is not taken, and what to write."""
        return self._recognition.asks

    def look(self) -> None:
        """It is looked at by its link."""


class OwnDevices:
    """Those of the table with this record."""

    def __init__(self, journal: Path | None) -> None:
        self._journal = journal
        self.asked: dict[str, Asked] = {}  # by device

    @cached_property
    def found(self) -> Mapping[str, DeviceFound]:
        """Where each was last; looked up when the first is plugged in, by the thread of its link: no start waits for a
        long record to be looked through. Raises JournalError."""
        found: dict[str, DeviceFound] = {}
        if self._journal is not None and is_there(self._journal):
            start = max(head_of(self._journal).seq - FAR, reach(self._journal))
            for record in read(self._journal, start, ("device_found",)):
                if isinstance(record.what, DeviceFound):
                    found[record.what.device] = record.what
        return found

    def port(self, device: str, section: PortSection, sys: Path = SYS) -> OwnPort:
        """The port of a shoe or a reader. Raises DriverFailed, UnusablePort."""
        name = section.port or ""
        own = self.recognition(device, section, name)
        if section.is_keyboard:
            return OwnKeyboard(name, None, own, sys)
        return OwnPort(name, SerialSettings(section.line_baud), own, sys)

    def recognition(self, device: str, section: Section, name: str = USB) -> Recognition:
        """What tells a device from all others. `name`: of its port."""
        recognition = Recognition(wanted(device, section), lambda: self._seen(device, name))
        self.asked[device] = Asked(recognition)
        return recognition

    def _seen(self, device: str, name: str) -> Seen | None:
        try:
            found = self.found.get(device)
        except JournalError as error:
            raise NotOurs(f"which {device} is the table's own cannot be read in its record: {error}") from None
        return None if found is None else remembered(name, found.address, found.serial)
