"""Codecs of button panels: reports in, key events out; lights or pictures in, reports out.

A codec does no I/O. `drivers.usb_link` moves the bytes, whatever the model. A package of another vendor
adds a model through the entry point group `tablectl.panels`: name = model, value = a factory without arguments.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from drivers.models import DriverFailed, create_codec, factory_of, guard_codec
from drivers.panels.lights import Colour, Light
from drivers.panels.pictures import Form, Pictured
from drivers.panels.stream_deck import StreamDeck, StreamDeckMini, StreamDeckNeo, StreamDeckPlus, StreamDeckXL
from drivers.panels.xkeys import XK16, XK24, XK60, XK80
from drivers.usb_codec import UsbCodec

__all__ = ["PANELS", "Colour", "Form", "Light", "Lit", "PanelCodec", "Pictured", "lit", "panel_codec", "screens_of"]


class PanelCodec(UsbCodec, Protocol):
    """Interface of every panel's codec, beside that of `UsbLink`. Its keys are `Lit` or `Pictured`."""

    @property
    def keys(self) -> tuple[int, ...]:
        """The numbers of all keys, in ascending order."""


@runtime_checkable
class Lit(Protocol):
    """Interface of a codec for a panel with lamps in its keys."""

    @property
    def keys(self) -> tuple[int, ...]:
        """The numbers of all keys, in ascending order."""

    def backlight(self, key: int, light: Light, colour: Colour) -> bytes:
        """Build the report that sets one lamp of one key. Raises ValueError if the panel has no such key."""


PANELS: Mapping[str, Callable[[], PanelCodec]] = MappingProxyType(
    {
        "xk24": XK24,
        "xk16": XK16,
        "xk60": XK60,
        "xk80": XK80,
        "stream_deck": StreamDeck,
        "stream_deck_xl": StreamDeckXL,
        "stream_deck_mini": StreamDeckMini,
        "stream_deck_neo": StreamDeckNeo,
        "stream_deck_plus": StreamDeckPlus,
    }
)


def panel_codec(model: str) -> PanelCodec:
    """Make a codec for one panel of that model. Raises DriverFailed.

    Our own models are searched first, then those of installed packages.
    """
    return create_codec(factory_of("panel", PANELS, model))


def screens_of(codec: PanelCodec) -> Pictured | None:
    """Return the codec if its keys are screens, else None. Raises DriverFailed."""
    with guard_codec(codec):
        return codec if isinstance(codec, Pictured) else None


def lit(codec: PanelCodec) -> Lit:
    """Return the codec if its keys have lamps. Raises DriverFailed if not."""
    with guard_codec(codec):
        lit_codec = codec if isinstance(codec, Lit) else None
    if lit_codec is None:
        raise DriverFailed(type(codec).__qualname__, "its keys have neither lamps nor pictures")
    return lit_codec
