"""Badge reader of the table: a badge signs its dealer on, by the same rules as at the dealer's screen.

Only dealers sign on here; shift managers use their badges at a page. One badge is tried at a time; repeated readings
of a badge that stays at the reader count as one. No badge code is in a log or a record.
"""

import asyncio
import secrets
from collections.abc import Callable
from hashlib import blake2b

import structlog
from starlette.exceptions import HTTPException

from ...config.mistakes import BadUsers
from ...core.coded_message import coded
from ...table.loop import Table
from ...text.coded import render
from .credential_checker import CredentialChecker, SignInAttempt
from .dealers import DealerTakeover, Obstacle
from .sources import PinSource

VIA = "badge_reader"
AGAIN = 3.0  # seconds within which repeated readings of one badge count as one


class BadgeDoor:
    """Sign-on of dealers by badge at the table's reader. `now`: monotonic seconds."""

    def __init__(self, table: Table, checker: CredentialChecker, now: Callable[[], float]) -> None:
        self._table, self._checker, self._now = table, checker, now
        self._taking_over = DealerTakeover(table, checker)
        self._salt = secrets.token_bytes(16)
        self._last, self._at = b"", 0.0
        self._trying: asyncio.Task[None] | None = None
        self._log = structlog.get_logger().bind(table=table.house.table)

    def hear(self, code: str) -> None:
        """Handle a reading. A badge that comes while another is tried is ignored; it can be held again."""
        one, last, at = blake2b(code.encode(), key=self._salt).digest(), self._last, self._at
        is_free = self._trying is None or self._trying.done()
        if one != last and not is_free:
            return
        self._last, self._at = one, self._now()
        if is_free and (one != last or self._at - at >= AGAIN):
            self._trying = asyncio.get_running_loop().create_task(self._try(code), name="a badge")

    async def _try(self, code: str) -> None:
        """Try a badge; a success is recorded, a refusal is written to the log."""
        try:
            self._check_registry()
            attempt = SignInAttempt("", "", PinSource("pc", VIA, VIA), badge=code)
            deals = await self._taking_over.by(attempt, VIA, again=False)
            self._log.info("badge_taken", dealer=deals.id)
        except Obstacle as obstacle:
            self._log.warning("badge_refused", reason=str(obstacle))
        except HTTPException as refused:
            self._log.warning("badge_refused", reason=refused.detail)
        except BadUsers as error:
            self._log.warning("badge_refused", reason=str(error))

    def _check_registry(self) -> None:
        if self._checker.persons.people() is None:
            raise BadUsers(render(coded("registry_needed")))

    async def stop(self) -> None:
        """Wait for the badge that is being tried, at the end of the program."""
        if self._trying is not None:
            await asyncio.wait([self._trying])
