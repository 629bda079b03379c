"""Codecs of card shoes, one module per model; the wire format stands in the module's docstring.

The one rule: a codec is pure. Bytes go in, events come out; it opens nothing, waits for nothing, knows no clock.

A package of one's own can add a model: an entry point in the group `tablectl.shoes`, named as the model, that loads
to whatever makes the codec. What makes it may say by an attribute `baud` how fast its model talks, and by `places`
which places it names.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable

from drivers.events import ShoeEvent
from drivers.models import asking, factory_of
from drivers.shoes.angel_eye import AngelEye
from drivers.shoes.bee_tek import BeeTek

BAUD = 4800  # of a model that does not say: what all models were opened with before they could
UNKNOWN = "expected a shoe model out of {known}, got {model!r}: correct it, or install its driver"


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


SHOES: Final[Mapping[str, Callable[..., ShoeCodec]]] = MappingProxyType({"angel_eye": AngelEye, "bee_tek": BeeTek})


def shoe_codec(model: str) -> Callable[..., ShoeCodec]:
    """What makes the codec of a model, built in or from an installed package. Raises UnknownModel, DriverFailed."""
    return factory_of("shoe", SHOES, model, UNKNOWN)


def baud_of(model: str) -> int:
    """Bits per second at which a model talks where a table does not say otherwise. Raises as `shoe_codec` does."""
    factory = shoe_codec(model)
    with asking(factory):
        return int(getattr(factory, "baud", BAUD))
