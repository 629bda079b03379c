"""Interface of panels with small screens as keys, and the picture format of each."""

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Form:
    """Format of a picture: an upright picture is turned, then mirrored, then encoded."""

    pixels: int  # of each side
    format: Literal["JPEG", "BMP"]  # a BMP has 24 bits a pixel, the lowest line first
    turned: int = 0  # degrees against the clock
    left_right: bool = False
    upside_down: bool = False


@runtime_checkable
class Pictured(Protocol):
    """Interface of a codec for a panel with screens as keys."""

    @property
    def keys(self) -> tuple[int, ...]:
        """The numbers of all keys, in ascending order."""

    @property
    def form(self) -> Form:
        """Picture format that the panel expects."""

    def picture(self, key: int, data: bytes) -> list[bytes]:
        """Reports that show a picture on a key; raises ValueError if there is no such key."""
