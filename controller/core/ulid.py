"""The id of a round: a ULID, unique in the world, and the same whenever the record is decided again.

Its first 48 bits are the time, so that ids sort as the rounds came. The other 80 are not random: they are the start of
the SHA-256 of epoch, table and number of the round. Each journal has its own epoch, and each number once.
"""

import hashlib

import msgspec

from .clock import SECOND, Time

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: without I, L, O and U
_LENGTH = 26


def round_id(epoch: str, table: str, number: int, at: Time) -> str:
    """Return the id of the round with this number, opened at `at`."""
    milliseconds = at * 1000 // SECOND % (1 << 48)
    whose = hashlib.sha256(msgspec.json.encode((epoch, table, number))).digest()[:10]
    value = milliseconds << 80 | int.from_bytes(whose)
    return "".join(_DIGITS[value >> 5 * place & 31] for place in reversed(range(_LENGTH)))


def round_of(id_: str) -> str:
    """Return the id of a round from its own id or a bet's id (`ROUND.3`), in upper or lower case."""
    return id_.partition(".")[0].upper()
