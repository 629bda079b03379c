"""Who is who on the bus: nkeys, which let somebody in, and sign what is to be obeyed.

A seed is the secret one and is in a file that its owner alone reads; the public one is in configs.
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

from .. import Unusable
from ..text.errors import system_says

SEED = re.compile(r"\bSU[A-Z2-7]{56}\b")


class BadCredentials(Unusable):
    """A file that lets nobody in."""


class Credentials(NamedTuple):
    """What lets a program in. `by_jwt`: the file is .creds, of a bus whose accounts are told by JWT."""

    path: Path
    content: bytes
    seed: str
    by_jwt: bool

    @property
    def secret(self) -> bytes:
        """What nobody else knows."""
        return hashlib.sha256(self.content).digest()

    @property
    def signer(self) -> str:
        """The seed to sign with, which .creds hold as well. Raises BadCredentials."""
        found = SEED.search(self.content.decode("ascii", "replace"))
        if found is None or not is_seed(found[0]):
            raise BadCredentials(f"{self.path}: expected the seed of a user's nkey in it, which begins with SU")
        return found[0]

    @property
    def options(self) -> dict[str, str]:
        """As the client has them."""
        return {"user_credentials": str(self.path)} if self.by_jwt else {"nkeys_seed_str": self.seed}


def credentials_in(path: Path) -> Credentials:
    """Raises BadCredentials."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadCredentials(f"{path}: {system_says(error)}") from None
    text = content.decode("ascii", "replace").strip()
    by_jwt = "BEGIN NATS USER JWT" in text
    seed = next((line for line in text.split() if is_seed(line)), "") if by_jwt else text
    if not is_seed(seed):
        raise BadCredentials(f"{path}: expected the seed of a user's nkey, which begins with SU, or .creds")
    return Credentials(path, content, seed, by_jwt)


def check_signer(path: Path) -> None:
    """Raises BadCredentials for a file that nobody can sign with."""
    _ = credentials_in(path).signer


def is_seed(text: str) -> bool:
    """Whether it is the seed of a user."""
    try:
        prefix, _ = nkeys.decode_seed(text.encode())
    except (nkeys.NkeysError, ValueError):
        return False
    return bool(prefix == nkeys.PREFIX_BYTE_USER)


def new_seed() -> str:
    """Of a new user."""
    return bytes(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)).decode()


def public_of(seed: str) -> str:
    """The public key of a seed."""
    return str(nkeys.from_seed(bytearray(seed.encode())).public_key.decode())


def sign(seed: str, said: bytes) -> bytes:
    """The signature, as it goes into a header."""
    return base64.b64encode(nkeys.from_seed(bytearray(seed.encode())).sign(said))


def is_signed(public: str, said: bytes, signature: str) -> bool:
    """Whether the holder of that key has signed this."""
    try:
        raw = base64.b32decode(public + "=" * (-len(public) % 8))
        VerifyKey(raw[1:-2]).verify(said, base64.b64decode(signature, validate=True))
    except (BadSignatureError, binascii.Error, ValueError):
        return False
    return True
