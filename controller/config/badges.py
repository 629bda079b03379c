"""Badges: what a reader types of one, and what is kept of it. No badge code is ever written down.

What is kept is hashed as a PIN is, but all of a registry under one salt: a reader does not say whose badge it is, and
whoever holds one is found in the time that one PIN takes.
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

BadgeUse = Literal["alone", "with_pin"]  # enough by itself; or as good as the id, and the PIN is asked for


def hashed_badge(code: str, kept: Collection[str] = ()) -> str:
    """What is kept of it, under the salt of those that are kept already. Raises BadUsers."""
    if not BADGE.fullmatch(code):
        raise BadUsers("expected what the reader types of a badge: 8 to 64 letters, digits or signs, and no space")
    alike = kept_of(code, sorted(kept)[:1]) if kept else ()
    return next(iter(alike), None) or HASHER.hash(code)


def kept_of(code: str, kept: Collection[str]) -> frozenset[str]:
    """What would be kept of this code, under each salt of those that are kept; where there is none it takes as long."""
    alike = {one.rpartition("$")[0]: one for one in kept or (NOBODYS,)}
    return frozenset(made for one in alike.values() if (made := _as(one, code)) is not None)


def _as(kept: str, code: str) -> str | None:
    """Hashed in the way that this is; null where that is not known."""
    with suppress(InvalidHashError, ValueError, IndexError):
        salt = kept.split("$")[4]
        return PasswordHasher.from_parameters(extract_parameters(kept)).hash(
            code, salt=base64.b64decode(salt + "=" * (-len(salt) % 4), validate=True)
        )
    return None
