"""The id of a round: a ULID, unique in the world, and the same whenever the record is decided again.

Its first 48 bits are the time, so that ids sort as the rounds came. The other 80 are no chance: they are of the SHA-256
of whose round it is. Two records have epochs of their own, and one record has each number once.
"""

import hashlib

import msgspec

from .clock import SECOND, Time

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: without I, L, O and U
_LENGTH = 26


def round_id(epoch: str, table: str, number: int, at: Time) -> str:
    """The id of the round with this number, which was opened then."""
    milliseconds = at * 1000 // SECOND % (1 << 48)
    whose = hashlib.sha256(msgspec.json.encode((epoch, table, number))).digest()[:10]
    value = milliseconds << 80 | int.from_bytes(whose)
    return "".join(_DIGITS[value >> 5 * place & 31] for place in reversed(range(_LENGTH)))


def round_of(said: str) -> str:
    """The id of a round, from the id of one of its bets (`ROUND.3`) or its own, in capitals or not."""
    return said.partition(".")[0].upper()
