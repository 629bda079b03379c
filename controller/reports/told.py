"""Restore records from the events that a shift manager receives.

So a copy of a table's events is counted and reported by the same code as its journal. Invariant: what was withheld
stays unknown. A card that lies face down is FACE_DOWN here, which is no card's name.
"""

import msgspec
from msgspec.structs import replace

from ..accounts.card_reads import FACE_DOWN
from ..core import records as r
from ..core.coded_message import coded
from ..core.encoding import BadRecord, decode
from ..core.records import Record


class _Kind(msgspec.Struct):
    kind: str
    card: str | None = FACE_DOWN


_kind = msgspec.json.Decoder(_Kind).decode


def record_of(event: bytes) -> Record | None:
    """Restore the record of an event; None if it is no business of a shift manager. Raises BadRecord."""
    try:
        said = _kind(event)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadRecord(coded("no_event_of_table", error=str(error))) from None
    if said.kind == "internal":
        return None
    if said.card is None and said.kind == "dealt":
        return decode(_laid(event))
    record = decode(event)
    if isinstance(record.what, r.Drawn) and record.what.hidden and record.what.card is None:
        return replace(record, what=replace(record.what, card=FACE_DOWN))
    return record


def _laid(event: bytes) -> bytes:
    """Event with FACE_DOWN as its card, as a record of this kind always has a card."""
    return msgspec.json.encode({**msgspec.json.decode(event), "card": FACE_DOWN})
