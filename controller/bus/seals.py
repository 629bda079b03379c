"""Signatures on messages: heads, statuses, beats, answers, floors' shared documents and the roster.

A signature covers the subject, which names the table, the time, further texts (`about`) and the body, which has the
epoch. A message without the signature of its author is skipped and counted; what was known before is kept.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..core.coded_message import CodedMessage, coded
from . import names as n
from .keys import is_signed, public_of, sign

TROUBLED = 600.0  # seconds for which an unsigned message is reported
MOST = 1000  # subjects with counts of unsigned messages


class Junk(NamedTuple):
    """Count of messages on one subject without the author's signature.

    `key`: public key in the last of them; `at`: when it came, in seconds of the monotonic clock.
    """

    times: int
    key: str
    at: float


def _signed_bytes(subject: str, at: str, about: tuple[str, ...], body: bytes) -> bytes:
    return "\n".join((subject, at, *about, "")).encode() + body


class Seals:
    """Signs messages with one key and verifies signatures of others.

    `seed`: own key; `tables`, `floors`: trusted public keys by name; `admin`: public key that signs the roster, or
    None. `known`: event that is set once the trusted keys are known; with an admin, by the roster.
    """

    def __init__(
        self, seed: str, tables: Mapping[str, str], floors: Mapping[str, str], admin: str | None = None
    ) -> None:
        self._seed, self.public = seed, public_of(seed)
        self.tables, self.floors, self._admin = dict(tables), dict(floors), admin
        self.known = asyncio.Event()
        if admin is None:
            self.known.set()
        self._last = 0
        self.junk: dict[str, Junk] = {}

    def trust(self, tables: Mapping[str, str], floors: Mapping[str, str]) -> set[str]:
        """Replace the trusted keys by these. Returns the tables that had another key before."""
        changed = {table for table, key in self.tables.items() if tables.get(table) != key}
        for keys, new in ((self.tables, tables), (self.floors, floors)):
            keys.clear()
            keys.update(new)
        self.junk = {subject: junk for subject, junk in self.junk.items() if junk.key not in self._authors(subject)}
        self.known.set()
        return changed

    @property
    def is_trusted_floor(self) -> bool:
        """True if the trusted floors are known and include the own key, so its shared documents count."""
        return self.known.is_set() and self.public in self.floors.values()

    @property
    def is_left_out(self) -> bool:
        """True if the trusted floors are known and lack the own key, so its shared documents do not count."""
        return self.known.is_set() and not self.is_trusted_floor

    def sign_after(self, at: int) -> None:
        """Sign all further messages with later times than `at`, whatever the clock says."""
        self._last = at

    def seal(self, subject: str, body: bytes, *about: str) -> dict[str, str]:
        """Headers with time, public key and signature for one message.

        Times always increase, even if the clock is set back. `about`: further texts to sign.
        """
        self._last = max(self._last + 1, round(time.time() * 1000))
        at = str(self._last)
        signature = sign(self._seed, _signed_bytes(subject, at, about, body)).decode()
        return {n.AT: at, n.KEY: self.public, n.SIGNATURE: signature}

    def is_sound(self, subject: str, headers: Mapping[str, str] | None, body: bytes, *about: str) -> bool:
        """Verify that an author of this subject signed the message. Counts a message that fails.

        A marker that removes a key is signed with its operation in `about`, by an author or by the admin.
        """
        fields = headers or {}
        key, at = fields.get(n.KEY, ""), fields.get(n.AT, "")
        is_trusted = key in self._authors(subject)
        if removal := fields.get(n.REMOVAL):
            is_trusted, about = is_trusted or key == self._admin, (*about, removal)
        if is_trusted and is_signed(key, _signed_bytes(subject, at, about, body), fields.get(n.SIGNATURE, "")):
            return True
        counted = (
            subject.rpartition(".")[0] if subject.startswith("_INBOX") else subject
        )  # without an inbox's random end
        before = self.junk.pop(counted, None)
        self.junk[counted] = Junk(1 if before is None else before.times + 1, key, time.monotonic())
        while len(self.junk) > MOST:
            del self.junk[next(iter(self.junk))]
        return False

    def _authors(self, subject: str) -> frozenset[str]:
        if subject.startswith(f"$KV.{n.CLAIMS}."):
            return frozenset(self.floors.values())
        if subject.startswith(f"$KV.{n.KEYS}."):
            return frozenset(filter(None, (self._admin,)))
        return frozenset(key for table in _tables_in(subject) if (key := self.tables.get(table)))

    @property
    def troubles(self) -> list[CodedMessage]:
        """Describe recent messages without a valid signature, one message for each subject."""
        return list(self._messages_by_subject().values())

    def troubles_of(self, table: str) -> tuple[CodedMessage, ...]:
        """Describe recent messages without a valid signature on one table's subjects."""
        return tuple(line for subject, line in self._messages_by_subject().items() if table in _tables_in(subject))

    def _messages_by_subject(self) -> dict[str, CodedMessage]:
        now = time.monotonic()
        return {
            subject: coded("unsigned", count=junk.times, subject=subject, key=junk.key[:56] or "-")
            for subject, junk in self.junk.items()
            if now - junk.at < TROUBLED
        }


def _tables_in(subject: str) -> Sequence[str]:
    """Name of the table in a subject or inbox (_INBOX_floor.FLOOR.TABLE.TOKEN), as a list; empty if there is none."""
    parts = subject.split(".")
    return parts[3:4] if parts[0] == "$KV" else parts[2:3]


def signature_time(headers: Mapping[str, str] | None) -> int:
    """Time of a message's signature in milliseconds of Unix time; 0 if the header is missing or wrong."""
    text = (headers or {}).get(n.AT, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0
