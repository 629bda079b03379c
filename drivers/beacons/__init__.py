"""Codecs of beacons, the lights on a pole that call the shift manager: what is to be seen and heard in, commands out.

The one rule: a codec does no I/O. `drivers.usb_link` moves the bytes, whatever the model. A package of another vendor
adds a model through the entry point group `tablectl.beacons`: name = model, value = a factory without arguments.
"""

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Protocol, cast

from drivers.beacons.patlite import LR6USB
from drivers.beacons.signals import DARK, Light, Signal, Sound
from drivers.usb_codec import UsbCodec

__all__ = ["BEACONS", "DARK", "BeaconCodec", "Light", "Signal", "Sound", "UnknownModel", "beacon_codec"]


class BeaconCodec(UsbCodec, Protocol):
    """What the rendering of signals needs to know of a model, beside what `UsbLink` does."""

    def show(self, signal: Signal) -> bytes:
        """The report after which the beacon shows this, whatever it showed before."""


BEACONS: Mapping[str, Callable[[], BeaconCodec]] = MappingProxyType({"lr6_usb": LR6USB})
GROUP = "tablectl.beacons"


class UnknownModel(LookupError):
    """No codec goes by the name of this model."""


def beacon_codec(model: str) -> BeaconCodec:
    """A fresh codec for one beacon of that model: ours first, then those of installed packages."""
    if model in BEACONS:
        return BEACONS[model]()
    added = {point.name: point for point in entry_points(group=GROUP)}
    if model not in added:
        known = ", ".join(sorted({*BEACONS, *added}))
        raise UnknownModel(
            f"unknown beacon model {model!r}: expected one of {known}; correct [beacon] model, "
            f"or install the package that adds it (entry point group {GROUP})"
        )
    return cast("Callable[[], BeaconCodec]", added[model].load())()
