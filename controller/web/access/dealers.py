"""Dealer sign-on with badge or PIN, at tables with a registry of persons.

    POST /session/dealer     {"name", "pin"}: badge number or name, and the PIN; between two rounds
                             {"badge", "pin"}: badge code as the reader types it; the PIN only if the config asks it

Only the dealer's own screen and the table's socket may send it. PIN and badge are never part of a command, so nothing
that stores commands can contain one.
"""

from collections.abc import Mapping

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...core import events as e
from ...core.coded_message import CodedMessage, coded
from ...core.life import RESTING
from ...table.loop import Table
from ...text.coded import WithMessage
from ..api.callers import caller_of
from ..net.replies import Reason, RequestRefused, as_json, problem_for
from .credential_checker import CredentialChecker, SignInAttempt
from .door import attempt_of, read_sign_in
from .sources import source_of


class DealerSignedOn(Struct, frozen=True):
    """Answer to a sign-on, with the dealer who deals from now on."""

    table: str
    dealer: str
    id: str


_MESSAGES: Mapping[Reason, CodedMessage] = {"halted": coded("refused_halted"), "round_on": coded("round_on")}


class Obstacle(WithMessage):
    """No dealer can take over now; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(_MESSAGES[reason])
        self.reason = reason


class DealerTakeover:
    """Takeover of the table by a dealer, after any kind of badge or PIN."""

    def __init__(self, table: Table, checker: CredentialChecker) -> None:
        self._table, self._checker = table, checker

    async def by(self, attempt: SignInAttempt, via: str, *, again: bool = True) -> DealerSignedOn:
        """Verify the person and make them the dealer. Raises HTTPException, BadUsers, Obstacle.

        `again`: also record the sign-in of somebody who deals already.
        """
        user = await self._checker.admit(attempt)
        if "dealer" not in user.person.roles:
            raise RequestRefused(403, coded("no_dealer_here", name=user.person.name))
        await self._table.wait_until_paid()
        if reason := self._obstacle():
            raise Obstacle(reason)
        another = (self._table.state.dealer, self._table.state.dealer_id) != (user.person.name, user.id)
        if another:
            self._table.take(e.DealerOn(user.person.name, id=user.id), e.Origin(via))
            await self._table.wait_until_recorded()
            if self._table.halted is not None:
                raise Obstacle("halted")
        if another or again:
            self._checker.record_sign_in(
                user, attempt.source.where, "dealer", attempt.proof(self._checker.persons.badge)
            )
        return DealerSignedOn(self._table.house.table, user.person.name, user.id)

    def _obstacle(self) -> Reason | None:
        """Reason why no dealer can take over now; None if one can."""
        if self._table.halted is not None:
            return "halted"
        return None if self._table.state.life in RESTING else "round_on"


class DealerDoor:
    """Route of the dealer's sign-on."""

    def __init__(self, table: Table, checker: CredentialChecker) -> None:
        self._taking_over = DealerTakeover(table, checker)
        self.routes = [Route("/session/dealer", self.sign_on, methods=["POST"])]

    async def sign_on(self, request: Request) -> Response:
        """POST /session/dealer: sign a dealer on."""
        caller = caller_of(request)
        if caller.role != "dealer" and not caller.for_others:
            raise RequestRefused(403, coded("dealers_screen"))
        if caller.people is None:
            raise RequestRefused(403, coded("no_registry"))
        credentials = await read_sign_in(request)
        attempt = attempt_of(credentials, source_of(request, caller))
        try:
            return as_json(await self._taking_over.by(attempt, caller.via))
        except Obstacle as obstacle:
            status = 503 if obstacle.reason == "halted" else 409
            return problem_for(request, status, obstacle.reason, obstacle.message)
