"""Latest frames of the shoe as bytes, for shift managers who examine a fault and for engineers.

Invariant: bytes that may contain a face-down card are hidden until the card is turned over or its round is over. Bytes
that gave no draw stay hidden. The number of bytes is hidden too, because some shoes send two characters for a ten.
"""

from collections import deque
from collections.abc import Iterator

from msgspec import Struct

from drivers import events as d

from ..core.clock import Time, to_text
from ..core.state import State

ROOM = 24  # frames


class Frame(Struct, frozen=True):
    """Frame for display: its time, kind of event and bytes."""

    at: str
    said: str  # kind of the decoded event, such as `CardRead`
    size: int | None  # bytes; null: withheld
    bytes: str | None  # in hex; null: withheld
    draw: int | None = None  # draw of the present round


class _KeptFrame(Struct, frozen=True):
    at: Time
    kind: str
    raw: bytes
    round: int
    draw: int | None  # number of the draw that it gave
    open: bool  # True: it cannot contain a face-down card


class Frames:
    """Latest frames of one shoe. `hides`: the table's game has cards that lie face down."""

    def __init__(self, *, hides: bool) -> None:
        self._hides = hides
        self._frames: deque[_KeptFrame] = deque(maxlen=ROOM)

    def hear(self, event: d.DeviceEvent, at: Time, before: State, after: State) -> None:
        """Store an event of the shoe, which has changed the table from `before` to `after`."""
        raw: bytes = getattr(event, "raw", b"")
        if not raw:
            return
        new = len(after.round.draws) > len(before.round.draws) and isinstance(event, d.CardRead | d.CardUnreadable)
        draw = len(after.round.draws) if new else None
        kind = type(event).__name__
        self._frames.append(_KeptFrame(at, kind, raw, after.round.number, draw, self._is_open(event, before)))

    def _is_open(self, event: d.DeviceEvent, before: State) -> bool:
        if isinstance(event, d.CardRead | d.CardUnreadable | d.Garbage):
            return not self._hides or before.shoe.changing
        return True

    def shown_frames(self, state: State) -> Iterator[Frame]:
        """Yield the frames as they may be shown now, the latest first."""
        for one in reversed(self._frames):
            here = one.round == state.round.number
            shown = one.raw if one.open or self._is_over(one, state) else None
            size, text = (None, None) if shown is None else (len(shown), shown.hex(" "))
            yield Frame(to_text(one.at), one.kind, size, text, one.draw if here else None)

    def _is_over(self, one: _KeptFrame, state: State) -> bool:
        """True if the card in a frame was turned over, or its round is over."""
        if one.draw is None:
            return False
        if one.round != state.round.number or not state.live:
            return True
        return not state.round.draws[one.draw - 1].hidden
