"""An emulated Patlite LR6-USB: a plug, five tiers and a buzzer to look at and listen to.

Its commands are read by the codec's own layout (`drivers.beacons.patlite`), in reverse. Its strings, its input endpoint
and what it shows when it gets power are not published; here it is dark then.
"""

from drivers.beacons.patlite import (
    BUZZER,
    COMMAND_BYTES,
    ENDPOINT_OUT,
    LAST_PATTERN,
    LIGHTS,
    PRODUCT,
    VENDOR,
    Command,
)
from drivers.beacons.signals import Signal
from drivers.emulators.pluggable import Showing
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity

_LIGHTS = {number: light for light, number in LIGHTS.items()}
_BUZZER = {number: sound for sound, number in BUZZER.items()}


class EmulatedLR6(Showing[Signal]):
    """Emulated LR6-USB signal tower."""

    def __init__(self, bus: EmulatedUsbBus, serial: str | None = None) -> None:
        strings = ("PATLITE", "LR6-USB", serial)
        identity = UsbIdentity(VENDOR, PRODUCT, strings, endpoint_out=ENDPOINT_OUT, packet_bytes=COMMAND_BYTES)
        super().__init__(bus, identity)
        self.commands = 0  # understood so far
        self._now = Command()

    def _look(self) -> Signal:
        """Return the signal shown. Raises KeyError for a rhythm that the codec has no word for."""
        red, yellow, green, blue, white = (_LIGHTS[tier] for tier in self._now.tiers)
        return Signal(red, yellow, green, blue, white, _BUZZER[self._now.buzzer])

    # What the bus calls.

    def power_on(self) -> None:
        """Start dark and silent, as after power-on."""
        self._now = Command()

    def _obey(self, report: bytes) -> None:
        command = Command.parse(report)
        self.commands += 1
        red, yellow, green, blue, white = (
            before if now > LAST_PATTERN else now for before, now in zip(self._now.tiers, command.tiers, strict=True)
        )
        keeps = command.buzzer > LAST_PATTERN
        buzzer = self._now if keeps else command
        self._now = Command((red, yellow, green, blue, white), buzzer.buzzer, buzzer.times, buzzer.tones)
