"""Events of the shoe and the panel, and of devices that come, go or send too much."""

from ...rules.cards import Card
from .said import Device, Key, Said


class CardOut(Said, frozen=True, tag="card"):
    """A card left the shoe. `card` is null where the reader could not read it."""

    card: Card | None
    place: str | None = None  # where the reader says it went
    position: int | None = None  # 1.. within the place, where the reader counts


class CutCardOut(Said, frozen=True, tag="cut"):
    """The cut card came out."""


class ShoeSays(Said, frozen=True, tag="result"):
    """The shoe's own result."""

    winner: str
    pairs: tuple[str, ...] | None = None  # null: it did not say


class ShoeFails(Said, frozen=True, tag="shoe_error"):
    """The shoe reports an error of its own."""

    code: int
    meaning: str


class TelegramsLost(Said, frozen=True, tag="gap"):
    """A gap in the shoe's own numbering: which number should have come, and which did."""

    expected: str
    got: str


class ShoeStandsBy(Said, frozen=True, tag="standby"):
    """The shoe is between rounds, or has just started."""


class KeyPressed(Said, frozen=True, tag="press"):
    """A key of the panel, by its meaning."""

    key: Key


class LostDevice(Said, frozen=True, tag="lost"):
    """A device is gone."""

    device: Device
    reason: str = ""


class FoundDevice(Said, frozen=True, tag="found"):
    """A device is there."""

    device: Device
    address: str = ""
    serial: str = ""  # its own number, where it has one


class Babbles(Said, frozen=True, tag="babble"):
    """Event: a device sends more than a working one and is cut off until a person takes it back."""

    device: Device
    heard: int  # telegrams
    seconds: int  # in which they came
