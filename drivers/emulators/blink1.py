"""Emulated blink(1) mk2: a plug, a lamp to look at, and its dead man's switch.

The switch runs on a clock that tests may turn.

It plays the lines of its pattern as the maker's firmware does. Its strings and its input endpoint are not published.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from drivers.beacons.blink1 import COMMANDS, LINES, PRODUCT, REPORT_ID, VENDOR, UnsafeCommand, checked
from drivers.emulators.pluggable import Showing
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity


@dataclass(frozen=True, slots=True)
class PatternLine:
    """A colour, and for how many hundredths of a second it fades in."""

    colour: bytes = bytes(3)
    hundredths: int = 0


class EmulatedBlink1(Showing[tuple[PatternLine, ...]]):
    """One lamp. It shows lines that are played one after the other, or one colour."""

    def __init__(
        self, bus: EmulatedUsbBus, serial: str | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        strings = ("ThingM", "blink(1) mk2", serial)
        super().__init__(bus, UsbIdentity(VENDOR, PRODUCT, strings, endpoint_out=None, feature_ids=(REPORT_ID,)))
        self._now = now
        self._pattern = [PatternLine()] * LINES
        self._shown: tuple[PatternLine, ...] = (PatternLine(),)
        self.waits: float | None = None  # time until which it waits for `alive`; None: it does not wait
        self._dead = 0, 0  # first and last line that it plays if no `alive` came in time

    def _look(self) -> tuple[PatternLine, ...]:
        if self.waits is not None and self._now() > self.waits:
            self.waits, self._shown = None, self._pattern_lines(*self._dead)
        return self._shown

    # What the bus calls.

    def power_on(self) -> None:
        """Reset after power-on: dark, empty pattern, alarm timer off."""
        self._pattern, self._shown, self.waits = [PatternLine()] * LINES, (PatternLine(),), None

    def _obey(self, report: bytes) -> None:
        checked(report)
        acts = dict(zip(COMMANDS, (self._fade, self._write, self._play, self._led, self._dead_man), strict=True))
        acts[report[1]](report[2:])

    def _fade(self, payload: bytes) -> None:
        self._shown = (PatternLine(payload[:3], _time(payload[3:5])),)

    def _write(self, payload: bytes) -> None:
        self._pattern[payload[5]] = PatternLine(payload[:3], _time(payload[3:5]))

    def _play(self, payload: bytes) -> None:
        self._shown = self._pattern_lines(payload[1], payload[2])

    def _led(self, payload: bytes) -> None:
        if any(payload):
            raise UnsafeCommand("expected all leds")

    def _dead_man(self, payload: bytes) -> None:
        on, stay = payload[0], payload[3]
        self.waits, self._dead = self._now() + _time(payload[1:3]) / 100 if on else None, (payload[4], payload[5])
        if not stay:
            self._shown = (PatternLine(),)

    def _pattern_lines(self, first: int, last: int) -> tuple[PatternLine, ...]:
        return tuple(self._pattern[first : last + 1])


def _time(hundredths: bytes) -> int:
    return int.from_bytes(hundredths, "big")
