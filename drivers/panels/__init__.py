"""Codecs of button panels: reports in, key events out; wishes for lights in, reports out.

A codec does no I/O. `drivers.usb_link` moves the bytes, whatever the model. A package of another vendor
adds a model through the entry point group `tablectl.panels`: name = model, value = a factory without arguments.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

from drivers.models import factory_of, made
from drivers.panels.lights import Colour, Light
from drivers.panels.xkeys import XK16, XK24, XK60, XK80
from drivers.usb_codec import UsbCodec

__all__ = ["PANELS", "Colour", "Light", "PanelCodec", "panel_codec"]


class PanelCodec(UsbCodec, Protocol):
    """What the rendering of lights needs to know of a model, beside what `UsbLink` does."""

    @property
    def keys(self) -> tuple[int, ...]:
        """The numbers of all keys, in ascending order."""

    def backlight(self, key: int, light: Light, colour: Colour) -> bytes:
        """The report that sets one lamp of one key; raises ValueError where the panel has no such key."""


PANELS: Mapping[str, Callable[[], PanelCodec]] = MappingProxyType(
    {"xk24": XK24, "xk16": XK16, "xk60": XK60, "xk80": XK80}
)


def panel_codec(model: str) -> PanelCodec:
    """A fresh codec for one panel of that model: ours first, then those of installed packages. Raises DriverFailed."""
    return made(factory_of("panel", PANELS, model))
