"""Emulated Stream Deck, by default an MK.2: presses keys, keeps pictures, can be unplugged.

Its reports are built by the codec's own layouts (`drivers.panels.stream_deck_reports`), in reverse. Its
strings and endpoint addresses are not published; the endpoints are 81 and 02 here.
"""

from drivers.emulators.pluggable import Pluggable
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity
from drivers.panels.stream_deck import VENDOR
from drivers.panels.stream_deck_models import MK2, Model
from drivers.panels.stream_deck_reports import (
    FULL,
    NoSuchKey,
    Page,
    ReportRefused,
    brightness,
    build,
    reset,
    stream_reset,
    version_report,
)

FIRMWARE = b"1.00.000"


def firmware(model: Model) -> bytes:
    """Feature report that holds the firmware's version."""
    number, length = version_report(model)
    return (bytes([number]).ljust(5 if model.old else 6, b"\0") + FIRMWARE).ljust(length, b"\0")


class EmulatedStreamDeck(Pluggable):
    """Emulated deck. Keys may be pressed at any time, as on a real one."""

    def __init__(self, bus: EmulatedUsbBus, serial: str | None = None, model: Model = MK2) -> None:
        identity = UsbIdentity(
            VENDOR,
            model.products[0],
            ("Elgato", model.name, serial),
            features=((version_report(model)[0], firmware(model)),),
            feature_ids=tuple({reset(model)[0], brightness(FULL, model)[0]}),
        )
        super().__init__(bus, identity)
        self._model = model
        self._levels = {brightness(percent, model): percent for percent in range(FULL + 1)}
        self._held: frozenset[int] = frozenset()
        self.power_on()

    # Fingers.

    def press(self, key: int) -> None:
        """Push a key down and keep it down; raises NoSuchKey."""
        if key not in self._model.keys:
            raise NoSuchKey(f"expected a key of a {self._model.name}, got {key}")
        self._move(self._held | {key})

    def release(self, key: int) -> None:
        """Release a key that is held down."""
        self._move(self._held - {key})

    def tap(self, key: int) -> None:
        """Press a key and release it. Raises NoSuchKey."""
        self.press(key)
        self.release(key)

    # What can be seen.

    @property
    def pictures(self) -> dict[int, bytes]:
        """The file that each key shows; a key that is not named shows a part of the maker's logo."""
        with self._bus.changed:
            return dict(self._pictures)

    # What the bus calls.

    def power_on(self) -> None:
        """Show the maker's logo, as after power-on; keys that are held stay down."""
        self._pictures: dict[int, bytes] = {}
        self._coming: list[Page] = []
        self.brightness: int | None = None  # per cent; None: never set

    def _obey(self, report: bytes) -> None:
        if report == stream_reset():
            self._coming = []
        elif report == reset(self._model):
            self._pictures = {}
        elif report in self._levels:
            self.brightness = self._levels[report]
        else:
            self._take(Page.parse(report, self._model))

    def _take(self, page: Page) -> None:
        begun = self._coming or [page]
        if page.number != len(self._coming) or page.key != begun[0].key:
            raise ReportRefused(f"expected page {len(self._coming)} of key {begun[0].key}, got {page.number}")
        self._coming.append(page)
        if page.last:
            self._pictures[page.key] = b"".join(one.data for one in self._coming)
            self._coming = []

    def _move(self, held: frozenset[int]) -> None:
        with self._bus.changed:
            if held != self._held:
                self._held = held
                self._bus.report(self, build(held, self._model))
