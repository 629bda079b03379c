"""Events of devices for the table: one frozen dataclass per kind, the same for every model.

An event contains what the device reported, nothing more. The controller decides whose turn it is, whether a card is
right and what a key means.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CardRead:
    """A card left the shoe and was read."""

    card: str  # rank, then suit: "AS", "TD", "9H", "KC"; or "JOKER"
    place: str | None = None  # "player", "banker", ... if the shoe knows it; None from a plain reader
    position: int | None = None  # from 1 within the place, if the shoe counts
    in_game: bool = True  # False: drawn while locked, in error mode or in settings
    raw: bytes = b""  # the frame, for the audit log


@dataclass(frozen=True, slots=True)
class CardUnreadable:
    """A card left the shoe and could not be read."""

    raw: bytes = b""
    place: str | None = None  # as in CardRead, if the shoe names the place of an unreadable card
    position: int | None = None
    in_game: bool = True
    error_mode: bool = True  # True: a shoe with errors deals no further until error 1 is cancelled


@dataclass(frozen=True, slots=True)
class CutCard:
    """The cut card came out."""

    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class ShoeStarted:
    """The shoe booted, was reset, or had its cards changed: it remembers no round."""

    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class StandBy:
    """The shoe waits between rounds."""

    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class ShoeResult:
    """The shoe's own result of the round."""

    winner: str  # "player", "banker", "tie", "forced_quit"
    pairs: tuple[str, ...] = ()  # places with a pair: "player", "banker"
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class ShoeError:
    """The shoe reports an error of its own."""

    code: int
    meaning: str
    error_mode: bool = False  # True: the shoe deals no further until the error is cancelled
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class ShoeErrorCleared:
    """An error of the shoe was cancelled."""

    code: int
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class ShoeWarning:
    """A warning of the shoe, which deals on; for the log."""

    code: int
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class LockChanged:
    """The shoe's outlet was locked or unlocked by its physical key."""

    locked: bool
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class PresetChanged:
    """A setting of the shoe was changed at the shoe."""

    address: str
    value: str
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class TelegramLost:
    """A gap in the device's sequence numbers: at least one message was not received."""

    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class CommandAccepted:
    """The device took the last command."""


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """The device did not take the last command."""

    code: int
    meaning: str


@dataclass(frozen=True, slots=True)
class Garbage:
    """Bytes that are no frame of this device, dropped; for the log and the misread statistics."""

    raw: bytes
    reason: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key of the panel went down."""

    key: int
    at_ms: int | None = None  # time by the panel's own clock in milliseconds, if it has one


@dataclass(frozen=True, slots=True)
class Released:
    """A key of the panel went up."""

    key: int
    at_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Touched:
    """Touch of a beacon's sensor by somebody."""


@dataclass(frozen=True, slots=True)
class BadgeRead:
    """A badge was held to its reader."""

    code: str = field(repr=False)  # a credential: it is in no log and no record


@dataclass(frozen=True, slots=True)
class DeviceUnusable:
    """Device that is present but cannot serve.

    Example: a panel in a mode in which it never reports keys.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Missing:
    """No such device is plugged in when a device that was cut off is looked for again."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The device is gone: unplugged, switched off, or the line broke."""

    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """The device is present, for the first time or again."""

    address: str
    serial: str | None = None  # serial number of the device, if it has one


@dataclass(frozen=True, slots=True)
class Version:
    """Firmware version of the device that was just found, for the log."""

    firmware: str


ShoeEvent = (
    CardRead | CardUnreadable | CutCard | ShoeStarted | StandBy | ShoeResult | ShoeError | ShoeErrorCleared
    | ShoeWarning | LockChanged | PresetChanged | TelegramLost | CommandAccepted | CommandRefused | Garbage
)  # fmt: skip
PanelEvent = Pressed | Released | Garbage
BeaconEvent = Touched | Garbage
BadgeEvent = BadgeRead | Garbage
LinkEvent = Lost | Found | Missing | DeviceUnusable | Version
DeviceEvent = ShoeEvent | PanelEvent | BeaconEvent | BadgeEvent | LinkEvent
