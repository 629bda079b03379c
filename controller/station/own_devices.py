"""Identify a table's own devices: by its config, and as its record remembers them.

After a restart, a table accepts no other device than the one it had, unless the config says so.
"""

from pathlib import Path
from typing import Protocol

from drivers.identity import ConfiguredIdentity, NotOurs, Recognition, RecordedIdentity, recorded_identity
from drivers.own_keyboard import OwnKeyboard
from drivers.own_port import OwnPort
from drivers.serial_port import SerialSettings
from drivers.sysfs import SYS

from ..config.devices import PanelSection
from ..core.coded_message import coded
from ..core.records import DeviceFound
from ..journal import JournalError, devices_found, is_there
from ..text.coded import render

USB = "usb"  # name in place of a port, for devices without one


class DeviceSection(Protocol):
    """Part of the config that identifies a device."""

    @property
    def serial(self) -> str | None:
        """Serial number of the device, if the config has one."""

    @property
    def at(self) -> str | None:
        """USB socket of the device, if the config has one."""


class PortSection(DeviceSection, Protocol):
    """Part of the config that identifies a device at a port."""

    @property
    def port(self) -> str | None:
        """Name of the device's port, if the config has one."""

    @property
    def is_keyboard(self) -> bool:
        """True if the device acts as a keyboard."""

    @property
    def line_baud(self) -> int:
        """Baud rate of the line; not used for a keyboard."""


def configured_identity(device: str, section: DeviceSection) -> ConfiguredIdentity:
    """Identity of a device that the config asks for."""
    unit = section.unit if isinstance(section, PanelSection) else None
    return ConfiguredIdentity(device, section.serial, section.at, unit)


class DeviceQuestion:
    """Open question about a device after another one was plugged in; shown with the table's troubles."""

    def __init__(self, recognition: Recognition) -> None:
        self._recognition = recognition

    @property
    def trouble(self) -> str | None:
        """Reason why the connected device is refused, and the line for the config; else None."""
        return self._recognition.asks

    def look(self) -> None:
        """Do nothing: the device's link checks the device itself."""


class OwnDevices:
    """Devices of the table with this record."""

    def __init__(self, journal: Path | None) -> None:
        self._journal = journal
        self.asked: dict[str, DeviceQuestion] = {}  # open questions by device

    def last_device_found(self, device: str) -> DeviceFound | None:
        """Last recorded identity and address of a device, where it was plugged in. Raises JournalError.

        It is looked up when the device is plugged in, by the thread of its link, so that no start waits for a search
        through a long record.
        """
        if self._journal is None or not is_there(self._journal):
            return None
        said = (record.what for record in devices_found(self._journal))
        named = (one for one in said if isinstance(one, DeviceFound) and one.device == device and one.address)
        return next(named, None)

    def port(self, device: str, section: PortSection, sys: Path = SYS) -> OwnPort:
        """Port of a shoe or a badge reader. Raises DriverFailed, UnusablePort."""
        name = section.port or ""
        own = self.recognition(device, section, name)
        if section.is_keyboard:
            return OwnKeyboard(name, None, own, sys)
        return OwnPort(name, SerialSettings(section.line_baud), own, sys)

    def recognition(self, device: str, section: DeviceSection, name: str = USB) -> Recognition:
        """Make the rule that tells this device from all others. `name`: name of its port."""
        recognition = Recognition(configured_identity(device, section), lambda: self._last_identity(device, name))
        self.asked[device] = DeviceQuestion(recognition)
        return recognition

    def _last_identity(self, device: str, name: str) -> RecordedIdentity | None:
        try:
            identity = self.last_device_found(device)
        except JournalError as error:
            raise NotOurs(render(coded("own_device_unread", name=device, reason=error.message))) from None
        return None if identity is None else recorded_identity(name, identity.address, identity.serial)
