"""Feed other authors' codecs with captures, and check the general rules for the events that they return.

A codec must never raise, return only events of its kind of device, and name cards as the table does.
"""

from collections.abc import Iterable
from pathlib import Path

from drivers.captures import read_capture
from drivers.events import CardRead, DeviceEvent
from drivers.models import Feedable

from ...rules.cards import FULL_DECK, JOKER
from .broken import Broken

Kinds = tuple[type[DeviceEvent], ...]
CARDS = frozenset({*FULL_DECK, JOKER})


def bytes_of_capture(path: Path | str) -> list[bytes]:
    """Read the bytes from the device in a capture, one item per line."""
    return [one.data for one in read_capture(Path(path).read_text(encoding="utf-8")) if one.direction == "<"]


def capture_texts(*pieces: bytes) -> list[str]:
    """Write bytes in the notation of a capture, at most 66 of each piece."""
    return [one.hex(" ").upper()[:200] or "(nothing)" for one in pieces]


def decode_all(codec: Feedable, data: bytes, kinds: Kinds) -> list[DeviceEvent]:
    """Return the events that a codec makes of these bytes.

    Raises Broken if the codec raises, or returns anything but events of these kinds.
    """
    try:
        events = list(codec.feed(data))
    except Exception as error:  # noqa: BLE001 - anybody's codec
        raise Broken(
            f"expected feed never to raise, it raised {type(error).__name__}: {error}",
            capture_texts(data),
            "return Garbage(raw, reason) for what is no message: check its length and its beginning first",
        ) from None
    for event in events:
        if not isinstance(event, kinds):
            names = ", ".join(kind.__name__ for kind in kinds)
            what = f"expected only events of this kind of device, feed returned {event!r:.60}"
            raise Broken(what, capture_texts(data), f"return {names}, and nothing else")
        if isinstance(event, CardRead) and event.card not in CARDS:
            raise Broken(
                f"expected a card such as AS, TD or 9H, feed returned {event.card!r:.20}",
                capture_texts(data),
                "name the rank first, ten as T, then the suit as C, D, H or S",
            )
    return events


def decode_each(codec: Feedable, pieces: Iterable[bytes], kinds: Kinds) -> list[list[DeviceEvent]]:
    """Events that a codec makes of each of these pieces. Raises Broken."""
    return [decode_all(codec, piece, kinds) for piece in pieces]
