"""State of counting a record: faults, pauses and losses that have begun and not ended.

It can be stored, and counting continues from it.
"""

from msgspec import Struct, field

from ..accounts.card_reads import CardReads
from ..core import records as r
from ..core.clock import Time


class Unruled(Struct):
    """Fault that waits for its ruling."""

    seq: int
    at: Time
    code: str
    seen: bool = False


class Begun(Struct):
    """Faults, pauses, card reads and lost devices at a table that have not ended."""

    fault: Unruled | None = None
    paused: Time | None = None
    cards: CardReads = field(default_factory=CardReads)
    lost: dict[str, Time] = {}  # devices
    found: dict[str, r.DeviceFound] = {}
