"""Keys of the bus (nkeys), for the sign-in to the servers and for signatures of messages.

A seed is the secret key, in a file readable by its owner alone; the public key is written in configs.
"""

import base64
import binascii
import hashlib
import os
import re
from pathlib import Path
from typing import NamedTuple

import nkeys
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from ..core.coded_message import coded
from ..text.coded import CodedError
from ..text.errors import system_message

SEED = re.compile(r"\bSU[A-Z2-7]{56}\b")
PUBLIC_BYTES = 35  # kind, 32 bytes of the key, checksum


class BadCredentials(CodedError):
    """Credentials file cannot be used to sign in."""


class BusCredentials(NamedTuple):
    """Credentials of a program on the bus.

    `by_jwt`: the file is .creds, for a bus whose accounts are defined by JWT; `seed`: secret key in the file.
    """

    path: Path
    content: bytes
    seed: str
    by_jwt: bool

    @property
    def secret(self) -> bytes:
        """SHA-256 of the file, used as a secret that only the file's owner can compute."""
        return hashlib.sha256(self.content).digest()

    @property
    def signer(self) -> str:
        """Seed to sign messages with; .creds files have one too. Raises BadCredentials."""
        match = SEED.search(self.content.decode("ascii", "replace"))
        if match is None or not is_seed(match[0]):
            raise BadCredentials(coded("no_seed", path=str(self.path)))
        return match[0]

    @property
    def options(self) -> dict[str, str]:
        """Connection options for nats-py."""
        return {"user_credentials": str(self.path)} if self.by_jwt else {"nkeys_seed_str": self.seed}


def credentials_in(path: Path) -> BusCredentials:
    """Read a credentials file: a seed or .creds. Raises BadCredentials."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadCredentials(f"{path}: {system_message(error)}") from None
    text = content.decode("ascii", "replace").strip()
    by_jwt = "BEGIN NATS USER JWT" in text
    seed = next((line for line in text.split() if is_seed(line)), "") if by_jwt else text
    if not is_seed(seed):
        raise BadCredentials(coded("no_credentials", path=str(path)))
    return BusCredentials(path, content, seed, by_jwt)


def check_signer(path: Path) -> None:
    """Check that a credentials file has a seed to sign with. Raises BadCredentials if not."""
    _ = credentials_in(path).signer


def is_seed(text: str) -> bool:
    """True if the text is the seed of a user's nkey."""
    try:
        prefix, _ = nkeys.decode_seed(text.encode())
    except (nkeys.NkeysError, ValueError):
        return False
    return bool(prefix == nkeys.PREFIX_BYTE_USER)


def is_public(text: str) -> bool:
    """True if the text is the public key of a user's nkey; its last two bytes are a checksum."""
    try:
        raw = base64.b32decode(text)
    except ValueError:
        return False
    return len(raw) == PUBLIC_BYTES and raw[0] == nkeys.PREFIX_BYTE_USER and nkeys.crc16_checksum(raw[:-2]) == raw[-2:]


def new_seed() -> str:
    """Generate the seed of a new user."""
    return bytes(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)).decode()


def public_of(seed: str) -> str:
    """Return the public key of a seed."""
    return str(nkeys.from_seed(bytearray(seed.encode())).public_key.decode())


def sign(seed: str, message: bytes) -> bytes:
    """Sign bytes with a seed; return the signature in Base64, as a header has it."""
    return base64.b64encode(nkeys.from_seed(bytearray(seed.encode())).sign(message))


def is_signed(public: str, message: bytes, signature: str) -> bool:
    """True if the holder of a public key has signed these bytes. `signature`: in Base64."""
    try:
        raw = base64.b32decode(public + "=" * (-len(public) % 8))
        VerifyKey(raw[1:-2]).verify(message, base64.b64decode(signature, validate=True))
    except (BadSignatureError, binascii.Error, ValueError):
        return False
    return True
