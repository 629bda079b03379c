"""Messages about a floor's files and the events that come to it, by their codes; in English, for its engineers."""

from collections.abc import Mapping

FLOOR: Mapping[str, str] = {
    "floor_file_replaced": (
        "{path}: not the file any more that the floor has opened: stop the floor, put that there, start it"
    ),
    "floor_store_in_use": "{path}: another floor writes it: give each its own [floor] store",
    "no_floor_record": "{path}: not the record of a floor",
    "no_floor_store": "{path}: the database of another program: name another file as [floor] store",
    "floor_entry_unreadable": (
        "{path}: entry {seq} cannot be read: `tablectl floor verify` says which records are sound"
    ),
    "floor_entry_skipped": "missing: entry {seq} comes after entry {after}",
    "floor_entry_changed": "changed: the hash of entry {seq} does not fit it and those before",
    "floor_record_changed": "{path}: {what}; put it away, and say who did that",
    "no_event": "expected an event: {error}",
    "event_of_another": "expected an event of {table}, got one of {said}",
    "event_without_time": "expected the time of an event, got {said}",
    "event_too_large": "event {said} is too large for the bus: the table has to be asked for it",
    "event_misnumbered": "expected event {said}, as {name} has it, got {seq}",
    "event_out_of_order": "expected what follows record {after}, got record {seq}",
    "header_absent": "expected the header {name}",
}
