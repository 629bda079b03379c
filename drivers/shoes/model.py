"""Facts about each card shoe model that a table needs before one is plugged in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import asdict

from drivers.events import ShoeEvent
from drivers.models import create_codec, guard_codec
from drivers.usb_codec import UsbCodec

BAUD = 4800  # bits per second, for a model that names no rate


class ShoeCodec(Protocol):
    """Interface of a codec for a model of shoe."""

    def feed(self, data: bytes) -> list[ShoeEvent]:
        """Return the events that these bytes complete; the chunking does not matter.

        Never raises, whatever the bytes are.
        """

    def reset(self) -> None:
        """Called after each reconnect: drop a partly received message."""


@runtime_checkable
class SpeakingCodec(ShoeCodec, Protocol):
    """Interface of a codec that sends answers by itself."""

    def data_to_send(self) -> bytes:
        """Take the bytes to send after a `feed`, often none; a second call returns none."""


class ShoeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Keys of `[shoe.settings]` in a config, each with its default; this base class has none."""


@dataclass(frozen=True, slots=True)
class ShoeModel:
    """Model of a shoe: the factory of its codec, and the facts that a table needs."""

    makes: Callable[..., ShoeCodec]  # called with the settings by name, and with `allow` where there are commands
    baud: int = BAUD  # bits per second, if the table's config sets none
    places: tuple[str, ...] = ()  # places that it names by itself; then it also reports the result
    commands: tuple[str, ...] = ()  # commands that a table may allow
    settings: type[ShoeSettings] = ShoeSettings
    keyboard: bool = False  # it types: its port is a keyboard's node, and not a serial line

    def codec(self, settings: ShoeSettings | None = None, allow: frozenset[str] = frozenset()) -> ShoeCodec:
        """Make a codec. Raises DriverFailed."""
        with guard_codec(self.makes):
            words: dict[str, object] = asdict(settings or self.settings())
        if self.commands:
            words["allow"] = allow
        return create_codec(self.makes, **words)


@dataclass(frozen=True, slots=True)
class UsbShoeModel:
    """Model of a shoe on USB: it has no port, and takes no commands."""

    makes: Callable[..., UsbCodec]  # called with the settings by name
    settings: type[ShoeSettings] = ShoeSettings
    baud: int = BAUD
    places: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    def codec(self, settings: ShoeSettings | None = None) -> UsbCodec:
        """Make a codec. Raises DriverFailed."""
        with guard_codec(self.makes):
            words: dict[str, object] = asdict(settings or self.settings())
        return create_codec(self.makes, **words)
