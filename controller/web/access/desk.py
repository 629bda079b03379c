"""Where PINs and badges are tried: whoever comes through whichever door, one at a time and off the loop, so that
guessing costs the table nothing. What comes of it is in the record; no PIN and no badge ever is.
"""

import asyncio
from collections.abc import Callable

import structlog
from msgspec import Struct
from starlette.exceptions import HTTPException

from ...config.badges import BadgeUse
from ...config.people import Known
from ...config.pins import fits
from ...core import events as e
from ...core.persons import likeness
from ...text.caller_texts import BADGE_AND_PIN
from ...text.faults import CROWDED, TOO_SOON, WRONG_BADGE, WRONG_BADGE_WAIT, WRONG_PIN, WRONG_PIN_WAIT, Words
from .attempts import Attempts
from .persons import Persons
from .refusals import Refusals

QUEUE = 8  # people whose PIN is being tried or waits to be
BADGE = "a badge"  # that nobody has, as a name: nobody's likeness has a space
EACH = 2  # of them from one source: no single one keeps all others out


class Knock(Struct, frozen=True):
    """Somebody says who they are. `mark`: what their browser kept of an earlier time."""

    name: str
    pin: str
    source: str
    mark: str | None = None
    badge: str = ""  # as its reader types it: in place of the name

    def proof(self, use: BadgeUse) -> e.Proof:
        """By what they are known, where badges are of this use."""
        return "pin" if not self.badge else "badge" if use == "alone" else "badge_pin"


class Desk:
    """Of one table, or floor, for all its doors. `take`: has what comes of it recorded."""

    def __init__(self, name: str, take: Callable[[e.Event], object], persons: Persons, attempts: Attempts) -> None:
        self.persons, self.attempts = persons, attempts
        self.refusals = Refusals(take)
        self._take = take
        self._one_at_a_time = asyncio.Lock()
        self._waiting: list[str] = []  # from where
        self._log = structlog.get_logger().bind(table=name)

    async def admit(self, knock: Knock, words: Words) -> Known:
        """The person whose PIN or badge it is. Raises HTTPException, BadUsers."""
        if knock.proof(self.persons.badge) == "badge_pin" and not knock.pin:
            raise HTTPException(400, BADGE_AND_PIN)
        known = None if knock.badge else self.persons.find(knock.name)
        marked = self.persons.is_marked(known, knock.mark)
        source = f"{knock.source} {knock.mark}" if marked else knock.source
        crowded = len(self._waiting) >= QUEUE and not marked  # where they have been before they are let try
        if crowded or self._waiting.count(source) >= EACH:
            raise HTTPException(429, words.say(CROWDED), {"retry-after": "1"})
        self._waiting.append(source)
        try:
            async with self._one_at_a_time:
                if knock.badge:
                    return await self._try_badge(knock, source, words)
                return await self._try(knock, source, known, words)
        finally:
            self._waiting.remove(source)

    async def _try_badge(self, knock: Knock, source: str, words: Words) -> Known:
        """Badges that nobody has count together: of these no two tries are for the same person."""
        self._wait(BADGE, None, knock, source, words)
        known = await asyncio.to_thread(self.persons.holder, knock.badge)
        if knock.proof(self.persons.badge) == "badge_pin":
            return await self._try(knock, source, known, words)
        if known is None:
            raise self._wrong(BADGE, None, knock, source, words)
        self.attempts.right(source, BADGE)
        return known

    async def _try(self, knock: Knock, source: str, known: Known | None, words: Words) -> Known:
        said = BADGE if knock.badge else likeness(knock.name)
        name, number = (said, None) if known is None else (known.id, known.id)
        self._wait(name, number, knock, source, words)
        if await asyncio.to_thread(fits, knock.pin, None if known is None else known.person.pin) and known is not None:
            self.attempts.right(source, name)
            return known
        raise self._wrong(name, number, knock, source, words)

    def _wait(self, name: str, number: str | None, knock: Knock, source: str, words: Words) -> None:
        """Raises HTTPException as long as nothing may be tried for this name."""
        if seconds := self.attempts.wait(source, name):
            self.refusals.too_soon(number, knock.source, seconds)
            says = words.say(TOO_SOON).format(minutes=seconds // 60, seconds=seconds % 60)
            raise HTTPException(429, says, {"retry-after": str(seconds)})

    def _wrong(self, name: str, number: str | None, knock: Knock, source: str, words: Words) -> HTTPException:
        """It is counted; what is said of it."""
        times = self.attempts.wrong(source, name)
        seconds = self.attempts.wait(source, name)
        self.refusals.wrong(number, knock.source, times, seconds)
        # what nobody is called could be a PIN, typed too early
        self._log.warning("sign_in_refused", name=number, via=knock.source, times=times, wait=seconds)
        at_once, later = (WRONG_BADGE, WRONG_BADGE_WAIT) if knock.badge else (WRONG_PIN, WRONG_PIN_WAIT)
        says = words.say(later if seconds else at_once).format(seconds=seconds)
        return HTTPException(401, says, {"retry-after": str(seconds)} if seconds else None)

    def admitted(self, known: Known, source: str, door: e.SignInDoor, proof: e.Proof | None = None) -> None:
        """They are in: it is recorded."""
        person = None if self.persons.people() is None else known.id
        self._take(e.SignIn(known.person.name, source, door, proof, person=person))
        self._log.info("signed_in", name=known.person.name, person=known.id, via=source, door=door)

    def stop(self) -> None:
        """The program ends."""
        self.refusals.close()
