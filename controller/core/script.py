"""Entries of a round's script: all that has answered its procedure so far."""

from msgspec import Struct


class Laid(Struct, frozen=True, tag="laid"):
    """A draw was laid on its place."""

    draw: int


class WindowAnswers(Struct, frozen=True, tag="answered"):
    """The answers of a decision window."""

    decisions: dict[str, str]


class PlaceShown(Struct, frozen=True, tag="shown"):
    """A place was turned over."""

    place: str


class WindowClosed(Struct, frozen=True, tag="shut"):
    """A further betting window was closed."""

    window: int


Entry = Laid | WindowAnswers | PlaceShown | WindowClosed
