"""HTTP API of a table: commands with their verdicts, state, and the record as a stream of events.

    POST /api/v1/commands            one command, a list, or {"all": true, "commands": [...]}: all of them or none;
                                 answers {"verdicts": [...]}, one for each, in order
    GET  /api/v1/state               current state of the table
    GET  /api/v1/events?after=SEQ    the events that follow, as server-sent events; their ids are the records' numbers

    200 answered; a command that the table refuses has a verdict, and the refusal is recorded
    400 malformed    401 no valid sign-in or token    403 not for this role
    408 body too slow    409 a record number or epoch that is not valid here    413 body too long
    503 the record cannot be written or the program ends; the verdicts say what was done

`?role=` chooses among the roles that the caller may have; by default at the Unix socket the shift manager, on the
network the role of the sign-in or token, else the player. `?lang=` chooses the language of refusals (by default
English). No request can stop the table, and devices are served between two commands of a list.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import Response

from ...core.coded_message import coded
from ...core.records import Record
from ...core.viewers import STRANGERS, Viewers
from ...core.views import view
from ...journal import JournalError
from ...table.loop import Table
from ...text.errors import quote
from ...text.faults import Words
from ..net.bodies import body_of
from ..net.page_language import language
from ..net.replies import RequestRefused, as_json, json_response
from ..net.stream import EventStream
from .addresses import routes
from .callers import caller_of
from .command_decoder import read_in_pieces
from .commands import Role
from .intake import Intake
from .record_feed import RecordFeed
from .request_parameters import check_epoch, is_number
from .server_line import ServerLine
from .staff import permit
from .table_state import build_state
from .verdicts import encode_verdict

LARGEST = 1 << 20  # bytes of a body
HEARTBEAT = 15.0  # seconds without an event after which a stream sends BEAT
RETRY = b"retry: 1000\n"  # ms until a client reconnects; part of the first event, as an event needs data
BEAT = b":\n"  # a comment line, no event


class Api:
    """Routes of one table's API."""

    def __init__(
        self,
        table: Table,
        feed: RecordFeed,
        intake: Intake,
        viewers: Callable[[], Viewers],
        line: ServerLine,
    ) -> None:
        self._table, self._feed, self._intake = table, feed, intake
        self._viewers, self._line = viewers, line
        self._log = structlog.get_logger().bind(table=table.house.table)
        self.routes = routes(
            ("POST", "/commands", self.commands),
            ("GET", "/state", self.state),
            ("GET", "/events", self.events),
        )

    # ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def commands(self, request: Request) -> Response:
        """POST /commands: run one or more commands; returns one verdict each."""
        caller = caller_of(request)
        sent, pieces = read_in_pieces(await body_of(request, LARGEST))
        for piece in pieces:
            for command in piece:
                permit(caller, command)
            await asyncio.sleep(0)
        answers, undone, words = list[bytes](), False, Words(language(request))
        take = self._intake.all_or_none if sent.together else self._intake.one_by_one
        async for verdict in take(caller, sent.commands):
            undone = undone or verdict.verdict in ("waiting", "untaken")
            answers.append(encode_verdict(verdict, words))
        return json_response(b'{"verdicts":[%s]}' % b",".join(answers), 503 if undone else 200)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def state(self, request: Request) -> Response:
        """GET /state: current state of the table, for the caller's role."""
        role = caller_of(request).role
        table = self._table
        return as_json(
            build_state(table.state, table.due, table.halted, role, self._viewers_for(role), table.house.game)
        )

    async def events(self, request: Request) -> Response:
        """GET /events: stream the records after a given one, in the form for the caller's role."""
        caller = caller_of(request)
        role = caller.role
        after = _start_of_stream(request, self._feed.head)
        check_epoch(request, self._table.state, after)
        await self._feed.records_between(after + 1, min(after + 1, self._feed.head))  # raises if the records are gone
        frames = self._frames(after, role, self._viewers_for(role), caller.still)
        return EventStream(frames, self._line.count_stream(caller))

    def _viewers_for(self, role: Role) -> Viewers:
        """Return the ids under which this role sees players: pseudonyms for players, else STRANGERS."""
        return self._viewers() if role == "player" else STRANGERS

    async def _frames(
        self, after: int, role: Role, viewers: Viewers, still: Callable[[], bool]
    ) -> AsyncIterator[bytes]:
        yield RETRY
        try:
            async with aclosing(self._feed.follow(after, HEARTBEAT)) as portions:
                async for records in portions:
                    if not still():
                        return
                    yield b"".join(self._frame(record, role, viewers) for record in records) or BEAT
        except JournalError as error:  # the stream ends and its reader reconnects
            self._log.error("record_unreadable", reason=str(error))

    def _frame(self, record: Record, role: Role, viewers: Viewers) -> bytes:
        state = self._table.state
        on = state.live and record.round == state.round.number
        return b"id: %d\ndata: %s\n\n" % (record.seq, msgspec.json.encode(view(record, role, viewers, over=not on)))


def _start_of_stream(request: Request, head: int) -> int:
    """Number of the record after which a stream starts.

    `Last-Event-ID` (where a broken stream stopped), else the parameter `after`, else `head`. Raises HTTPException.
    """
    text = request.headers.get("last-event-id") or request.query_params.get("after", str(head))
    if not is_number(text):
        raise RequestRefused(400, coded("expected_record", said=quote(text)))
    return int(text)
