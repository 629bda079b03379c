"""Events of the shoe and the panel, and of devices that come, go or send too much."""

from ...rules.cards import Card
from .base import Device, EventBase, Key

OUTSIDE = "outside"  # place of a card that a shoe gave while it was locked, in an error or in its settings


class CardOut(EventBase, frozen=True, tag="card"):
    """A card left the shoe. `card` is null if the reader could not read it."""

    card: Card | None
    place: str | None = None  # place named by the reader
    position: int | None = None  # from 1 within the place, if the reader counts


class CutCardOut(EventBase, frozen=True, tag="cut"):
    """The cut card came out."""


class ShoeSays(EventBase, frozen=True, tag="result"):
    """The shoe's own result."""

    winner: str
    pairs: tuple[str, ...] | None = None  # null: not reported


class ShoeFails(EventBase, frozen=True, tag="shoe_error"):
    """The shoe reports an error of its own."""

    code: int
    meaning: str


class TelegramsLost(EventBase, frozen=True, tag="gap"):
    """A gap in the shoe's numbering of its messages: the expected and the received number."""

    expected: str
    got: str


class ShoeStandsBy(EventBase, frozen=True, tag="standby"):
    """The shoe is between rounds, or has just started."""


class KeyPressed(EventBase, frozen=True, tag="press"):
    """A key of the panel, by its meaning."""

    key: Key


class LostDevice(EventBase, frozen=True, tag="lost"):
    """The table has lost a device."""

    device: Device
    reason: str = ""


class FoundDevice(EventBase, frozen=True, tag="found"):
    """The table has found a device."""

    device: Device
    address: str = ""
    serial: str = ""  # serial number of the device, if it has one


class Babbles(EventBase, frozen=True, tag="babble"):
    """Event: a device sends more than a working device does, and is cut off until a person accepts it again."""

    device: Device
    heard: int  # number of messages received; without a time, of cards
    seconds: int  # time in which they were received; 0: no time is measured, as in a shoe change
