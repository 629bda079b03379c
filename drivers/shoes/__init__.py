"""Codecs of card shoes, one module per model; the wire format stands in the module's docstring.

A codec is pure. Bytes go in, events come out; it opens nothing, waits for nothing, knows no clock.

A package adds a model by an entry point in the group `tablectl.shoes`: name = model, value = a ShoeModel, or the
factory of its codec if there are no further facts.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from drivers.models import factory_of
from drivers.shoes.angel_eye import ANGEL_EYE
from drivers.shoes.barcode import BARCODE
from drivers.shoes.bee_tek import BEE_TEK
from drivers.shoes.hid_pos import HID_POS
from drivers.shoes.model import ShoeCodec, ShoeModel, ShoeSettings, SpeakingCodec, UsbShoeModel
from drivers.shoes.wedge import WEDGE

__all__ = ["SHOES", "ShoeCodec", "ShoeModel", "ShoeSettings", "SpeakingCodec", "UsbShoeModel", "shoe_model"]

UNKNOWN = "expected a shoe model out of {known}, got {model!r}: correct it, or install its driver"

Loaded = ShoeModel | UsbShoeModel | Callable[..., ShoeCodec]

SHOES: Final[Mapping[str, Loaded]] = MappingProxyType(
    {"angel_eye": ANGEL_EYE, "barcode": BARCODE, "bee_tek": BEE_TEK, "hid_pos": HID_POS, "wedge": WEDGE}
)


def shoe_model(name: str) -> ShoeModel | UsbShoeModel:
    """The model of this name, built in or from an installed package. Raises UnknownModel, DriverFailed."""
    loaded = factory_of("shoe", SHOES, name, UNKNOWN)
    return loaded if isinstance(loaded, ShoeModel | UsbShoeModel) else ShoeModel(loaded)
