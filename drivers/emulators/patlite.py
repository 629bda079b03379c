"""An emulated Patlite LR6-USB: a plug, five tiers and a buzzer to look at and listen to.

Its commands are read by the codec's own layout (`drivers.beacons.patlite`), pointed the other way. Its
strings, its input endpoint and what it shows when it gets power are not published; here it is dark then.
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
    CommandRefused,
)
from drivers.beacons.signals import Signal
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity

_LIGHTS = {number: light for light, number in LIGHTS.items()}
_BUZZER = {number: sound for sound, number in BUZZER.items()}


class EmulatedLR6:
    """One tower; starts unplugged. It keeps what it shows for as long as it has power, whoever opens or closes it."""

    def __init__(self, bus: EmulatedUsbBus, serial: str | None = None) -> None:
        strings = ("PATLITE", "LR6-USB", serial)
        self.identity = UsbIdentity(VENDOR, PRODUCT, strings, endpoint_out=ENDPOINT_OUT, packet_bytes=COMMAND_BYTES)
        self.strange: list[bytes] = []  # what a real tower would not have understood
        self.commands = 0  # understood so far
        self._bus = bus
        self._now = Command()

    def plug(self, *, kernel_driver: bool = True, refused_opens: int = 0) -> None:
        """Plug in; for what may be in the way see `EmulatedUsbBus.plug`."""
        self._bus.plug(self, kernel_driver=kernel_driver, refused_opens=refused_opens)

    def unplug(self) -> None:
        """Pull the plug."""
        self._bus.unplug(self)

    @property
    def shows(self) -> Signal:
        """What is to be seen and heard now; raises KeyError for a rhythm the codec has no word for."""
        with self._bus.changed:
            red, yellow, green, blue, white = (_LIGHTS[tier] for tier in self._now.tiers)
            return Signal(red, yellow, green, blue, white, _BUZZER[self._now.buzzer])

    # What the bus calls.

    def powered(self) -> None:
        """Start anew: dark and silent."""
        self._now = Command()

    def received(self, report: bytes) -> None:
        """Obey a command; what a real tower would not understand goes to `strange`."""
        try:
            command = Command.parse(report)
        except CommandRefused:
            self.strange.append(report)
            return
        self.commands += 1
        red, yellow, green, blue, white = (
            before if now > LAST_PATTERN else now for before, now in zip(self._now.tiers, command.tiers, strict=True)
        )
        keeps = command.buzzer > LAST_PATTERN
        buzzer = self._now if keeps else command
        self._now = Command((red, yellow, green, blue, white), buzzer.buzzer, buzzer.times, buzzer.tones)
