"""An emulated Patlite NE-USB: a plug, a light and a buzzer, and a finger on its sensor.

Its commands are read by the codec's own layout (`drivers.beacons.ne_usb`), pointed the other way. Its strings, byte 0
of its answers and what it shows when it gets power are not published; here it is dark then.
"""

from dataclasses import replace

from drivers.beacons.ne_usb import (
    ASK,
    COMMAND_BYTES,
    ENDPOINT_OUT,
    LAST_BUZZER,
    LAST_COLOUR,
    LAST_PATTERN,
    LOUD,
    PRODUCT,
    VENDOR,
    Command,
    CommandRefused,
)
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity

KEEP_TIMES = 0xF


class EmulatedNE:
    """One beacon; starts unplugged. It keeps what it shows for as long as it has power."""

    def __init__(self, bus: EmulatedUsbBus, serial: str | None = None) -> None:
        strings = ("PATLITE", "NE-USB", serial)
        self.identity = UsbIdentity(VENDOR, PRODUCT, strings, endpoint_out=ENDPOINT_OUT, packet_bytes=COMMAND_BYTES)
        self.strange: list[bytes] = []  # what a real beacon would not have understood
        self.asked = 0  # how often
        self.touched = False  # a finger is on the sensor
        self._bus = bus
        self._now = Command()

    def plug(self, *, kernel_driver: bool = True, refused_opens: int = 0) -> None:
        """Plug in; for what may be in the way see `EmulatedUsbBus.plug`."""
        self._bus.plug(self, kernel_driver=kernel_driver, refused_opens=refused_opens)

    def unplug(self) -> None:
        """Pull the plug."""
        self._bus.unplug(self)

    @property
    def shows(self) -> Command:
        """What is to be seen and heard now, as the command that says all of it."""
        with self._bus.changed:
            return self._now

    # What the bus calls.

    def powered(self) -> None:
        """Start anew: dark and silent."""
        self._now = Command()

    def received(self, report: bytes) -> None:
        """Obey a command, or answer; what a real beacon would not understand goes to `strange`."""
        if report == ASK:
            self.asked += 1
            self._bus.report(self, bytes([0, self.touched]))
            return
        try:
            said = Command.parse(report)
        except CommandRefused:
            self.strange.append(report)
            return
        self._now = self._with_what_stays(said)

    def _with_what_stays(self, said: Command) -> Command:
        now = self._now
        return replace(
            said,
            colour=now.colour if said.colour > LAST_COLOUR else said.colour,
            pattern=now.pattern if said.pattern > LAST_PATTERN else said.pattern,
            buzzer=now.buzzer if said.buzzer > LAST_BUZZER else said.buzzer,
            times=now.times if said.times == KEEP_TIMES else said.times,
            volume=now.volume if said.volume > LOUD else said.volume,
        )
