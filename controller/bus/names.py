"""Names on the bus: subjects, streams, buckets, inboxes and message headers."""

from typing import NamedTuple

EVENTS, HEADS, STATUS, CLAIMS = "EVENTS", "HEADS", "tablectl_status", "tablectl_claims"
KEYS = "tablectl_keys"  # the bucket of the roster, in which the admin alone stores
EPOCH, SEQ = "Tablectl-Epoch", "Tablectl-Seq"  # headers of an event: what has not both is nobody's
TO, KEY, NONCE, SIGNATURE = "Tablectl-To", "Tablectl-Key", "Tablectl-Nonce", "Tablectl-Signature"  # of a command
AT = "Tablectl-At"  # when a message was signed, in milliseconds
REMOVAL = "KV-Operation"  # of a marker that a key of a bucket was removed: NATS' own, signed here with the message
CODE = "Tablectl-Status"  # of an answer: as over HTTP
LARGE = "Tablectl-Large"  # of an event that is larger than the bus takes: how large; its content is asked of the table
EVENT, HEAD, LARGEST, DOCUMENT = 65_536, 16_384, 65_536, 524_288  # bytes of an event, a head, a status, a document
ROSTER = 262_144  # bytes: 2,000 tables and floors
INBOXES = {"floor": "_INBOX_floor", "platform": "_INBOX_platform"}  # of who may ask; to nowhere else is answered
LATER = 7  # subjects for heads of a table's later epochs, in turn: one epoch removes no head of the next six


def roster_of(studio: str) -> str:
    """Subject of a studio's roster: the one key of its bucket."""
    return f"$KV.{KEYS}.{studio}.roster"


class Place(NamedTuple):
    """Names of one table on the bus: its subjects, status key and inbox."""

    studio: str
    table: str

    def subject(self, *rest: str) -> str:
        """Subject below the table's own: `tablectl.STUDIO.TABLE.REST`."""
        return ".".join(("tablectl", *self, *rest))

    def head(self, epochs: int) -> str:
        """The subject of an epoch's heads. `epochs`: how many ended before it."""
        return self.subject("head", *((str((epochs - 1) % LATER + 1),) if epochs else ()))

    @property
    def heads(self) -> tuple[str, ...]:
        """The subjects of all heads."""
        return tuple(self.head(epochs) for epochs in range(LATER + 1))

    @property
    def status(self) -> str:
        """Subject of the table's status: one key of the status bucket."""
        return f"$KV.{STATUS}.{self.studio}.{self.table}"

    @property
    def inbox(self) -> str:
        """Inbox prefix for answers to the table's own requests."""
        return f"_INBOX_table.{self.studio}.{self.table}"
