"""English texts of coded messages about a table's PC, its record and its bus, by their codes.

The other languages are in `locale/`. Blanks are parts of the message (`core.coded_message.Parts`).
"""

from collections.abc import Mapping

PC: Mapping[str, str] = {
    "record_doubted": "the record is not valid from {first} on, so no round opens: `tablectl journal verify` says why",
    "record_unverified": "the record cannot be verified: {reason}",
    "not_anchored": "the record is not anchored since {since}: {reason}",
    "the_start": "the start",
    "bus_unreachable": "{host}: {reason}",
    "bus_trouble": "bus: {reason}",
    "bus_silent_yet": "no server has answered yet",
    "bus_not_looked_at": "it has not been checked yet",
    "bus_cut": "the line to the bus is cut",
    "line_cut": "it is cut",
    "no_answer": "no answer in time",
    "too_few_servers": "too few of its servers are there",
    "too_little_room": (
        "its servers may store less than streams take: raise max_file in their config, or lower --events-gb"
    ),
    "no_cluster": "it has too few servers for --replicas: 1 for one server, 3 for a cluster of three",
    "no_stream": "a stream is not there: `tablectl bus check CONFIG` says which",
    "bus_certificate": "the server does not show a certificate that [bus] ca vouches for: {reason}",
    "bus_key_refused": "the servers refuse this key: run `tablectl bus init`, then reload the servers' config",
    "heads_unseen": "the last record that it has cannot be read: {reason}",
    "unsent_after": "the records after {after} cannot be sent: {reason}",
    "unsent": "record {seq} cannot be sent: {reason}",
    "rivals": "{count} messages came under this table's name from another sender",
    "no_roster": (
        "no roster of the key in [bus] admin has been read yet: `tablectl bus init FOLDER --server URL` stores one"
    ),
    "not_in_roster": "the roster has another key for floor {floor}: all that this floor shares is ignored",
    "unsigned": "{count} messages of {subject} are skipped, their author has not signed them; the last has key {key}",
    # a floor
    "floor_clock_set": (
        "this PC's clock was set by {seconds:.1f} s: restart the floor, which still uses the time of before"
    ),
    "events_unread": "the events cannot be read: {reason}",
    "floor_alerts_fail": "alerts.{name}: {reason}; the tables call by themselves",
    "floor_twin": (
        "another floor runs as {name}, with this key, on {host}: stop one of the two, or give each its own name and "
        "key: `tablectl bus init`"
    ),
    "table_over_share": (
        "{table}: more than {count} bytes of events in an hour, the rest is stored later: see who has its key"
    ),
    "document_refused": "{key} cannot be stored: {reason}; see `tablectl bus check`",
    # the pages
    "old_certificate": "the renewed certificate cannot be used, the former one is still shown; the log says why",
    "no_address": "no pages: this PC has no address {host} now; they are there as soon as it has",
    # wrong PINs
    "pins_closed": "too many wrong PINs, no sign-in from unknown browsers: {people}; `tablectl people lift` ends this",
    "pins_not_kept": "wrong PINs are counted until the next restart only: {reason}",
    "no_pin_counts": "expected counts of wrong PINs in {path}",
    # a record that contradicts the remembered one; codes of `core.witness`
    "rounds_not_counted": "{says}; rounds {first} to {last} of this record do not count",
    "two_pcs": (
        "a second PC of this table sends with epoch {theirs}, but epoch {ours} is valid: switch the second PC off"
    ),
    "bus_not_compared": "no round opens until the record is compared with the bus: {reason}",
    "anchor_not_compared": "no round opens until the record is compared with its anchor: {reason}",
    "loss_unasked": "a loss was accepted without this comparison",
    "record_not_begun": "no record was begun here, but {where} remembers record {seq} of table {table}",
    "record_elsewhere": (
        "after record {stands} the record continued elsewhere: {where} remembers epoch {epoch} of table {table}"
    ),
    "later_epoch": "epoch {ours} is not valid: {where} remembers the later epoch {theirs} of table {their}",
    "another_record": (
        "this is another record, epoch {ours} of table {our}; {where} remembers epoch {theirs} of table {their}"
    ),
    "record_missing": "record {seq} is missing, which {where} remembers",
    "records_missing": "records {first} to {last} are missing, which {where} remembers",
    "record_not_at_hand": "record {seq}, which {where} remembers, is not available",
    "archive_missing": (
        "record {seq}, which {where} remembers, is not available: the archive {name}, with records up to {last}, is "
        "not beside the journal; put it back"
    ),
    "older_copy": "from record {seq} on these records are an older copy's: {where} remembers other records",
    "record_changed": "record {seq}, or an earlier one, was changed: {where} remembers another",
    "the_anchor": "the anchor {path}",
    "the_folder": "the folder {path}",
    "the_bus": "the bus",
    # another anchor than the one begun for this record
    "anchor_missing": "{path}: the anchor is not there: mount its disk",
    "anchor_replaced": "{path}: this is not the anchor that was begun for this record: bring that one back",
    "anchor_copied": "{path}: this is a copy of the anchor: bring back the disk that it was written on",
    "anchor_moved": "{path}: the anchor is on the record's own disk now: mount the other disk",
    "anchor_older": "{path}: somebody has put an older anchor back: find out who, then start the table anew",
    "anchor_unnamed": "the config names no anchor any more",
    "anchor_unreadable": "{path}: expected an anchor, with epoch, seq and hash: {error}",
    # a device
    "cut_off": "cut off: {count:,} messages in {seconds:g} s",
    "cut_off_cards": "cut off: {count:,} cards",
    # the record's file
    "another_file": "it is another file now",
    "written_by_others": "somebody else has written to it",
    "file_removed": "it was removed, or has another name now",
    "wrong_file": "{path}: {what}; stop the table, put the right file there, start it",
    "two_writers": (
        "{path}: record {seq} or one before it is there already: another program writes this journal; end it"
    ),
    "other_end": "{path}: expected the record up to {last}, it ends with {seq}",
    "floor_file_missing": "{path}: the file is missing; stop the floor, put it there, start the floor",
    "floor_file_damaged": "{path}: damaged, or no file of a floor; stop the floor, put the right file there, start it",
    "disk_silent": "{path}: its disk does not answer",
    "disk_out_of_room": "{path}: the disk is full; make room on it",
    "disk_failing": "{path}: the disk cannot be read or written; check the disk and its cable",
    "disk_read_only": "{path}: nothing can be written there; check how its disk is mounted, and whose the file is",
}
