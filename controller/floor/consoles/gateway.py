"""Consoles of the tables at the floor: `/tables/TABLE/manager` and the requests of this page.

    GET  /tables/T/manager                  the page
    ANY  /tables/T/session...               as at the floor: one sign-in for all tables
    GET  /tables/T/api/screen               event stream of the table's screen
    GET  /tables/T/api/...                  the table's own answer
    POST /tables/T/api/preview|commands|rulings      signed by the floor, in the name of the signed-in person

Invariant: the table decides. Roles are checked here and there; `by` is always the signed-in person, whatever a body
says. Only the floor knows who a table is assigned to: it reads that at the moment of a ruling. The floor verifies a
second person's PIN before it passes it on to the table. A wrong PIN counts as an attempt of the signed-in person, and
is not passed on.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import TypeVar

import msgspec
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ...bus.bus_client import FAILED, reason_of
from ...bus.relay import RelayedAnswer
from ...bus.requests import COMMANDS, PREVIEW, RULINGS
from ...config.bus import TOKEN
from ...core.coded_message import coded
from ...core.persons import is_among
from ...text.coded import message_of
from ...text.faults import Words
from ...web.access.credential_checker import CredentialChecker
from ...web.access.door import FrontDoor, attempt_of
from ...web.access.sources import session
from ...web.api.api import LARGEST
from ...web.api.callers import caller_of
from ...web.api.command_decoder import SentCommands, read, read_seconded
from ...web.api.commands import Caller, Command, Forbidden, word
from ...web.api.labels import Labels
from ...web.api.request_parameters import language_of
from ...web.api.staff import RULING, permit
from ...web.net.bodies import body_of
from ...web.net.files import Pages
from ...web.net.replies import PROBLEM, RequestRefused, json_response, problem_for
from ...web.net.stream import EventStream
from ..people.viewers import Viewer, refusal_message, viewer_of, who_rules
from ..shared_state.state import Shared
from ..storage.table_events import Unanswered
from .screens import Consoles
from .table_requests import TableClient, TableVerdict, verdicts_of

BASE = "/tables/{table}"
NOTED = ("fault", "ruling", "round", "case", "because")  # fields of a command that the floor's own record notes
Note = Callable[..., Awaitable[None]]
C = TypeVar("C", bound=Command)
_VERDICTS = b'"verdicts"'


class Gateway:
    """Routes of the floor's pages and API below `/tables/TABLE`.

    `owner`: returns the person a table is assigned to, as last heard; `note`: writes to the floor's record; `checker`:
    verifies a second person's PIN.
    """

    def __init__(
        self,
        table_client: TableClient,
        consoles: Consoles,
        owner: Callable[[str], str | None],
        shared: Shared,
        note: Note,
        checker: CredentialChecker,
    ) -> None:
        self._table_client, self._consoles, self._checker = table_client, consoles, checker
        self._owner, self._shared, self._note = owner, shared, note

    def routes(self, pages: Pages, front: FrontDoor, labels: Labels) -> list[BaseRoute]:
        """Return the routes of all tables' pages below `/tables/TABLE`."""
        return [
            Route(f"{BASE}/manager", pages.page),
            *front.session_below(BASE),
            Route(f"{BASE}/api/words", labels.words),
            Route(f"{BASE}/glossary", labels.glossary),
            Route(f"{BASE}/api/screen", self.screen),
            Route(f"{BASE}/api/preview", self.preview, methods=["POST"]),
            Route(f"{BASE}/api/commands", self.commands, methods=["POST"]),
            Route(f"{BASE}/api/rulings", self.rulings, methods=["POST"]),
            Route(f"{BASE}/api/{{rest:path}}", self.look),
        ]

    async def screen(self, request: Request) -> Response:
        """Event stream of the table's screen."""
        viewer, table, language = viewer_of(request), _table(request), language_of(request)

        def about(dealers: tuple[str, ...]) -> Mapping[str, object]:
            owner = self._owner(table)
            return {
                "who_rules": who_rules(viewer, owner, Words(language)),
                "looks_on": not viewer.acts_at(owner),
                "own_round": is_among(dealers, viewer.name, viewer.id),
            }

        return EventStream(self._consoles.frames(table, language, caller_of(request).still, about))

    async def look(self, request: Request) -> Response:
        """Pass a GET request on to the table."""
        viewer_of(request)
        query = f"?{request.url.query}" if request.url.query else ""
        return await _answer_of(
            request, self._table_client.get(_table(request), f"/api/{request.path_params['rest']}{query}")
        )

    async def preview(self, request: Request) -> Response:
        """Preview of a ruling by the table; nothing is recorded."""
        sent, _ = await self._read(request)
        return await _answer_of(
            request, self._table_client.post(_table(request), _table_path(PREVIEW, request), _body(sent))
        )

    async def commands(self, request: Request) -> Response:
        """Run commands at the table in the name of the signed-in person."""
        sent, viewer = await self._read(request)
        return await self._send(request, COMMANDS, _body(sent), viewer, sent.commands)

    async def rulings(self, request: Request) -> Response:
        """Ruling of two persons: the second PIN is verified here and again by the table."""
        caller, viewer = self._require_rights(request)
        message = read_seconded(await body_of(request, LARGEST))
        message = replace(message, ruling=_sign_command(caller, message.ruling))
        try:
            attempt = attempt_of(message.second, session(request, viewer.id))
            await self._checker.admit(attempt)
        except HTTPException as refused:
            await self._record(_table(request), viewer, [message.ruling], [TableVerdict(str(refused.status_code))])
            raise
        return await self._send(request, RULINGS, msgspec.json.encode(message), viewer, [message.ruling])

    def _require_rights(self, request: Request) -> tuple[Caller, Viewer]:
        """Caller who may act at this table. Raises HTTPException, Forbidden."""
        caller, table, viewer = caller_of(request), _table(request), viewer_of(request)
        if not viewer.acts_at(self._owner(table)):
            raise Forbidden(refusal_message(viewer, "command", table))
        return caller, viewer

    async def _read(self, request: Request) -> tuple[SentCommands, Viewer]:
        """Commands of the request, in the name of the signed-in person.

        Raises HTTPException, MalformedCommand, Forbidden.
        """
        caller, viewer = self._require_rights(request)
        sent = read(await body_of(request, LARGEST))
        return SentCommands([_sign_command(caller, command) for command in sent.commands], sent.together), viewer

    async def _send(
        self, request: Request, to: str, body: bytes, viewer: Viewer, commands: Sequence[Command]
    ) -> Response:
        table = _table(request)
        try:
            if any(type(command) in RULING for command in commands):
                await self._require_assignment(viewer, table)
            answer = await self._table_client.post(table, _table_path(to, request), body)
        except Unanswered as silence:
            await self._record(table, viewer, commands, [TableVerdict("unanswered")] * len(commands))
            return no_answer_problem(request, silence)
        await self._record(table, viewer, commands, verdicts_of(answer, len(commands)))
        return _response_of(answer)

    async def _require_assignment(self, viewer: Viewer, table: str) -> None:
        """Check that this viewer may rule; a supervisor only at an assigned table, read from the bus now.

        Raises Forbidden, Unanswered.
        """
        if viewer.acts_at(None):
            return
        try:
            owner = await self._shared.owner(table)
        except FAILED as error:
            raise Unanswered(coded("no_owner", table=table, reason=reason_of(error))) from None
        if not viewer.acts_at(owner):
            raise Forbidden(refusal_message(viewer, "command", table))

    async def _record(
        self, table: str, viewer: Viewer, commands: Sequence[Command], verdicts: Sequence[TableVerdict]
    ) -> None:
        for command, verdict in zip(commands, verdicts, strict=True):
            about = {name: getattr(command, name) for name in NOTED if hasattr(command, name)}
            about |= {"table": table, "command": word(command), "verdict": verdict.verdict}
            await self._note("commanded", by=viewer.id, **about)


