"""Authorise a browser at the table's own PC as the dealer's screen; it then keeps a cookie.

`tablectl kiosk CONFIG` prints an address that works once, within MINUTES, on that PC only. At most MOST browsers are
authorised; a further one replaces the oldest. The users file keeps only hashes of the code and of the cookies, so that
nobody who reads the file can use them. A browser whose hash is removed from the file is no longer the dealer's screen.
"""

import secrets
import time

from msgspec.structs import replace

from .users import KioskCode, Users, UsersFile, digest_of

MINUTES = 10
MOST = 20  # screens of one table


def offer(users: UsersFile) -> str:
    """Create a one-time code and void the code before it. Raises BadUsers."""
    code = secrets.token_urlsafe(24)
    with users.change() as change:
        change.users = replace(change.users, kiosk_code=KioskCode(digest_of(code), _now() + MINUTES * 60))
    return code


def claim(users: UsersFile, code: str) -> str | None:
    """Exchange a one-time code for the key that the browser keeps as its cookie.

    Returns None if there is no such code, or it is used or older than MINUTES. Raises BadUsers.
    """
    if not _is_valid(users.users(), code):
        return None
    key = secrets.token_urlsafe(32)
    with users.change() as change:
        if not _is_valid(change.users, code):  # another browser has used the code since the first check
            return None
        latest = sorted(change.users.kiosks.items(), key=lambda entry: entry[1])[-(MOST - 1) :]
        kiosks = {**dict(latest), digest_of(key): _now()}
        change.users = replace(change.users, kiosk_code=None, kiosks=kiosks)
    return key


def revoke(users: UsersFile) -> int:
    """Revoke every authorised dealer's screen and return how many there were. Raises BadUsers."""
    with users.change() as change:
        before = len(change.users.kiosks)
        change.users = replace(change.users, kiosk_code=None, kiosks={})
    return before


def is_granted(users: Users, key: str | None) -> bool:
    """True if this key was given to an authorised dealer's screen."""
    return key is not None and digest_of(key) in users.kiosks


def _is_valid(users: Users, code: str) -> bool:
    offered = users.kiosk_code
    return (
        offered is not None
        and secrets.compare_digest(offered.digest, digest_of(code))
        and 0 <= offered.until - _now() <= MINUTES * 60
    )


def _now() -> int:
    return int(time.time())
