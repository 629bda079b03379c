"""Texts of defects of a table's PC or its bus connection, in English.

Programs, logs and the bus get them like this; other languages are in `locale/`.

Invariant: a text that begins with a space comes after those that end as it does, because `pc_words` searches them in
this order.
"""

# ── the record, its anchor, the bus ──────────────────────────────────────────────────────────────────────────────────

DAMAGED = "the record does not stand from {first} on, no round opens: `tablectl journal verify` says why"
UNVERIFIED = "the record cannot be verified: {reason}"
NOT_ANCHORED = "the record is not anchored since {since}: {reason}"
THE_START = "the start"
BUS = "bus: {reason}"
NOT_YET = "no server has answered yet"
NOT_LOOKED = "it has not been looked at yet"
CUT = "the line to the bus is cut"
IS_CUT = "it is cut"
NO_ANSWER = "no answer in time"
TOO_FEW_SERVERS = "too few of its servers are there"
TOO_LITTLE_ROOM = "its servers may store less than streams take: raise max_file in their config, or lower --events-gb"
NO_CLUSTER = "it has too few servers for --replicas: 1 for one server, 3 for a cluster of three"
NO_STREAM = "a stream is not there: `tablectl bus check CONFIG` says which"
NO_CERTIFICATE = "the server does not show a certificate that [bus] ca vouches for: {reason}"
NO_KEY = "the servers do not let this key in: see `tablectl bus init`, and that they have read its file"
NOT_SEEN = "what it remembers cannot be seen: {reason}"
UNSENT_AFTER = "what follows record {after} cannot be sent: {reason}"
UNSENT = "record {seq} cannot be sent: {reason}"
RIVALS = "{count} messages of somebody else's came under this table's name"
NO_ROSTER = "no roster of the key in [bus] admin has been read yet: `tablectl bus init FOLDER --server URL` stores one"
NOT_IN_ROSTER = "the roster does not have this key as that of floor {floor}: nothing counts that it shares"
UNSIGNED = "{count} messages of {subject} are skipped, their author has not signed them; the last has key {key}"

# ── the pages ────────────────────────────────────────────────────────────────────────────────────────────────────────

OLD_CERTIFICATE = "the renewed certificate cannot be used, the former one is still shown; the log says why"
NO_ADDRESS = "no pages: this PC has no address {host} now; they are there as soon as it has"

# ── wrong PINs ───────────────────────────────────────────────────────────────────────────────────────────────────────

PINS_CLOSED = "too many wrong PINs, no sign-in from unknown browsers: {people}; `tablectl people lift` ends this"
PINS_NOT_KEPT = "wrong PINs are counted until the next restart only: {reason}"
NO_COUNTS = "expected counts of wrong PINs in {path}"

# ── a record that is not the one remembered: as `core.witness` says it ───────────────────────────────────────────────

NOT_COUNTED = "{says}; rounds {first} to {last} of this record do not count"
TWO_PCS = "a second PC of this table is heard, with epoch {theirs}; epoch {ours} stands: switch the second PC off"
NOT_COMPARED = "no round opens until the record is compared with the bus: {reason}"
NOT_COMPARED_YET = "no round opens until the record is compared with its anchor: {reason}"
UNASKED = "a loss was accepted without it"
NOT_BEGUN = "no record is begun here, {where} remembers {seq} of table {table}"
ELSEWHERE = "after record {stands} it went on elsewhere: {where} remembers epoch {epoch} of table {table}"
LATER = "epoch {ours} does not stand: {where} remembers the later epoch {theirs} of table {their}"
ANOTHER = "this is another record, epoch {ours} of table {our}; {where} remembers epoch {theirs} of table {their}"
ONE_MISSING = "record {seq} is missing, which {where} remembers"
MISSING = "records {first} to {last} are missing, which {where} remembers"
NOT_AT_HAND = "record {seq}, which {where} remembers, is not at hand"
NO_ARCHIVE = (
    "record {seq}, which {where} remembers, is not at hand: the archive {name}, with records up to {last}, is not "
    "beside the journal; put it back"
)
A_COPYS = "from record {seq} on this is an older copy's: {where} remembers other records"
CHANGED = "from record {seq} on, if not before, this is not what was recorded: {where} remembers another"
THE_ANCHOR = "the anchor {path}"
THE_BUS = "the bus"

# ── an anchor that is not the one that was begun ─────────────────────────────────────────────────────────────────────

ANCHOR_MISSING = "{path}: the anchor is not there: mount its disk"
ANCHOR_REPLACED = "{path}: this is not the anchor that was begun for this record: bring that one back"
ANCHOR_COPIED = "{path}: this is a copy of the anchor: bring back the disk that it was written on"
ANCHOR_MOVED = "{path}: the anchor is on the record's own disk now: mount the other disk"
ANCHOR_OLDER = "{path}: somebody has put an older anchor back: find out who, then start the table anew"
ANCHOR_UNNAMED = "the config names no anchor any more"
NO_ANCHOR = "{path}: expected an anchor, with epoch, seq and hash: {error}"

# ── the record's file ────────────────────────────────────────────────────────────────────────────────────────────────

ANOTHER_FILE = "it is another file now"
WRITTEN_TO = "somebody else has written to it"
REMOVED = "it was removed, or has another name now"
WRONG_FILE = "{path}: {what}; stop the table, put the right file there, start it"
TWO_WRITERS = "{path}: record {seq} or one before it is there already: another program writes this journal; end it"
OTHER_END = "{path}: expected the record up to {ours}, it ends with {theirs}"
DISK_SILENT = "{path}: its disk does not answer"
