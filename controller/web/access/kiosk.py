"""The screen at the table's own PC that is the dealer's: a browser there was told so once, and keeps a cookie.

`tablectl kiosk CONFIG` prints an address that is good once, for a few minutes, and on that PC alone. What the users
file keeps of it, and of the cookie, can be used by nobody who reads it; taken out of it, the screen is no dealer's.
"""

import secrets
import time

from msgspec.structs import replace

from .users import KioskCode, Users, UsersFile, digest_of

MINUTES = 10
MOST = 20  # screens of one table


def offer(users: UsersFile) -> str:
    """A code that is good once; the one before it is void. Raises BadUsers."""
    code = secrets.token_urlsafe(24)
    with users.changing() as change:
        change.users = replace(change.users, kiosk_code=KioskCode(digest_of(code), _now() + MINUTES * 60))
    return code


def claim(users: UsersFile, code: str) -> str | None:
    """What the browser that shows this code is to keep; null where the code is none, or used, or too old."""
    if not _is_good(users.users(), code):
        return None
    key = secrets.token_urlsafe(32)
    with users.changing() as change:
        if not _is_good(change.users, code):  # another browser was quicker
            return None
        latest = sorted(change.users.kiosks.items(), key=lambda kept: kept[1])[-(MOST - 1) :]
        kept = {**dict(latest), digest_of(key): _now()}
        change.users = replace(change.users, kiosk_code=None, kiosks=kept)
    return key


def revoke(users: UsersFile) -> int:
    """No screen is the dealer's any more. How many were. Raises BadUsers."""
    with users.changing() as change:
        before = len(change.users.kiosks)
        change.users = replace(change.users, kiosk_code=None, kiosks={})
    return before


def is_granted(users: Users, key: str | None) -> bool:
    """Whether this is what a browser keeps that was told."""
    return key is not None and digest_of(key) in users.kiosks


def _is_good(users: Users, code: str) -> bool:
    offered = users.kiosk_code
    return (
        offered is not None
        and secrets.compare_digest(offered.digest, digest_of(code))
        and 0 <= offered.until - _now() <= MINUTES * 60
    )


def _now() -> int:
    return int(time.time())
