"""What a table knows of a model of card shoe before one is plugged in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import asdict

from drivers.events import ShoeEvent
from drivers.models import asking, made
from drivers.usb_codec import UsbCodec

BAUD = 4800  # of a model that does not say


class ShoeCodec(Protocol):
    """What a link needs of a model."""

    def feed(self, data: bytes) -> list[ShoeEvent]:
        """The events that these bytes complete; any chunking gives the same events. Never raises for what it is fed."""

    def reset(self) -> None:
        """Called after each reconnect: forget what was half received."""


@runtime_checkable
class SpeakingCodec(ShoeCodec, Protocol):
    """A codec that may have to answer by itself."""

    def data_to_send(self) -> bytes:
        """Bytes to send after a `feed`, often none; they are given once."""


class ShoeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of `[shoe.settings]` in a config, each with its default; those of a model that has none."""


@dataclass(frozen=True, slots=True)
class ShoeModel:
    """A model: what makes its codec, and what else a table asks of it."""

    makes: Callable[..., ShoeCodec]  # called with the settings by name, and with `allow` where there are commands
    baud: int = BAUD  # bits per second at which it talks, where a table does not say otherwise
    places: tuple[str, ...] = ()  # that it names by itself; then it also tells the result
    commands: tuple[str, ...] = ()  # that a table may allow
    settings: type[ShoeSettings] = ShoeSettings
    keyboard: bool = False  # it types: its port is a keyboard's node, and not a serial line

    def codec(self, settings: ShoeSettings | None = None, allow: frozenset[str] = frozenset()) -> ShoeCodec:
        """A fresh codec. Raises DriverFailed."""
        with asking(self.makes):
            words: dict[str, object] = asdict(settings or self.settings())
        if self.commands:
            words["allow"] = allow
        return made(self.makes, **words)


@dataclass(frozen=True, slots=True)
class UsbShoeModel:
    """A model that is found on USB: it has no port, and takes no commands."""

    makes: Callable[..., UsbCodec]  # called with the settings by name
    settings: type[ShoeSettings] = ShoeSettings
    baud: int = BAUD
    places: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    def codec(self, settings: ShoeSettings | None = None) -> UsbCodec:
        """A fresh codec. Raises DriverFailed."""
        with asking(self.makes):
            words: dict[str, object] = asdict(settings or self.settings())
        return made(self.makes, **words)
