"""Elgato Stream Deck panels: every key is a small screen, USB vendor id 0FD9.

The models: `stream_deck_models`.

A press is a change that the deck reports while the program listens. A deck reports the state of its keys only when one
of them moves, and cannot be asked. So in the first report after a connect, a single key that is down is a press. If
several keys are down, some were held before, so none of them is a press.

Only the keys are used. Reports of a Plus's dials and touch strip are ignored, and so are those of a Neo's two sensors,
which are touched by accident too easily. The strip and the window show the maker's logo.

How sure each fact is: [V] the vendor's published HID pages; [2] they and an independent open implementation agree; [1]
the open implementation alone; [?] not published, chosen here. Never tried on a real deck. Bytes count from 0 as
libusb delivers them, the report id first.

There are two protocols [V]: that of the Mini, and a newer one of all other models here. One HID interface; pictures go
to its interrupt OUT endpoint, everything else is a feature report [1]. Numbers of two bytes: the low one first [V].

Input report, up to 512 bytes, of the Mini 65 [V]:

    newer    0    01
             1    00 keys, 02 touch strip, 03 dials
             2-3  number of bytes that follow
             4-   keys: one byte each, 00 up, 01 down; on a Neo the two sensors after them
    Mini     0    01
             1-   keys: one byte each, 00 up, 01 down

Every report about keys has the state of all keys. The bytes after it are zeros and are not read.

A page of a picture, 1024 bytes, padded with zeros [2]:

    newer    02 07 KEY LAST LENGTH LENGTH NUMBER NUMBER, then up to 1016 bytes of the file
    Mini     02 01 NUMBER 00 LAST KEY+1, ten zeros, then up to 1008 bytes of the file

LAST is 01 on the last page, else 00; pages are numbered from 0. 02 and only zeros ends a picture that was broken off;
otherwise the next picture would be added to it [1]; for the Mini that is [?].

Feature reports, 32 bytes (Mini: 17) [2]:

    newer         Mini
    03 08 PCT     05 55 AA D1 01 PCT    brightness, 0 to 100
    03 02         0B 63                 the maker's logo on the whole deck
    06            03                    ask for the serial number: text from byte 2 (Mini: 5)
    05            04                    ask for the version of the firmware: text from byte 6 (Mini: 5)
    03 06 8 R G B                       the colour of a Neo's sensor, 8 or 9

The program asks for the version, to log it. It does not ask for the serial number, which is that of the USB device [?].
A deck has no unit id and no clock, and keeps its pictures after the program has ended.
"""

from drivers.events import Garbage, PanelEvent, Pressed, Released
from drivers.panels.stream_deck_models import MINI, MK2, NEO, PLUS, XL, Model
from drivers.panels.stream_deck_reports import (
    FULL,
    INPUT_BYTES,
    PICTURE_ID,
    BadReport,
    brightness,
    checked,
    pages,
    parse,
    reset,
    stream_reset,
    version,
    version_report,
)

VENDOR = 0x0FD9


class StreamDeck:
    """Codec of one Stream Deck MK.2; remembers which keys are down."""

    kind = "panel"
    report_bytes = INPUT_BYTES
    model: Model = MK2

    def __init__(self) -> None:
        self._down: frozenset[int] | None = None  # None: not known, just connected
        self.name = self.model.name
        self.keys = self.model.keys
        self.form = self.model.form

    def matches(self, vendor: int, product: int) -> bool:
        """True if the USB ids are those of this model."""
        return vendor == VENDOR and product in self.model.products

    def refusal(self, product: int) -> str | None:  # noqa: ARG002 - other models have modes in which they cannot serve
        """Return None: no mode keeps the deck from serving."""
        return None

    def is_feature(self, report: bytes) -> bool:
        """True for every report but pictures."""
        return report[0] != PICTURE_ID

    def picture(self, key: int, data: bytes) -> list[bytes]:
        """Return the pages that show a picture file on a key. Raises NoSuchKey."""
        return pages(key, data, self.model)

    def checked(self, report: bytes) -> bytes:
        """Return the report unchanged. Raises ReportRefused if this program never sends such a report."""
        return checked(report, self.model)

    @property
    def version_report(self) -> tuple[int, int]:
        """Id and length of the feature report that holds the firmware's version."""
        return version_report(self.model)

    def version(self, report: bytes) -> str:
        """Read the firmware's version from that report."""
        return version(report, self.model)

    def connected(self) -> list[bytes]:
        """Forget the keys; return reports that clear the pictures of other programs, also partly sent ones."""
        self._down = None
        return [stream_reset(), reset(self.model), brightness(FULL, self.model)]

    def feed(self, report: bytes) -> list[PanelEvent]:
        """Return Pressed and Released since the report before, releases first; Garbage if it cannot be read."""
        try:
            now = parse(report, self.model)
        except BadReport as error:
            return [Garbage(report, str(error))]
        return [] if now is None else self._changes(now)

    def _changes(self, now: frozenset[int]) -> list[PanelEvent]:
        before, self._down = self._down, now
        if before is None:
            before = now if len(now) > 1 else frozenset()
        released: list[PanelEvent] = [Released(key) for key in sorted(before - now)]
        return released + [Pressed(key) for key in sorted(now - before)]


class StreamDeckXL(StreamDeck):
    """Codec of a Stream Deck XL."""

    model = XL


class StreamDeckMini(StreamDeck):
    """Codec of a Stream Deck Mini."""

    model = MINI


class StreamDeckNeo(StreamDeck):
    """Codec of a Stream Deck Neo."""

    model = NEO


class StreamDeckPlus(StreamDeck):
    """Codec of a Stream Deck Plus."""

    model = PLUS
