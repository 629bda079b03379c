"""Patlite LR6-USB signal tower: up to five tiers and a buzzer, USB vendor id 191A, product id 8003.

Each command sets the whole tower, so it shows the last command that it received, whatever was lost before.

How sure each fact is: [V] the vendor's published sample programs; [2] the vendor and an independent open implementation
agree; [?] not published, chosen here. Never tried on a real LR6-USB. Bytes count from 0 as libusb sends them.

HID class, interface 0, commands to the interrupt endpoint 01 [2]. The vendor's samples reset the USB device after each
command; that is not needed here and not done. No reports of the tower are published: none is expected.

Command, 8 bytes [V]; H and L are the high and the low nibble:

    0    00, version of the command
    1    00, the command
    2    H: repetitions of the buzzer, 0 endless; L: buzzer
    3    H: tone A, L: tone B; 0 none, 1 to D the notes A6 to A7, E default of tone A (D7), F default of tone B (none)
    4    H: red, L: yellow
    5    H: green, L: blue
    6    H: white, L: 0
    7    00

Buzzer: 0 off, 1 on without a pause, 2 to 5 its patterns 1 to 4, F unchanged. Light: 0 off, 1 on, 2 to 5 its patterns
1 to 4, 6 to F unchanged [V]. Which pattern has which rhythm is [?]: here pattern 1 is FLASH and the call, and pattern 2
is FAST.

The tower has no keep-alive [2]: after the program is killed it shows the last command until the next one comes.
"""

from dataclasses import dataclass
from typing import Self

from drivers.beacons.signals import Light, Signal, Sound
from drivers.events import Garbage

VENDOR, PRODUCT = 0x191A, 0x8003
ENDPOINT_OUT = 0x01
COMMAND_BYTES = INPUT_BYTES = 8
PATTERN_1, PATTERN_2 = 2, 3
LAST_PATTERN = 5  # a higher number leaves a light unchanged
DEFAULT_TONES = 0xE, 0xF
LIGHTS = {Light.OFF: 0, Light.ON: 1, Light.FLASH: PATTERN_1, Light.FAST: PATTERN_2}
BUZZER = {Sound.OFF: 0, Sound.URGENT: 1, Sound.CALL: PATTERN_1}


class UnsafeCommand(ValueError):
    """Bytes that must not reach a tower."""


@dataclass(frozen=True, slots=True)
class Command:
    """The nibbles of one command."""

    tiers: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)  # red, yellow, green, blue, white
    buzzer: int = 0
    times: int = 0
    tones: tuple[int, int] = (0, 0)

    @classmethod
    def parse(cls, report: bytes) -> Self:
        """Read a command from 8 bytes. Raises UnsafeCommand if they are not one."""
        if len(report) != COMMAND_BYTES:
            raise UnsafeCommand(f"expected a command of {COMMAND_BYTES} bytes, got {len(report)}")
        _, _, _, _, times, buzzer, tone_a, tone_b, red, yellow, green, blue, white, *_ = _nibbles(report)
        command = cls((red, yellow, green, blue, white), buzzer, times, (tone_a, tone_b))
        if command.build() != report:
            raise UnsafeCommand(f"expected a command 00 00 with zeros at its end, got {report.hex(' ')}")
        return command

    def build(self) -> bytes:
        """Build the 8 bytes of the command."""
        nibbles = (0, 0, 0, 0, self.times, self.buzzer, *self.tones, *self.tiers, 0, 0, 0)
        return bytes(high << 4 | low for high, low in zip(nibbles[::2], nibbles[1::2], strict=True))


def _nibbles(report: bytes) -> list[int]:
    return [nibble for byte in report for nibble in (byte >> 4, byte & 0xF)]


def show(signal: Signal) -> bytes:
    """Build the command that makes the tower show this signal."""
    tiers = (signal.red, signal.yellow, signal.green, signal.blue, signal.white)
    red, yellow, green, blue, white = (LIGHTS[tier] for tier in tiers)
    tones = DEFAULT_TONES if signal.sound is not Sound.OFF else (0, 0)
    return Command((red, yellow, green, blue, white), BUZZER[signal.sound], tones=tones).build()


def checked(report: bytes) -> bytes:
    """Return the command unchanged. Raises UnsafeCommand if this program never sends such a command.

    Also refused: a command that leaves a part of the tower unchanged.
    """
    command = Command.parse(report)
    if max(*command.tiers, command.buzzer) > LAST_PATTERN:
        raise UnsafeCommand(f"expected a command that sets the whole tower, got {report.hex(' ')}")
    return report


class LR6USB:
    """Codec of one LR6-USB tower."""

    kind = "beacon"
    name = "LR6-USB"
    report_bytes = INPUT_BYTES
    show = staticmethod(show)
    checked = staticmethod(checked)

    def matches(self, vendor: int, product: int) -> bool:
        """True if the USB ids are those of an LR6-USB."""
        return (vendor, product) == (VENDOR, PRODUCT)

    def refusal(self, product: int) -> str | None:  # noqa: ARG002 - other models have modes in which they cannot serve
        """Return None: no mode keeps the tower from serving."""
        return None

    def connected(self) -> list[bytes]:
        """Return no reports: the signal is sent when the tower is found."""
        return []

    def feed(self, report: bytes) -> list[Garbage]:
        """Return garbage: the tower is not known to send reports."""
        return [Garbage(report, "expected no report, an LR6-USB is not known to send any")]
