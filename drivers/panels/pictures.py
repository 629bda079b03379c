"""What a panel has whose keys are small screens, and the form in which each wants its picture."""

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Form:
    """Of a picture, which is upright before: turned first, then mirrored, then written in the format."""

    pixels: int  # of each side
    format: Literal["JPEG", "BMP"]  # a BMP has 24 bits a pixel, the lowest line first
    turned: int = 0  # degrees against the clock
    left_right: bool = False
    upside_down: bool = False


@runtime_checkable
class Pictured(Protocol):
    """What the codec of such a panel has."""

    @property
    def keys(self) -> tuple[int, ...]:
        """The numbers of all keys, in ascending order."""

    @property
    def form(self) -> Form:
        """How it wants them."""

    def picture(self, key: int, data: bytes) -> list[bytes]:
        """The reports that show it on a key; raises ValueError where the panel has no such key."""
