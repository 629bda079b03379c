"""Patlite NE-USB: one light in one colour at a time, a buzzer, a touch sensor.

USB vendor id 191A, product id 6001.

Each command sets the whole light and the buzzer, so the beacon shows the last command that it received, whatever was
lost before. It lights in the colour of the most urgent tier. A steady red beside a flashing tier is shown in purple,
which no tier has, and flashes like that tier.

The models ST and WT have a touch sensor. It reports nothing by itself: the program asks it every `EVERY_S` seconds, and
only if a touch has a meaning at the table (`with_touch`). A touch counts if the sensor was free before; a sensor that
is touched when the beacon is found does not count.

How sure each fact is: [V] the vendor's published sample programs; [2] the vendor and an independent open implementation
agree; [?] not published, chosen here. Never tried on a real NE-USB. Bytes count from 0 as libusb sends them.

HID class, interface 0, commands to the interrupt endpoint 01, answers from 81 [V]. The vendor's samples reset the USB
device after each command; that is not needed here and not done.

Command, 8 bytes [2]; H and L are the high and the low nibble:

    0    00, version of the command
    1    the command: 00 control, 01 setting, 80 state
    2    control: H: repetitions of the buzzer, 0 endless, 1 to E, F unchanged; L: buzzer
    3    control: volume, 0 to A, more: unchanged
    4    control: H: colour, L: pattern
    5-7  00

Buzzer: 0 off, 1 on without a pause, 2 sweep, 3 on and off, 4 weak and 5 strong attention, 6 and 7 melodies, more:
unchanged. Colour: 0 off, 1 red, 2 green, 3 yellow, 4 blue, 5 purple, 6 sky blue, 7 white, more: unchanged. Pattern: 0
off, 1 on, 2 to 7 its patterns 1 to 6, more: unchanged [V]. Which pattern has which rhythm is [?]: here pattern 1 is
FLASH and pattern 2 is FAST. The volume is the loudest [?].

Answer to 80, 2 bytes [V]: bit 0 of byte 1 is the touch sensor; the rest is not published and not read. A model without
a sensor is expected to answer that it is free [?].

The beacon has no keep-alive [2]: after the program is killed it shows the last command until the next one comes. The
setting 01, whether it shows by itself that it is connected, is never sent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from drivers.beacons.signals import Light, Signal, Sound
from drivers.events import Garbage, Touched

VENDOR, PRODUCT = 0x191A, 0x6001
ENDPOINT_OUT = 0x01
COMMAND_BYTES, INPUT_BYTES = 8, 2
CONTROL, STATE = 0x00, 0x80
EVERY_S = 0.25
LOUD = 0xA
LAST_BUZZER = LAST_COLOUR = LAST_PATTERN = 7  # a higher number leaves it unchanged
KEEP_TIMES = 0xF  # number of repetitions that leaves it unchanged
OFF, RED, GREEN, YELLOW, BLUE, PURPLE, SKY, WHITE = range(8)
PATTERNS = {Light.OFF: 0, Light.ON: 1, Light.FLASH: 2, Light.FAST: 3}
BUZZER = {Sound.OFF: 0, Sound.URGENT: 1, Sound.CALL: 3}
ASK = bytes([0, STATE]).ljust(COMMAND_BYTES, b"\0")


class UnsafeCommand(ValueError):
    """Bytes that must not reach a beacon."""


@dataclass(frozen=True, slots=True)
class Command:
    """Fields of one control command."""

    colour: int = OFF
    pattern: int = 0
    buzzer: int = 0
    times: int = 0
    volume: int = LOUD

    @classmethod
    def parse(cls, report: bytes) -> Self:
        """Read a command from 8 bytes. Raises UnsafeCommand if they are not one."""
        if len(report) != COMMAND_BYTES:
            raise UnsafeCommand(f"expected a command of {COMMAND_BYTES} bytes, got {len(report)}")
        _, _, sound, volume, light, *_ = report
        command = cls(light >> 4, light & 0xF, sound & 0xF, sound >> 4, volume)
        if command.build() != report:
            raise UnsafeCommand(f"expected a command 00 00 with zeros at its end, got {report.hex(' ')}")
        return command

    def build(self) -> bytes:
        """Build the 8 bytes of the command."""
        values = (0, CONTROL, self.times << 4 | self.buzzer, self.volume, self.colour << 4 | self.pattern)
        return bytes(values).ljust(COMMAND_BYTES, b"\0")


def show(signal: Signal) -> bytes:
    """Build the command that makes the beacon show this signal."""
    colour, light = _light(signal)
    return Command(colour, PATTERNS[light], BUZZER[signal.sound]).build()


def _light(signal: Signal) -> tuple[int, Light]:
    tiers = (signal.red, signal.yellow, signal.green, signal.blue, signal.white)
    if signal.red is Light.ON:
        flashing = [tier for tier in tiers if tier in (Light.FLASH, Light.FAST)]
        return (PURPLE, flashing[0]) if flashing else (RED, Light.ON)
    lit = ((colour, tier) for colour, tier in zip((RED, YELLOW, GREEN, BLUE, WHITE), tiers, strict=True))
    return next(((colour, tier) for colour, tier in lit if tier is not Light.OFF), (OFF, Light.OFF))


def checked(report: bytes) -> bytes:
    """Return the report unchanged. Raises UnsafeCommand if this program never sends such a report.

    Also refused: a report that leaves any part of light or buzzer unchanged.
    """
    if report == ASK:
        return report
    command = Command.parse(report)
    keeps = max(command.colour, command.pattern, command.buzzer) > LAST_PATTERN or command.times == KEEP_TIMES
    if keeps or command.volume > LOUD:
        raise UnsafeCommand(f"expected a command that sets the whole beacon, got {report.hex(' ')}")
    return report


class NEUSB:
    """Codec of one beacon; remembers whether it is touched, but does not ask."""

    kind = "beacon"
    name = "NE-USB"
    report_bytes = INPUT_BYTES
    show = staticmethod(show)
    checked = staticmethod(checked)

    def __init__(self) -> None:
        self._touched: bool | None = None  # not known, just connected

    def matches(self, vendor: int, product: int) -> bool:
        """True if the USB ids are those of an NE-USB."""
        return (vendor, product) == (VENDOR, PRODUCT)

    def refusal(self, product: int) -> str | None:  # noqa: ARG002 - other models have modes in which they cannot serve
        """Return None: no mode keeps the beacon from serving."""
        return None

    def with_touch(self) -> "AskingNEUSB":
        """Return a new codec that also asks for the touch sensor."""
        return AskingNEUSB()

    def connected(self) -> list[bytes]:
        """Forget the sensor's state after a connect; nothing to send."""
        self._touched = None
        return []

    def feed(self, report: bytes) -> Sequence[Touched | Garbage]:
        """Return Touched if the sensor was free before, Garbage if the report cannot be read."""
        if len(report) != INPUT_BYTES:
            return [Garbage(report, f"expected an answer of {INPUT_BYTES} bytes, got {len(report)}")]
        before, self._touched = self._touched, bool(report[1] & 1)
        return [Touched()] if self._touched and before is False else []


class AskingNEUSB(NEUSB):
    """Codec of an NE-USB that asks for its sensor again and again."""

    every_s = EVERY_S

    def connected(self) -> list[bytes]:
        """Forget the sensor and ask for it."""
        return [*super().connected(), ASK]

    def recurring(self) -> bytes:
        """Report that asks for the touch sensor."""
        return ASK
