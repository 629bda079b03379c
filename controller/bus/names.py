"""Where what goes on the bus: its subjects, its streams, the inboxes to which answers go."""

from typing import NamedTuple

EVENTS, HEADS, STATUS, CLAIMS = "EVENTS", "HEADS", "tablectl_status", "tablectl_claims"
KEYS = "tablectl_keys"  # the bucket of the roster, in which the admin alone stores
EPOCH, SEQ = "Tablectl-Epoch", "Tablectl-Seq"  # headers of an event: what has not both is nobody's
TO, KEY, NONCE, SIGNATURE = "Tablectl-To", "Tablectl-Key", "Tablectl-Nonce", "Tablectl-Signature"  # of a command
AT = "Tablectl-At"  # when a message was signed, in milliseconds
CODE = "Tablectl-Status"  # of an answer: as over HTTP
LARGE = "Tablectl-Large"  # of an event that is larger than the bus takes: how large; its content is asked of the table
EVENT, HEAD, LARGEST, DOCUMENT = 65_536, 16_384, 65_536, 524_288  # bytes of an event, a head, a status, a document
ROSTER = 262_144  # bytes: 2,000 tables and floors
INBOXES = {"floor": "_INBOX_floor", "platform": "_INBOX_platform"}  # of who may ask; to nowhere else is answered


def roster_of(studio: str) -> str:
    """Where the roster of a studio is: the one key of its bucket."""
    return f"$KV.{KEYS}.{studio}.roster"


class Place(NamedTuple):
    """One table's place on the bus."""

    studio: str
    table: str

    def subject(self, *rest: str) -> str:
        """Below the table's own name."""
        return ".".join(("tablectl", *self, *rest))

    @property
    def status(self) -> str:
        """Where its last word stands: a key of the bucket."""
        return f"$KV.{STATUS}.{self.studio}.{self.table}"

    @property
    def inbox(self) -> str:
        """Where answers to its own questions go."""
        return f"_INBOX_table.{self.studio}.{self.table}"
