"""A strip of eight keys, each with a blue and a red lamp, and a tower of lights with a horn, both on USB.

The strip, 1209:7A11, reports all of its keys whenever one moves, and is told one lamp at a time:

    01 KEYS                  from it: its id, one bit for each key, 1 is down
    02 KEY COLOUR LIGHT      to it: colour 0 blue, 1 red; light 0 off, 1 on, 2 flashes

The tower, 1209:7A12, is told all of its lights at once and says nothing:

    03 RED YELLOW GREEN BLUE WHITE HORN      each light 0 off, 1 on, 2 flashes, 3 flashes fast; horn 0, 1 on and off, 2
"""

from collections.abc import Sequence

from drivers.beacons import Light as Tier
from drivers.beacons import Signal, Sound
from drivers.events import Garbage, PanelEvent, Pressed, Released
from drivers.panels import Colour, Light

STRIP, TOWER = (0x1209, 0x7A11), (0x1209, 0x7A12)
COLOURS, TIERS, SOUNDS = tuple(Colour), tuple(Tier), tuple(Sound)


class KeyStrip:
    """The codec of one strip: reports in, keys out. It does no I/O and keeps no clock: the table's link does."""

    kind = "panel"
    name = "key strip"
    report_bytes = 2
    keys = tuple(range(8))

    def __init__(self) -> None:
        self._down: int | None = None  # a bit for each key; None: not known, just connected

    def matches(self, vendor: int, product: int) -> bool:
        """Whether the USB ids are those of a strip."""
        return (vendor, product) == STRIP

    def refusal(self, product: int) -> str | None:  # noqa: ARG002 - a strip has one mode
        """It has no mode in which it could not serve."""
        return None

    def connected(self) -> list[bytes]:
        """Forget the keys: what is held while the strip is found is no press. Nothing has to be sent first."""
        self._down = None
        return []

    def feed(self, report: bytes) -> list[PanelEvent]:
        """What has changed since the report before, releases first; Garbage where it is no report of keys."""
        if len(report) != self.report_bytes or report[0] != 1:
            return [Garbage(report, f"expected 01 and a byte of keys, got {len(report)} bytes")]
        before, self._down = self._down, report[1]
        if before is None:
            return []
        released: list[PanelEvent] = [Released(key) for key in self.keys if (before & ~report[1]) >> key & 1]
        return released + [Pressed(key) for key in self.keys if (report[1] & ~before) >> key & 1]

    def backlight(self, key: int, light: Light, colour: Colour) -> bytes:
        """The report that sets one lamp of a key."""
        return self.checked(bytes([2, key if key in self.keys else 255, COLOURS.index(colour), light]))

    def checked(self, report: bytes) -> bytes:
        """The same report; ValueError where the strip must not be told it."""
        if len(report) != 4 or report[0] != 2 or report[1] not in self.keys or report[2] > 1 or report[3] > 2:
            raise ValueError(f"expected 02, a key from 0 to 7, a colour and a light, got {report.hex(' ')}")
        return report


class LightTower:
    """The codec of one tower: signals in, reports out."""

    kind = "beacon"
    name = "light tower"
    report_bytes = 8

    def matches(self, vendor: int, product: int) -> bool:
        """Whether the USB ids are those of a tower."""
        return (vendor, product) == TOWER

    def refusal(self, product: int) -> str | None:  # noqa: ARG002 - a tower has one mode
        """It has no mode in which it could not serve."""
        return None

    def connected(self) -> list[bytes]:
        """Nothing to ask: what it is to show is sent when it is found."""
        return []

    def feed(self, report: bytes) -> Sequence[Garbage]:
        """Return garbage: the tower sends no reports."""
        return [Garbage(report, "expected no report of a tower")]

    def show(self, signal: Signal) -> bytes:
        """The report after which the tower shows this, whatever it showed before."""
        tiers = (signal.red, signal.yellow, signal.green, signal.blue, signal.white)
        return bytes([3, *map(TIERS.index, tiers), SOUNDS.index(signal.sound)])

    def checked(self, report: bytes) -> bytes:
        """The same report; ValueError where the tower must not be told it."""
        if len(report) != 7 or report[0] != 3 or max(report[1:6]) > 3 or report[6] > 2:
            raise ValueError(f"expected 03, five lights and a horn, got {report.hex(' ')}")
        return report
