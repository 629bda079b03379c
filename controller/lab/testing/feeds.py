"""Feeding of codecs of other authors: captures in, events out, and general limits.

It never raises, and gives only events of its kind of device; a card is named as the table names it.
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


def heard_in(path: Path | str) -> list[bytes]:
    """Bytes that a capture has from the device, a line each."""
    return [one.data for one in read_capture(Path(path).read_text(encoding="utf-8")) if one.direction == "<"]


def shown(*pieces: bytes) -> list[str]:
    """Bytes as a capture has them, cut off after 66 of them."""
    return [one.hex(" ").upper()[:200] or "(nothing)" for one in pieces]


def told(codec: Feedable, data: bytes, kinds: Kinds) -> list[DeviceEvent]:
    """Events that a codec makes of these bytes.

    Raises Broken if it raises, or gives anything but these events.
    """
    try:
        events = list(codec.feed(data))
    except Exception as error:  # noqa: BLE001 - anybody's codec
        raise Broken(
            f"expected feed never to raise, it raised {type(error).__name__}: {error}",
            shown(data),
            "answer what is no message with Garbage(raw, reason): look at its length and its beginning first",
        ) from None
    for event in events:
        if not isinstance(event, kinds):
            names = ", ".join(kind.__name__ for kind in kinds)
            what = f"expected events of drivers.events, feed gave {event!r:.60}"
            raise Broken(what, shown(data), f"give {names}, and nothing else")
        if isinstance(event, CardRead) and event.card not in CARDS:
            raise Broken(
                f"expected a card such as AS, TD or 9H, feed gave {event.card!r:.20}",
                shown(data),
                "name the rank first, ten as T, then the suit as C, D, H or S",
            )
    return events


def each_told(codec: Feedable, pieces: Iterable[bytes], kinds: Kinds) -> list[list[DeviceEvent]]:
    """Events that a codec makes of each of these pieces. Raises Broken."""
    return [told(codec, piece, kinds) for piece in pieces]
