"""Signed commands over the bus: the signature decides who may command, never the subject.

The signature covers the subject (it names the table), the table's epoch, a nonce, the destination path and the body, so
a command is valid for one table, one record and one time. A nonce begins with its time in milliseconds. The table
refuses nonces whose time differs from its clock by more than LATE or is before its own start, and remembers accepted
ones for two minutes of the monotonic clock.

Limits: a command could be repeated after a restart if its sender's clock was ahead, and after the PC's clock was set
back to the command's time.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from secrets import token_hex

from ..core.coded_message import coded
from ..text.coded import WithMessage
from . import names as n
from .keys import is_signed, public_of, sign

LATE = 60.0  # seconds by which a command's time may differ from ours: transit time and clock difference together
MOST = 5000  # commands of one sender that are remembered


class Unsigned(WithMessage):
    """Command refused because of its key, signature or nonce; the text says why."""


def _signed_bytes(subject: str, epoch: str, nonce: str, to: str, body: bytes) -> bytes:
    return "\n".join((subject, epoch, nonce, to, "")).encode() + body


def signed_headers(
    seed: str, subject: str, epoch: str, to: str, body: bytes, now: float | None = None
) -> dict[str, str]:
    """Headers for a signed command.

    `epoch`: the table's epoch from its status; `to`: destination path; `now`: Unix seconds.
    """
    nonce = f"{round((time.time() if now is None else now) * 1000)}-{token_hex(8)}"
    signature = sign(seed, _signed_bytes(subject, epoch, nonce, to, body)).decode()
    return {n.TO: to, n.KEY: public_of(seed), n.NONCE: nonce, n.SIGNATURE: signature}


class CommandVerifier:
    """Verifies signed commands to a table and refuses repeated ones.

    `keys`: public keys by name, for each kind (the last part of the subject).
    """

    def __init__(
        self,
        keys: Mapping[str, Mapping[str, str]],
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._names = {kind: {key: name for name, key in by_name.items()} for kind, by_name in keys.items()}
        self._clock, self._steady, self._began = clock, steady, steady()
        self._nonces = defaultdict[str, dict[str, float]](dict)  # by key: arrival of nonces (steady), oldest first

    def verify(self, subject: str, epoch: str, headers: Mapping[str, str], body: bytes) -> tuple[str, str]:
        """Verify a command. Returns the sender's name and the destination path. Raises Unsigned."""
        key, nonce, to = headers.get(n.KEY, ""), headers.get(n.NONCE, ""), headers.get(n.TO, "")
        kind = subject.rpartition(".")[2]
        name = self._names.get(kind, {}).get(key)
        if name is None:
            raise Unsigned(coded("sender_key_unknown", kind=kind, key=key or "none"))
        if not is_signed(key, _signed_bytes(subject, epoch, nonce, to, body), headers.get(n.SIGNATURE, "")):
            raise Unsigned(coded("not_signed"))
        self._check_nonce(key, nonce)
        return name, to

    def _check_nonce(self, key: str, nonce: str) -> None:
        stamp, _, _ = nonce.partition("-")
        now, at = self._clock(), int(stamp) / 1000 if stamp.isascii() and stamp.isdecimal() and len(stamp) < 16 else 0.0
        nonces, steady = self._nonces[key], self._steady()
        while nonces and next(iter(nonces.values())) < steady - 2 * LATE:
            del nonces[next(iter(nonces))]
        if abs(now - at) > LATE or now - at > steady - self._began:
            raise Unsigned(coded("sent_too_late", seconds=now - at))
        if nonce in nonces:
            raise Unsigned(coded("taken_already"))
        if len(nonces) >= MOST:
            raise Unsigned(coded("commands_too_many"))
        nonces[nonce] = steady
