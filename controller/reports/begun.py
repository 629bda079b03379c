"""What has begun in a record that is counted and has not ended: it can be put away, and counting goes on from it."""

from msgspec import Struct, field

from ..accounts.card_reads import CardReads
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
    cards: CardReads = field(default_factory=CardReads)
    lost: dict[str, Time] = {}  # devices
    found: dict[str, r.DeviceFound] = {}
