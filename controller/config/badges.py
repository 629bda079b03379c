"""Badges: codes as readers type them, and their stored hashes. No badge code is ever stored.

Hashes are made as for PINs, but under one salt for the whole registry. A reader does not say whose badge it is; so the
holder is found in the time of one PIN check.
"""

import base64
from collections.abc import Collection
from contextlib import suppress
from typing import Literal

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError

from drivers.badge_readers import BADGE

from .mistakes import BadUsers
from .pins import HASHER, NOBODYS

BadgeUse = Literal["alone", "with_pin"]  # whether a badge is enough, or the PIN is needed too


def hashed_badge(code: str, hashes: Collection[str] = ()) -> str:
    """Return the hash of a badge code, under the salt of the stored hashes `hashes`. Raises BadUsers."""
    if not BADGE.fullmatch(code):
        raise BadUsers("expected what the reader types of a badge: 8 to 64 letters, digits or signs, and no space")
    alike = matching_hashes(code, sorted(hashes)[:1]) if hashes else ()
    return next(iter(alike), None) or HASHER.hash(code)


def matching_hashes(code: str, hashes: Collection[str]) -> frozenset[str]:
    """Return the hashes of a code under each salt of the stored hashes.

    Without stored hashes the code is hashed too, so that the time does not show whether there are badges.
    """
    alike = {one.rpartition("$")[0]: one for one in hashes or (NOBODYS,)}
    return frozenset(digest for one in alike.values() if (digest := _hash_like(one, code)) is not None)


def _hash_like(digest: str, code: str) -> str | None:
    """Hash a code with the parameters and salt of a stored hash; None if these cannot be read."""
    with suppress(InvalidHashError, ValueError, IndexError):
        salt = digest.split("$")[4]
        return PasswordHasher.from_parameters(extract_parameters(digest)).hash(
            code, salt=base64.b64decode(salt + "=" * (-len(salt) % 4), validate=True)
        )
    return None
