"""Events of devices for the table: one frozen dataclass per kind, the same for every model.

An event says what the device said, nothing more. Whose turn it is, whether a card is right, what a key
means: that is the controller's business.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CardRead:
    """A card left the shoe and was read."""

    card: str  # rank then suit: "AS", "TD", "9H", "KC"; "JOKER"
    place: str | None = None  # "player", "banker", ... where the shoe knows it; None from a plain reader
    position: int | None = None  # 1.. within the place, where the shoe counts
    in_game: bool = True  # False: drawn while locked, in error mode or in settings
    raw: bytes = b""  # the frame, for the audit log


@dataclass(frozen=True, slots=True)
class CardUnreadable:
    """A card left the shoe and could not be read."""

    raw: bytes = b""
    place: str | None = None  # as of CardRead, where the shoe names the place of a card that it cannot name
    position: int | None = None
    in_game: bool = True
    error_mode: bool = True  # the shoe, where it has errors, refuses to go on until error 1 is cancelled


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
    """The shoe's own idea of how the round ended."""

    winner: str  # "player", "banker", "tie", "forced_quit"
    pairs: tuple[str, ...] = ()  # of "player", "banker"
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class ShoeError:
    """The shoe reports an error of its own."""

    code: int
    meaning: str
    error_mode: bool = False  # the shoe refuses to go on until the error is cancelled
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class ShoeErrorCleared:
    """An error of the shoe was cancelled."""

    code: int
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class ShoeWarning:
    """The shoe warns of something and goes on; for the log."""

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
    """A gap in the device's sequence numbers: something it said was not heard."""

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
    at_ms: int | None = None  # the panel's own clock, where it has one


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

    code: str = field(repr=False)  # what opens the table: it is in no log and no record


@dataclass(frozen=True, slots=True)
class DeviceUnusable:
    """Device that is there but cannot serve.

    For one, a panel was switched to a mode that never reports keys.
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
    """The device is there (again)."""

    address: str
    serial: str | None = None  # its own number, where it has one; on USB the address is another each time


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
