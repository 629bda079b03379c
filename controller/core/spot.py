"""Spot of a bet: its market and, in a seated game, the seat.

Only this module parses the text. Records, the API and scripts have a spot as text, the state and all decisions as a
struct.
"""

from typing import Self

from msgspec import Struct


class Spot(Struct, frozen=True, gc=False):
    """A market, and in a seated game the seat that it is for; as text `banker`, `seat2 main`."""

    market: str
    seat: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the text of a spot: the last word is the market, the words before it the seat."""
        seat, space, market = text.rpartition(" ")
        return cls(market, seat if space else None)

    def __str__(self) -> str:
        return self.market if self.seat is None else f"{self.seat} {self.market}"
