"""Check of PINs and badges for all doors: one at a time, and outside the event loop.

Guessing therefore takes no time from the table. Results are recorded; PINs and badge codes never are.
"""

import asyncio
from collections.abc import Callable

import structlog
from msgspec import Struct

from ...config.badges import BadgeUse
from ...config.people import KnownPerson
from ...config.pins import pin_matches
from ...core import events as e
from ...core.coded_message import coded
from ...core.persons import likeness
from ..net.replies import RequestRefused
from .attempts import BADGE, Attempts
from .persons import Persons
from .pin_queue import PinQueue, PinQueueFull
from .refusals import Refusals
from .sources import PinSource, badges_at, marked_source, own_source, with_badge
from .wrong_pins import MOST


class SignInAttempt(Struct, frozen=True):
    """Sign-in attempt. `mark`: token that the browser kept from an earlier sign-in."""

    name: str
    pin: str
    source: PinSource
    mark: str | None = None
    badge: str = ""  # as its reader types it: in place of the name

    def proof(self, use: BadgeUse) -> e.Proof:
        """Kind of proof that this attempt gives. `use`: what a badge is enough for."""
        return "pin" if not self.badge else "badge" if use == "alone" else "badge_pin"


class CredentialChecker:
    """Check of PINs and badges for all doors of one table or floor. `take`: records the results."""

    def __init__(self, name: str, take: Callable[[e.Event], object], persons: Persons, attempts: Attempts) -> None:
        self.persons, self.attempts = persons, attempts
        self.refusals, self.queue = Refusals(take), PinQueue()
        self._take = take
        self._log = structlog.get_logger().bind(table=name)

    async def admit(self, attempt: SignInAttempt) -> KnownPerson:
        """Verify a sign-in attempt; return the person. Raises HTTPException, BadUsers."""
        if attempt.proof(self.persons.badge) == "badge_pin" and not attempt.pin:
            raise RequestRefused(400, coded("badge_and_pin"))
        user = None if attempt.badge else self.persons.find(attempt.name)
        source = self._source(attempt, user)
        self._wait_at_the_door(attempt, source, user)
        try:
            async with self.queue.turn(badges_at(source) if attempt.badge else source):
                if attempt.badge:
                    return await self._try_badge(attempt, source)
                return await self._try(attempt, source, user)
        except PinQueueFull:
            raise RequestRefused(429, coded("crowded"), {"retry-after": "1"}) from None

    def _source(self, attempt: SignInAttempt, user: KnownPerson | None) -> PinSource:
        """Source under which a wrong PIN of this attempt is counted."""
        if user is None:
            return attempt.source
        if attempt.mark is not None and self.persons.is_marked(user, attempt.mark):
            return marked_source(attempt.source, attempt.mark)
        return own_source(attempt.source, user.id)

    def _wait_at_the_door(self, attempt: SignInAttempt, source: PinSource, user: KnownPerson | None) -> None:
        """Refuse an attempt that has to wait before it takes a place in the queue. Raises HTTPException."""
        if attempt.badge:
            self._wait(BADGE, None, badges_at(source))
        else:
            self._wait(*_name_and_number(attempt, user), source)

    async def _try_badge(self, attempt: SignInAttempt, source: PinSource) -> KnownPerson:
        """Verify a badge. Unknown badges count together: no two of them are attempts for the same person."""
        reader = badges_at(source)
        self._wait(BADGE, None, reader)
        user = await asyncio.to_thread(self.persons.holder, attempt.badge)
        if user is None:
            if attempt.pin:  # else the time of the answer would tell whether the badge is registered
                await asyncio.to_thread(pin_matches, attempt.pin, None)
            raise await self._count_wrong(BADGE, None, reader, by_badge=True)
        if attempt.proof(self.persons.badge) == "badge":
            self.attempts.forget_wrong(reader, BADGE)
            return user
        return await self._try(attempt, with_badge(source, user.id), user)

    async def _try(self, attempt: SignInAttempt, source: PinSource, user: KnownPerson | None) -> KnownPerson:
        name, number = _name_and_number(attempt, user)
        self._wait(name, number, source)
        if (
            await asyncio.to_thread(pin_matches, attempt.pin, None if user is None else user.person.pin)
            and user is not None
        ):
            self.attempts.forget_wrong(source, name)
            return user
        raise await self._count_wrong(name, number, source, by_badge=bool(attempt.badge))

    def _wait(self, name: str, number: str | None, source: PinSource) -> None:
        """Refuse the attempt if this source has to wait, or this person is closed to it. Raises HTTPException."""
        if self.attempts.is_closed(source, name):
            self.refusals.count_delayed(number, source.where, 0)
            raise RequestRefused(403, coded("closed"))
        if seconds := self.attempts.wait(source, name):
            self.refusals.count_delayed(number, source.where, seconds)
            message = coded("too_soon", minutes=seconds // 60, seconds=seconds % 60)
            raise RequestRefused(429, message, {"retry-after": str(seconds)})

    async def _count_wrong(self, name: str, number: str | None, source: PinSource, *, by_badge: bool) -> RequestRefused:
        """Count a wrong attempt; return the exception to raise."""
        times = self.attempts.count_wrong(source, name)
        closed = await self.attempts.close(source, name, known=number is not None)
        seconds = self.attempts.wait(source, name)
        self.refusals.count_wrong(number, source.where, max(times, MOST) if closed else times, seconds)
        # an unknown name is not logged: it could be a PIN, typed too early
        self._log.warning("sign_in_refused", name=number, via=source.where, times=times, wait=seconds, closed=closed)
        if closed:
            return RequestRefused(401, coded("sign_in_closed"))
        if not seconds:
            return RequestRefused(401, coded("wrong_badge") if by_badge else coded("wrong_pin"))
        wait = coded("wrong_badge_wait", seconds=seconds) if by_badge else coded("wrong_pin_wait", seconds=seconds)
        return RequestRefused(401, wait, {"retry-after": str(seconds)})

    def record_sign_in(self, user: KnownPerson, source: str, door: e.SignInDoor, proof: e.Proof | None = None) -> None:
        """Record a successful sign-in and write it to the log."""
        person = None if self.persons.people() is None else user.id
        self._take(e.SignIn(user.person.name, source, door, proof, person=person))
        self._log.info("signed_in", name=user.person.name, person=user.id, via=source, door=door)

    def stop(self) -> None:
        """Stop at the end of the program; write the refusals that are still held back."""
        self.refusals.close()


def _name_and_number(attempt: SignInAttempt, user: KnownPerson | None) -> tuple[str, str | None]:
    """Return the name under which wrong PINs are counted, and the person's number; None for an unknown person."""
    return (likeness(attempt.name), None) if user is None else (user.id, user.id)
