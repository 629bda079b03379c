"""Conversion of events for shift managers back to records.

With it the same code counts and reports a copy of a table's events and its journal. Hidden cards are not in the events:
a face-down card is FACE_DOWN here, which is no card's name.
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
    """Restore the record of an event; None if shift managers do not receive this kind. Raises BadRecord."""
    try:
        fields = _kind(event)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadRecord(coded("no_event_of_table", error=str(error))) from None
    if fields.kind == "internal":
        return None
    if fields.card is None and fields.kind == "dealt":
        return decode(_fill_card(event))
    record = decode(event)
    if isinstance(record.what, r.Drawn) and record.what.hidden and record.what.card is None:
        return replace(record, what=replace(record.what, card=FACE_DOWN))
    return record


def _fill_card(event: bytes) -> bytes:
    """Event with FACE_DOWN in its missing card field, because a record of this kind must have a card."""
    return msgspec.json.encode({**msgspec.json.decode(event), "card": FACE_DOWN})
