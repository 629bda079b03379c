"""Ruling by two shift managers: one sends the command, the other confirms with a PIN or badge.

    POST /api/v1/rulings     {"ruling": a `rule` or `resettle` command, "second": {"name", "pin"}}
                             {..., "second": {"badge", "pin"}}: badge code as the reader types it

The answer is a verdict, as for every command. The PIN is checked here and is not part of the command, so nothing that
stores commands can contain it. The table decides whether a second person is needed, and whether this one is allowed.
"""

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from ...config.people import KnownPerson
from ...core.coded_message import coded
from ...text.faults import Words
from ..api.addresses import routes
from ..api.callers import manager_of
from ..api.command_decoder import read_seconded
from ..api.hand_over_message import Credentials
from ..api.intake import Intake
from ..api.staff import may_rule, permit
from ..api.verdicts import encode_verdict
from ..net.bodies import body_of
from ..net.page_language import language
from ..net.replies import RequestRefused, json_response
from .credential_checker import CredentialChecker
from .door import LARGEST, attempt_of
from .sources import PinSource, source_of


class SecondDoor:
    """Route of rulings by two persons."""

    def __init__(self, intake: Intake, checker: CredentialChecker) -> None:
        self._intake, self._checker = intake, checker
        self.routes = routes(("POST", "/rulings", self.rule))

    async def rule(self, request: Request) -> Response:
        """POST /api/v1/rulings: verify the second person and carry out the ruling."""
        caller = manager_of(request)
        words = Words(language(request))
        seconded_rule = read_seconded(await body_of(request, LARGEST))
        permit(caller, seconded_rule.ruling)
        second = await self._verify_second(seconded_rule.second, source_of(request, caller))
        (verdict,) = [
            one async for one in self._intake.one_by_one(replace(caller, second=second), [seconded_rule.ruling])
        ]
        undone = verdict.verdict in ("waiting", "untaken")
        return json_response(b'{"verdicts":[%s]}' % encode_verdict(verdict, words), 503 if undone else 200)

    async def _verify_second(self, credentials: Credentials, source: PinSource) -> KnownPerson:
        """Verify the second person and their role. Raises HTTPException, BadUsers."""
        user = await self._checker.admit(attempt_of(credentials, source))
        if not may_rule(user.person):
            raise RequestRefused(403, coded("no_manager", name=user.person.name))
        return user