def _table(request: Request) -> str:
    """Table's name in the path. Raises HTTPException if it cannot be one."""
    table: str = request.path_params["table"]
    if not TOKEN.fullmatch(table):
        raise RequestRefused(404, coded("no_table"))
    return table


def _table_path(path: str, request: Request) -> str:
    """Path at the table, with the language of the page."""
    return f"{path}?lang={language_of(request)}"


def _sign_command(caller: Caller, command: C) -> C:
    """Return the command with the signed-in person as its author. Raises Forbidden."""
    named = replace(command, by=caller.person)
    permit(replace(caller, at_floor=True), named)
    return named


def _body(sent: SentCommands) -> bytes:
    """Body of the commands for the table, together or one by one."""
    return msgspec.json.encode({"all": True, "commands": sent.commands} if sent.together else sent.commands)


async def _answer_of(request: Request, asking: Awaitable[RelayedAnswer]) -> Response:
    """Answer of a table; problem 504 if it does not answer."""
    try:
        return _response_of(await asking)
    except Unanswered as silence:
        return no_answer_problem(request, silence)


def no_answer_problem(request: Request, silence: Unanswered) -> Response:
    """Problem 504: the table did not answer, with the reason."""
    return problem_for(request, 504, "refused", message_of(silence))


def _response_of(answer: RelayedAnswer) -> Response:
    """Answer of the table with its status and content type."""
    ok = answer.status == HTTPStatus.OK
    return json_response(answer.body, answer.status, "application/json" if ok or _VERDICTS in answer.body else PROBLEM)
