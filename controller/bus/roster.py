"""Roster: public keys of a studio's tables and floors, signed by its admin, in a bucket of its own.

Only the admin's key can store there. A floor follows it without a restart: exactly the keys of the newest roster count.
A roster older than the present one is ignored.
"""

from collections.abc import Mapping
from contextlib import suppress

import msgspec
import structlog
from msgspec import Struct
from nats.aio.client import Client
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from .keys import credentials_in
from .names import KEYS, roster_of
from .seals import Seals, signature_time
from .studio import Studio

TIMEOUT = 10.0


class Roster(Struct, frozen=True):
    """Public keys of tables and floors by name."""

    tables: dict[str, str] = {}
    floors: dict[str, str] = {}


class Rosters:
    """Newest roster among those that were read. `seals`: has the admin's key."""

    def __init__(self, seals: Seals) -> None:
        self.newest: Roster | None = None
        self.at = 0  # signing time, milliseconds
        self._seals = seals

    def take(self, subject: str, headers: Mapping[str, str] | None, body: bytes) -> bool:
        """Verify a roster that was read.

        Returns False if the admin has not signed it, or has signed a later one, or if it is no valid roster.
        """
        at = signature_time(headers)
        if not self._seals.is_sound(subject, headers, body) or at < self.at:
            return False
        try:
            self.newest = msgspec.json.decode(body, type=Roster)
        except msgspec.MsgspecError as error:
            structlog.get_logger().warning("no_roster", subject=subject, reason=str(error))
            return False
        self.at = at
        return True


async def read_rosters(stream: JetStreamContext, studio: str, seals: Seals) -> Rosters:
    """Read all rosters that the leader of the stream has. Raises nats' errors."""
    rosters, seq = Rosters(seals), 0
    with suppress(NotFoundError):
        while True:
            one = await stream.get_msg(f"KV_{KEYS}", seq + 1, subject=roster_of(studio), next=True)
            rosters.take(one.subject or "", one.headers, one.data or b"")
            seq = one.seq or 0
    return rosters


async def publish(client: Client, studio: Studio) -> None:
    """Sign the keys in the studio's folder, later than any roster before, and store them.

    Raises nats' errors, Unusable.
    """
    stream, subject = client.jetstream(timeout=TIMEOUT), roster_of(studio.name)
    seals = Seals(credentials_in(studio.admin).signer, {}, {}, studio.admin_key)
    seals.sign_after((await read_rosters(stream, studio.name, seals)).at)
    body = msgspec.json.encode(Roster(studio.keys("tables"), studio.keys("floors")))
    await stream.publish(subject, body, headers=seals.seal(subject, body))
