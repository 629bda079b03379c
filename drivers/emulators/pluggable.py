"""Base classes of all emulated USB devices: a plug, and the reports they receive."""

from abc import ABC, abstractmethod
from typing import Generic, TypedDict, TypeVar, Unpack

from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity

Shown = TypeVar("Shown")


class PlugObstacles(TypedDict, total=False):
    """Obstacles when a device is plugged in, see `EmulatedUsbBus.plug`."""

    kernel_driver: bool
    refused_opens: int
    in_use: bool
    configured: bool


class Pluggable(ABC):
    """Emulated USB device; starts unplugged."""

    def __init__(self, bus: EmulatedUsbBus, identity: UsbIdentity) -> None:
        self._bus, self.identity = bus, identity
        self.strange: list[bytes] = []  # reports that a real device would not understand, or must not get

    def plug(self, **in_the_way: Unpack[PlugObstacles]) -> None:
        """Plug the device into the bus."""
        self._bus.plug(self, **in_the_way)

    def unplug(self) -> None:
        """Pull the plug from the bus."""
        self._bus.unplug(self)

    @property
    def is_plugged(self) -> bool:
        """True if a host can find the device."""
        return self._bus.is_plugged(self)

    # What the bus calls.

    @abstractmethod
    def power_on(self) -> None:
        """Reset the state, as at power-on."""

    def take_report(self, report: bytes) -> None:
        """Obey a report; what a real device would not understand goes to `strange`."""
        try:
            self._obey(report)
        except ValueError:
            self.strange.append(report)

    @abstractmethod
    def _obey(self, report: bytes) -> None:
        """Carry out a report. Raises ValueError if the device does not understand it."""


class Showing(Pluggable, Generic[Shown]):
    """Device whose display stays unchanged when a program opens or closes it."""

    @property
    def display_state(self) -> Shown:
        """Current state of the display and the buzzer."""
        with self._bus.changed:
            return self._look()

    @abstractmethod
    def _look(self) -> Shown:
        """Return the display's state; called with the bus locked."""
