"""What has begun in a record that is counted and has not ended: it can be put away, and counting goes on from it."""

from msgspec import Struct

from ..core import records as r
from ..core.clock import Time


class Unruled(Struct):
    """A fault that waits for its ruling."""

    seq: int
    at: Time
    code: str
    seen: bool = False


class Begun(Struct):
    """What has begun at a table and not ended."""

    fault: Unruled | None = None
    paused: Time | None = None
    changing: bool = False  # the shoe
    cards: dict[int, str | None] = {}  # draws of the round, as the reader read them
    ruled: dict[int, str | None] = {}  # what they are by a ruling
    lost: dict[str, Time] = {}  # devices
    found: dict[str, r.DeviceFound] = {}
