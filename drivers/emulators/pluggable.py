"""What all emulated USB devices have in common: a plug, and ears for what they are told."""

from abc import ABC, abstractmethod
from typing import Generic, TypedDict, TypeVar, Unpack

from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity

Shown = TypeVar("Shown")


class InTheWay(TypedDict, total=False):
    """What may be in the way of a plug, see `EmulatedUsbBus.plug`."""

    kernel_driver: bool
    refused_opens: int
    in_use: bool
    configured: bool


class Pluggable(ABC):
    """A device; starts unplugged."""

    def __init__(self, bus: EmulatedUsbBus, identity: UsbIdentity) -> None:
        self._bus, self.identity = bus, identity
        self.strange: list[bytes] = []  # what a real device would not have understood, or must not be told

    def plug(self, **in_the_way: Unpack[InTheWay]) -> None:
        """Plug in."""
        self._bus.plug(self, **in_the_way)

    def unplug(self) -> None:
        """Pull the plug."""
        self._bus.unplug(self)

    @property
    def plugged(self) -> bool:
        """Whether a host can find it."""
        return self._bus.plugged(self)

    # What the bus calls.

    @abstractmethod
    def powered(self) -> None:
        """Start anew."""

    def received(self, report: bytes) -> None:
        """Obey a report; what a real device would not understand goes to `strange`."""
        try:
            self._obey(report)
        except ValueError:
            self.strange.append(report)

    @abstractmethod
    def _obey(self, report: bytes) -> None:
        """Raises ValueError where it is none."""


class Showing(Pluggable, Generic[Shown]):
    """A device to look at. It keeps what it shows for as long as it has power, whoever opens or closes it."""

    @property
    def shows(self) -> Shown:
        """What is to be seen and heard now."""
        with self._bus.changed:
            return self._look()

    @abstractmethod
    def _look(self) -> Shown:
        """With the bus locked."""
