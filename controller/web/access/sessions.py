"""Sessions of signed-in persons.

Only acts of a person use a session; a page that stays open does not. After `idle` seconds without use, a session has
lapsed: its browser still shows the table, and can do nothing until the person types the PIN again, which opens a new
session. A session is over after sign-out, and after LONGEST seconds. The end of a session does not affect the round. A
person has at most MOST sessions: a new one ends the one unused for longest, unless all were used within the last IN_USE
seconds.
"""

import secrets
from collections.abc import Callable

from msgspec import Struct

IDLE = 300.0  # seconds
LONGEST = 12 * 3600.0  # seconds, a shift
MOST = 20  # of one person
IN_USE = 60.0  # seconds after its last use in which a session is not closed to make room for a new one


class TooManySessions(Exception):
    """Person has too many sessions, all used within the last minute."""


class Session(Struct):
    """Session of one person in one browser."""

    person: str  # the badge number; the name if there is no registry
    credentials_mark: str  # stored PIN and badge at sign-in: if they change, the session is void
    csrf: str
    since: float
    used: float


class Sessions:
    """Store of all sessions, in memory only.

    `now`: monotonic seconds; `idle`: seconds without use before one lapses.
    """

    def __init__(self, now: Callable[[], float], idle: float = IDLE) -> None:
        self._now, self._idle = now, idle
        self._sessions: dict[str, Session] = {}

    def open(self, person: str, credentials_mark: str) -> tuple[str, Session]:
        """Open a session for a verified person; return its key and the session. Raises TooManySessions."""
        self._forget(person)
        key = secrets.token_urlsafe(32)
        session = Session(person, credentials_mark, secrets.token_urlsafe(32), self._now(), self._now())
        self._sessions[key] = session
        return key, session

    def get(self, key: str | None) -> Session | None:
        """Session of this key; None if it has lapsed or is over."""
        session = self._sessions.get(key or "")
        return None if session is None or self._is_over(session) or self._has_lapsed(session) else session

    def lapsed_session(self, key: str | None) -> Session | None:
        """Session of this key if it has lapsed but is not over; else None."""
        session = self._sessions.get(key or "")
        return session if session is not None and self._has_lapsed(session) and not self._is_over(session) else None

    def use(self, session: Session) -> None:
        """Note that the person has done something; ignored if the session has lapsed."""
        if not self._has_lapsed(session):
            session.used = self._now()

    def close(self, key: str | None) -> None:
        """Close the session of this key at sign-out."""
        self._sessions.pop(key or "", None)

    def _has_lapsed(self, session: Session) -> bool:
        return self._now() - session.used >= self._idle

    def _is_over(self, session: Session) -> bool:
        return self._now() - session.since >= LONGEST

    def _forget(self, person: str) -> None:
        """Remove sessions that are over, and the longest unused one of a person with too many."""
        self._sessions = {key: session for key, session in self._sessions.items() if not self._is_over(session)}
        keys = [key for key, session in self._sessions.items() if session.person == person]
        if len(keys) < MOST:
            return
        oldest = min(keys, key=lambda key: self._sessions[key].used)
        if self._now() - self._sessions[oldest].used < IN_USE:
            raise TooManySessions
        del self._sessions[oldest]
