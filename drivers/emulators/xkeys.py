"""Emulated X-keys panel, by default an XK-24: fingers on the keys, a plug, lamps.

Its reports are built by the codec's own layouts (`drivers.panels.xkeys_reports`), in reverse. Endpoint
addresses and the lamps' state at plug-in are not published; here the lamps are dark and the endpoints 81 and 02.
"""

import time

from drivers.emulators.pluggable import Pluggable
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity
from drivers.panels.lights import Colour, Light
from drivers.panels.xkeys import VENDOR
from drivers.panels.xkeys_models import XK_24, Model
from drivers.panels.xkeys_reports import (
    MEMORY_COMMANDS,
    OUTPUT_BYTES,
    Command,
    Descriptor,
    KeyReport,
    NoSuchKey,
    ReportRefused,
)

REBOOT = 0xEE  # a command of the vendor's data report that the codec does not offer
_LIGHTS = tuple(Light)
MODES = {0x0405: 0, 0x0404: 1, 0x0403: 2, 0x04E1: 3}  # by product id, as that report has them for an XK-24


class EmulatedXK24(Pluggable):
    """One panel. Keys may be pressed at any time, as on a real one."""

    def __init__(
        self,
        bus: EmulatedUsbBus,
        serial: str | None = None,
        product: int | None = None,
        unit: int = 0,
        model: Model = XK_24,
    ) -> None:
        strings = ("P. I. Engineering", f"{model.name} HID", serial)
        super().__init__(bus, UsbIdentity(VENDOR, product or model.products[0], strings))
        self._model, self._report_bytes = model, model.variant(self.identity.product).report_bytes
        self._lamps = {model.lamp(key, colour): (key, colour) for colour in reversed(Colour) for key in model.keys}
        self.memory_writes = 0  # commands that would have worn the EEPROM out
        self._unit = unit
        self._held: set[int] = set()
        self._powered_at = 0.0
        self._reset_lights()

    # Fingers.

    def press(self, key: int) -> None:
        """Push a key down and keep it down; raises NoSuchKey."""
        if key not in self._model.keys:
            raise NoSuchKey(f"expected a key of an {self._model.name}, got {key}")
        with self._bus.changed:
            self._move(self._held | {key})

    def release(self, key: int) -> None:
        """Release a key that is held down."""
        with self._bus.changed:
            self._move(self._held - {key})

    def tap(self, key: int) -> None:
        """Press a key and release it. Raises NoSuchKey."""
        self.press(key)
        self.release(key)

    # The plug and the cable.

    def reboot(self) -> None:
        """Leave the bus and come back at a new address, lamps dark, clock at 0."""
        with self._bus.changed:
            self.unplug()
            self.plug()

    def stall(self) -> None:
        """Halt the endpoint that is read, until the host clears it."""
        self._bus.stall(self, self.identity.endpoint_in)

    # What can be seen.

    @property
    def lights(self) -> dict[tuple[int, Colour], Light]:
        """The lamps under the keys that are not off."""
        with self._bus.changed:
            return {lamp: light for lamp, light in self._lights.items() if light}

    # What the bus calls.

    def power_on(self) -> None:
        """Reset after power-on: dark, clock at 0. Keys that are held stay down."""
        self._powered_at = time.monotonic()
        self._reset_lights()

    def _obey(self, report: bytes) -> None:
        command, first, second = report.ljust(3, b"\0")[:3]
        if len(report) == OUTPUT_BYTES and command in MEMORY_COMMANDS:
            self.memory_writes += 1
        elif len(report) != OUTPUT_BYTES or not (self._answer(command) or self._set(command, first, second)):
            raise ReportRefused(f"expected a command, got {report[:3].hex(' ')}")

    def _answer(self, command: int) -> bool:
        if command == REBOOT:
            self.reboot()
        elif command == Command.GENERATE_DATA:
            self._report_keys(answer=True)
        elif command == Command.DESCRIPTOR:
            product = self.identity.product
            size = self._model.columns, self._model.rows
            report = Descriptor(product, 1, MODES.get(product, 0), *size, unit=self._unit).build()
            self._bus.report(self, report.ljust(self._report_bytes, b"\0"))
        else:
            return False
        return True

    def _set(self, command: int, first: int, second: int) -> bool:
        if command != Command.BACKLIGHT or first not in self._lamps or second not in _LIGHTS:
            return False
        self._lights[self._lamps[first]] = Light(second)
        return True

    def _move(self, held: set[int]) -> None:
        moved, self._held = held != self._held, held
        if moved and self.identity.product in self._model.products:  # in hardware mode keys are never reported
            self._report_keys(answer=False)

    def _report_keys(self, *, answer: bool) -> None:
        at_ms = int((time.monotonic() - self._powered_at) * 1000)
        report = KeyReport(frozenset(self._held), at_ms, self._unit, answer=answer)
        self._bus.report(self, report.build(self._model, self._report_bytes))

    def _reset_lights(self) -> None:
        self._lights: dict[tuple[int, Colour], Light] = {}
