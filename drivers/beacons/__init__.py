"""Codecs of beacons, the lights on a pole that call the shift manager: signals in, bytes out.

A codec does no I/O. `drivers.usb_link` moves the bytes, whatever the model. A package of another vendor
adds a model through the entry point group `tablectl.beacons`: name = model, value = a factory without arguments.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from drivers.beacons.blink1 import Blink1
from drivers.beacons.ne_usb import NEUSB
from drivers.beacons.patlite import LR6USB
from drivers.beacons.signals import DARK, Light, Signal, Sound
from drivers.models import create_codec, factory_of
from drivers.usb_codec import UsbCodec

__all__ = [
    "BEACONS",
    "DARK",
    "BeaconCodec",
    "Light",
    "Recurring",
    "SelfSignalling",
    "Signal",
    "Sound",
    "Touchable",
    "beacon_codec",
]


class BeaconCodec(UsbCodec, Protocol):
    """Codec of a beacon, as signals need it, beside what `UsbLink` needs."""

    def show(self, signal: Signal) -> bytes:
        """Build the report that makes the beacon show this signal, whatever it showed before."""


@runtime_checkable
class Recurring(Protocol):
    """Codec of a beacon that has to get a report at intervals, while the table is at work."""

    @property
    def every_s(self) -> float:
        """Seconds between two recurring reports."""

    def recurring(self) -> bytes:
        """Report that is sent at each interval."""


@runtime_checkable
class SelfSignalling(Protocol):
    """Beacon that shows by itself that its recurring report has stopped."""

    @property
    def silence_s(self) -> float:
        """Seconds without the recurring report after which the beacon signals by itself."""


@runtime_checkable
class Touchable(Protocol):
    """Codec of a beacon with a sensor that has to be asked."""

    def with_touch(self) -> BeaconCodec:
        """Make a codec of the same model that also asks for the sensor."""


BEACONS: Mapping[str, Callable[[], BeaconCodec]] = MappingProxyType(
    {"lr6_usb": LR6USB, "ne_usb": NEUSB, "blink1": Blink1}
)


def beacon_codec(model: str) -> BeaconCodec:
    """Create the codec of a model, built in or from an installed package.

    Raises DriverFailed.
    """
    return create_codec(factory_of("beacon", BEACONS, model))
