"""Names on the bus: subjects, streams, buckets, inboxes and message headers."""

from typing import NamedTuple

EVENTS, HEADS, STATUS, CLAIMS = "EVENTS", "HEADS", "tablectl_status", "tablectl_claims"
KEYS = "tablectl_keys"  # bucket of the roster; only the admin may write to it
EPOCH, SEQ = "Tablectl-Epoch", "Tablectl-Seq"  # headers of an event; without both it is ignored
TO, KEY, NONCE, SIGNATURE = "Tablectl-To", "Tablectl-Key", "Tablectl-Nonce", "Tablectl-Signature"  # command headers
AT = "Tablectl-At"  # header: time of the signature, in milliseconds of Unix time
REMOVAL = "KV-Operation"  # NATS' header of a marker for a removed key; it is signed with the message
CODE = "Tablectl-Status"  # header of an answer: its status, as over HTTP
LARGE = "Tablectl-Large"  # header of an event too large for the bus: its bytes; get it from the table
EVENT, HEAD, LARGEST, DOCUMENT = 65_536, 16_384, 65_536, 524_288  # bytes of an event, a head, a status, a document
ROSTER = 262_144  # bytes: 2,000 tables and floors
INBOXES = {"floor": "_INBOX_floor", "platform": "_INBOX_platform"}  # inboxes of callers; tables answer only there
LATER = 7  # subjects for heads of later epochs, used in turn, so that an epoch's heads outlast the next six epochs


def roster_of(studio: str) -> str:
    """Subject of a studio's roster: the one key of its bucket."""
    return f"$KV.{KEYS}.{studio}.roster"


class TableNames(NamedTuple):
    """Names of one table on the bus: its subjects, status key and inbox."""

    studio: str
    table: str

    def subject(self, *rest: str) -> str:
        """Subject below the table's own: `tablectl.STUDIO.TABLE.REST`."""
        return ".".join(("tablectl", *self, *rest))

    def head(self, epochs: int) -> str:
        """Return the subject of an epoch's heads. `epochs`: number of epochs that ended before it."""
        return self.subject("head", *((str((epochs - 1) % LATER + 1),) if epochs else ()))

    @property
    def heads(self) -> tuple[str, ...]:
        """Subjects of the heads of all epochs."""
        return tuple(self.head(epochs) for epochs in range(LATER + 1))

    @property
    def status(self) -> str:
        """Subject of the table's status: one key of the status bucket."""
        return f"$KV.{STATUS}.{self.studio}.{self.table}"

    @property
    def inbox(self) -> str:
        """Inbox prefix for answers to the table's own requests."""
        return f"_INBOX_table.{self.studio}.{self.table}"
