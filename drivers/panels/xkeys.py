"""X-keys panels (P.I. Engineering): keys with two lamps each, USB vendor id 05F3.

The models: `xkeys_models`.

A press is a change that the panel reports while the program listens. Keys held while plugging in, answers to the
program's own question and unreadable reports are never a press.

How sure each fact is: [V] the vendor's published data report (of the XK-24); [2] the vendor and an independent open
implementation agree. None of the models was ever tried on a real panel. Bytes count from 0 as libusb delivers them,
without the report id 0 that leads the vendor's tables.

Product ids [2]: some report keys, some only take output ("hardware mode"). Other devices of the vendor are named, but
not used.

Input report, 32 bytes, of the variants for Android 36 [V]:

    0      unit id, 0 to 255, set by the user
    1      bit 0 program switch, bit 1 answer to Generate Data; more than 3: another kind of report
    2-     columns, left to right; bits are rows, top to bottom; 1 = down
    ...    milliseconds since plugging in, 4 bytes big-endian, wraps after 49.7 days; the position depends on the model
    rest   reserved

Every report has the state of all keys.

Other kinds, by byte 1 [V]: D6 descriptor (2 mode, 7 columns, 8 rows, 9 indicators, 10 firmware version, 11-12 product
id little-endian), E0 custom data, C1 dongle.

Output report, 35 bytes padded with zeros [V]; byte 0 is the command:

    B1             Generate Data: report the state now
    D6             report the descriptor
    B5 index n     lamp of a key, by its number; n: 0 off, 1 on, 2 flash

BD, C7, CC, C3 and C0 write the panel's EEPROM, good for 50,000 writes [V]. They are never sent: `checked` passes only
the commands above.
"""

from drivers.events import Garbage, PanelEvent, Pressed, Released
from drivers.panels.lights import Colour, Light
from drivers.panels.xkeys_models import MODELS, XK_16, XK_24, XK_60, XK_80
from drivers.panels.xkeys_reports import (
    CUSTOM_KIND,
    DESCRIPTOR_KIND,
    DONGLE_KIND,
    INPUT_BYTES,
    LAST_KEY_KIND,
    Descriptor,
    KeyReport,
    NoSuchKey,
    backlight,
    checked,
    generate_data,
)

VENDOR = 0x05F3
FIRST_PANEL = 0x0400  # lower product ids of the vendor are adapters, hubs and keyboards


class XK24:
    """Codec of one X-keys XK-24; remembers which keys are down."""

    kind = "panel"
    model = XK_24
    name = XK_24.name
    report_bytes = model.variants[0].report_bytes
    checked = staticmethod(checked)
    unit_question = staticmethod(generate_data)

    def __init__(self) -> None:
        self.descriptor: Descriptor | None = None  # the last one the panel sent
        self._down: frozenset[int] | None = None  # None: not known, just connected

    @property
    def keys(self) -> tuple[int, ...]:
        """The numbers of all keys, in ascending order."""
        return self.model.keys

    def backlight(self, key: int, light: Light, colour: Colour) -> bytes:
        """Build the report that sets one lamp of one key. Raises NoSuchKey."""
        return backlight(key, light, colour, self.model)

    def matches(self, vendor: int, product: int) -> bool:
        """True if the USB ids are those of this model, in any of its modes."""
        return vendor == VENDOR and product in self.model.products + self.model.hardware_mode

    def refusal(self, product: int) -> str | None:
        """Reason why a panel with this product id cannot serve, and what to do; else None."""
        if product not in self.model.hardware_mode:
            return None
        return (
            f"panel in hardware mode: an {self.name} with USB id {VENDOR:04X}:{product:04X} lights its lamps but never "
            f"reports a key, expected {VENDOR:04X}:{self.model.variant(product).products[0]:04X}; set the product id "
            "back with the manufacturer's program, or plug in another panel"
        )

    def report_bytes_of(self, product: int) -> int:
        """Bytes of an input report of a panel with this product id."""
        return self.model.variant(product).report_bytes

    def relative(self, vendor: int, product: int) -> str | None:
        """Name of a device of this vendor that is not of this model; None for any other."""
        if vendor != VENDOR or product < FIRST_PANEL or self.matches(vendor, product):
            return None
        models = (model for model in MODELS if product in model.products + model.hardware_mode)
        return f"an {next((model.name for model in models), 'X-keys device of another kind')}"

    def unit_of(self, report: bytes) -> int | None:
        """Unit id in a report; None if the report has none."""
        return report[0] if len(report) in INPUT_BYTES else None

    def connected(self) -> list[bytes]:
        """Forget the keys and ask for their state; keys that are already held are not pressed."""
        self._down = None
        return [generate_data()]

    def feed(self, report: bytes) -> list[PanelEvent]:
        """Return Pressed and Released since the report before, releases first; Garbage if it cannot be read."""
        if len(report) not in INPUT_BYTES:
            lengths = " or ".join(map(str, INPUT_BYTES))
            return [Garbage(report, f"expected a report of {lengths} bytes, got {len(report)}")]
        if report[1] > LAST_KEY_KIND:
            return self._other_kind(report)
        try:
            return self._changes(KeyReport.parse(report, self.model))
        except NoSuchKey as error:
            return [Garbage(report, str(error))]

    def _changes(self, now: KeyReport) -> list[PanelEvent]:
        before, self._down = self._down, now.keys
        if before is None:
            return []
        released: list[PanelEvent] = [Released(key, now.at_ms) for key in sorted(before - now.keys)]
        if now.answer:  # a key that is down in an answer may have been held for long: it is no press
            return released
        return released + [Pressed(key, now.at_ms) for key in sorted(now.keys - before)]

    def _other_kind(self, report: bytes) -> list[PanelEvent]:
        if report[1] == DESCRIPTOR_KIND:
            self.descriptor = Descriptor.parse(report)
        elif report[1] not in (CUSTOM_KIND, DONGLE_KIND):
            return [Garbage(report, f"expected a kind of report 00-03, C1, D6 or E0, got {report[1]:02X}")]
        return []


class XK80(XK24):
    """Codec of an X-keys XK-80."""

    model = XK_80
    name = XK_80.name


class XK60(XK24):
    """Codec of an X-keys XK-60."""

    model = XK_60
    name = XK_60.name


class XK16(XK24):
    """Codec of an X-keys XK-16."""

    model = XK_16
    name = XK_16.name
