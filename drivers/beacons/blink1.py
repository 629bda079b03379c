"""ThingM blink(1) mk2 and mk3: a lamp of one colour, no sound, and a dead man's switch.

USB vendor id 27B8, product id 01ED. The lamp itself signals that the program has stopped: if the command `alive` was
sent and is not repeated within `SILENCE_S`, it alternates red and blue. The event loop that handles the table's events
sends `alive`, so the lamp signals a killed program, a blocked loop and a stopped PC alike (if its socket keeps its
power). Afterwards the lamp does not restore its light by itself: the program sends it again.

It shows one colour at a time. A red or yellow tier that flashes pulses; while a tower would sound its buzzer, red
pulses alternate red and white. A steady red beside a flashing yellow alternates yellow and red. Everything else is a
steady light in the colour of the most urgent tier, also a flashing green, blue or white.

How sure each fact is: [V] the maker's published documents and firmware (of the mk2); [?] not published, chosen here.
Never tried on a real blink(1). Bytes count from 0 as libusb sends them, the report id first.

HID class, interface 0. Each command is a feature report of 8 bytes with the id 1 [V]; unused bytes are 0:

    c red green blue th tl led     fade to a colour; th tl: in so many hundredths of a second; led 0: all
    P red green blue th tl line    write a line of the pattern, in memory only; its time is that of its fade
    p on first last times          play the lines from first to last; times 0: endlessly
    l led                          the led that lines are written for, 0: all
    D on th tl stay first last     dead man: play these lines unless this comes again within th tl hundredths of a
                                   second; stay 0: all off at once, whatever is played

A `c` and a `D` with stay 0 end what is played [V]. There are 12 lines (mk1), 16 or 32 (by the version of the mk2) [V];
16 are used. A mk1 has the same product id and fewer lines [V]: some of its pulses would be wrong. `W` writes the lines
to flash memory, which wears out [V]; it is never sent. The rhythms are [?].

The lamp sends nothing by itself; the program only keeps a transfer open on the interrupt endpoint that HID requires.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from drivers.beacons.signals import Light, Signal, Sound
from drivers.events import Garbage

VENDOR, PRODUCT = 0x27B8, 0x01ED
REPORT_ID = 1
COMMAND_BYTES = INPUT_BYTES = 8
COMMANDS = b"cPplD"
EVERY_S = 1.0  # seconds between two commands `alive`: four may be late
SILENCE_S = 5.0  # seconds without `alive` after which the lamp signals by itself
LINES = 16  # lines of the pattern that are used


class Colour(Enum):
    """Red, green and blue, 0 to 255."""

    BLACK = bytes((0, 0, 0))
    RED = bytes((255, 0, 0))
    YELLOW = bytes((255, 160, 0))
    GREEN = bytes((0, 255, 0))
    BLUE = bytes((0, 0, 255))
    WHITE = bytes((255, 255, 255))


@dataclass(frozen=True, slots=True)
class Pulse:
    """Two colours in turn, each fading in for the same number of hundredths of a second."""

    one: Colour
    other: Colour
    hundredths: int


PACE = {Light.FLASH: 50, Light.FAST: 15}
DEAD = Pulse(Colour.RED, Colour.BLUE, 30)
HALTED = Pulse(Colour.YELLOW, Colour.RED, PACE[Light.FAST])
# Two lines each, in this order.
PULSES = (
    DEAD,
    HALTED,
    *(Pulse(Colour.YELLOW, Colour.BLACK, pace) for pace in PACE.values()),
    *(Pulse(Colour.RED, other, pace) for other in (Colour.BLACK, Colour.WHITE) for pace in PACE.values()),
)


class UnsafeCommand(ValueError):
    """Bytes that must not reach a lamp."""


def show(signal: Signal) -> bytes:
    """Build the command that makes the lamp show this signal.

    Dark also stops the lamp's own alarm timer, until the next `alive`.
    """
    if (pulse := _pulse(signal)) is not None:
        return _command("p", 1, *_lines(pulse), 0)
    tiers = (signal.red, signal.yellow, signal.green, signal.blue, signal.white)
    colours = (Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE, Colour.WHITE)
    lit = [colour for tier, colour in zip(tiers, colours, strict=True) if tier is not Light.OFF]
    return _command("c", *lit[0].value) if lit else _command("D")


def alive() -> bytes:
    """Build the report that restarts the lamp's own alarm timer; it does not change the light."""
    return _command("D", 1, *_time(round(SILENCE_S * 100)), 1, *_lines(DEAD))


def _pulse(signal: Signal) -> Pulse | None:
    if signal.red in PACE:
        other = Colour.BLACK if signal.sound is Sound.OFF else Colour.WHITE
        return Pulse(Colour.RED, other, PACE[signal.red])
    if signal.yellow not in PACE:
        return None
    return HALTED if signal.red is Light.ON else Pulse(Colour.YELLOW, Colour.BLACK, PACE[signal.yellow])


def _pulse_commands() -> list[bytes]:
    """Build the commands that write all pulses to the pattern."""
    halves = [(colour, pulse.hundredths) for pulse in PULSES for colour in (pulse.one, pulse.other)]
    return [_command("P", *colour.value, *_time(time), line) for line, (colour, time) in enumerate(halves)]


def _lines(pulse: Pulse) -> tuple[int, int]:
    first = 2 * PULSES.index(pulse)
    return first, first + 1


def _time(hundredths: int) -> bytes:
    return hundredths.to_bytes(2, "big")


def _command(letter: str, *values: int) -> bytes:
    return bytes([REPORT_ID, ord(letter), *values]).ljust(COMMAND_BYTES, b"\0")


def checked(report: bytes) -> bytes:
    """Return the command unchanged. Raises UnsafeCommand if this program never sends such a command.

    Above all if it would wear the flash out.
    """
    if len(report) != COMMAND_BYTES or report[0] != REPORT_ID or report[1] not in COMMANDS:
        raise UnsafeCommand(
            f"expected a command of {COMMAND_BYTES} bytes, 01 and one of {', '.join(map(chr, COMMANDS))}, "
            f"got {report.hex(' ')}"
        )
    return report


class Blink1:
    """Codec of one blink(1) lamp."""

    kind = "beacon"
    name = "blink(1)"
    report_bytes = INPUT_BYTES
    every_s, silence_s = EVERY_S, SILENCE_S
    show = staticmethod(show)
    recurring = staticmethod(alive)
    checked = staticmethod(checked)

    def matches(self, vendor: int, product: int) -> bool:
        """True if the USB ids are those of a blink(1)."""
        return (vendor, product) == (VENDOR, PRODUCT)

    def refusal(self, product: int) -> str | None:  # noqa: ARG002 - other models have modes in which they cannot serve
        """Return None: no mode keeps the lamp from serving."""
        return None

    def is_feature(self, report: bytes) -> bool:  # noqa: ARG002 - other models take some reports another way
        """Return True: every command is a feature report."""
        return True

    def connected(self) -> list[bytes]:
        """Return the reports that make the lamp dark, stop its alarm timer and write all pulses."""
        return [show(Signal()), _command("l"), *_pulse_commands()]

    def feed(self, report: bytes) -> Sequence[Garbage]:
        """Return garbage: the lamp is not known to send reports."""
        return [Garbage(report, "expected no report, a blink(1) is not known to send any")]
