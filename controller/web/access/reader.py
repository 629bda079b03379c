"""A badge that is held to the table's own reader signs its dealer on, by the same rules as at the dealer's screen.

Dealers alone: what a shift manager does is confirmed at a page, where it is seen what is confirmed. One badge is tried
at a time, and what a reader says again while the badge lies there is one reading. No badge is in a log or a record.
"""

import asyncio
import secrets
from collections.abc import Callable
from hashlib import blake2b

import structlog
from starlette.exceptions import HTTPException

from ...config.mistakes import BadUsers
from ...table.loop import Table
from ...text.faults import Words
from .dealers import Obstacle, TakingOver
from .desk import Desk, Knock
from .sources import Source

VIA = "badge_reader"
AGAIN = 3.0  # seconds within which the same badge is the same reading


class BadgeDoor:
    """At the table's reader. `now`: seconds of a clock that nobody sets."""

    def __init__(self, table: Table, desk: Desk, now: Callable[[], float]) -> None:
        self._table, self._desk, self._now = table, desk, now
        self._taking_over = TakingOver(table, desk)
        self._salt = secrets.token_bytes(16)
        self._last, self._at = b"", 0.0
        self._trying: asyncio.Task[None] | None = None
        self._log = structlog.get_logger().bind(table=table.house.table)

    def hear(self, code: str) -> None:
        """A badge was read. One that comes while another is tried has not been read: it is, when it is held again."""
        one, last, at = blake2b(code.encode(), key=self._salt).digest(), self._last, self._at
        is_free = self._trying is None or self._trying.done()
        if one != last and not is_free:
            return
        self._last, self._at = one, self._now()
        if is_free and (one != last or self._at - at >= AGAIN):
            self._trying = asyncio.get_running_loop().create_task(self._try(code), name="a badge")

    async def _try(self, code: str) -> None:
        """What comes of it is in the record; that nothing did, and why, in the log."""
        try:
            self._check_registry()
            knock = Knock("", "", Source("pc", VIA, VIA), badge=code)
            deals = await self._taking_over.by(knock, VIA, Words("en"), again=False)
            self._log.info("badge_taken", dealer=deals.id)
        except Obstacle as obstacle:
            self._log.warning("badge_refused", reason=str(obstacle))
        except HTTPException as refused:
            self._log.warning("badge_refused", reason=refused.detail)
        except BadUsers as error:
            self._log.warning("badge_refused", reason=str(error))

    def _check_registry(self) -> None:
        if self._desk.persons.people() is None:
            raise BadUsers("this table has no registry of persons; see `tablectl people`")

    async def stop(self) -> None:
        """The program ends: one that is being tried is let be."""
        if self._trying is not None:
            await asyncio.wait([self._trying])
