"""An emulated Patlite NE-USB: a plug, a light and a buzzer, and a finger on its sensor.

Its commands are read by the codec's own layout (`drivers.beacons.ne_usb`), in reverse. Its strings, byte 0
of its answers and what it shows when it gets power are not published; here it is dark then.
"""

from dataclasses import replace

from drivers.beacons.ne_usb import (
    ASK,
    COMMAND_BYTES,
    ENDPOINT_OUT,
    KEEP_TIMES,
    LAST_BUZZER,
    LAST_COLOUR,
    LAST_PATTERN,
    LOUD,
    PRODUCT,
    VENDOR,
    Command,
)
from drivers.emulators.pluggable import Showing
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity


class EmulatedNE(Showing[Command]):
    """Emulated NE-USB beacon; its display is the command that sets all of it."""

    def __init__(self, bus: EmulatedUsbBus, serial: str | None = None) -> None:
        strings = ("PATLITE", "NE-USB", serial)
        identity = UsbIdentity(VENDOR, PRODUCT, strings, endpoint_out=ENDPOINT_OUT, packet_bytes=COMMAND_BYTES)
        super().__init__(bus, identity)
        self.asked = 0  # how often the sensor was asked for
        self.touched = False  # True: a finger is on the sensor
        self._now = Command()

    def _look(self) -> Command:
        return self._now

    # What the bus calls.

    def power_on(self) -> None:
        """Start dark and silent, as after power-on."""
        self._now = Command()

    def _obey(self, report: bytes) -> None:
        if report == ASK:
            self.asked += 1
            self._bus.report(self, bytes([0, self.touched]))
        else:
            self._now = self._with_what_stays(Command.parse(report))

    def _with_what_stays(self, command: Command) -> Command:
        now = self._now
        return replace(
            command,
            colour=now.colour if command.colour > LAST_COLOUR else command.colour,
            pattern=now.pattern if command.pattern > LAST_PATTERN else command.pattern,
            buzzer=now.buzzer if command.buzzer > LAST_BUZZER else command.buzzer,
            times=now.times if command.times == KEEP_TIMES else command.times,
            volume=now.volume if command.volume > LOUD else command.volume,
        )
