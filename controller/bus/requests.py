"""Commands and questions that reach a table over the bus.

    command.floor, command.platform    as POST /api/v1/commands, or to the path in the header Tablectl-To, such as
                                       /api/v1/rulings?lang=ro; from a floor also /api/preview
    ask.floor, ask.platform            as GET of the path in the body, such as /api/v1/state or /api/v1/events?after=57

Invariant: the subject grants no right, because it can be forged through the server. A command needs a signature. A
question may have one; its sender is then known by name, and a game server that asks for events counts as present. An
answer goes only to the inbox that a floor or platform keeps for this table. Each subject has a limit of its own for
requests at the same time, so a floor's ruling never waits for platforms' messages.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from itertools import product

import msgspec
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error

from ..core.coded_message import CodedMessage, coded
from ..text.coded import render
from ..web.api.commands import Caller
from ..web.net.replies import Reason, problem
from . import names as n
from .bus_client import failure_text
from .names import TableNames
from .relay import RelayedAnswer, RelayedRequest
from .request_client import signed_fields
from .seals import Seals
from .signed_commands import CommandVerifier, Unsigned

FLUSH = 5  # seconds for a flush of the connection
AT_A_TIME = 16  # requests of one subject that are answered at the same time
MOST = 900_000  # bytes of an answer; the limit of a server is a megabyte
INBOX_PARTS = 2  # parts of an inbox subject between its prefix and its token: caller and table
UNKNOWN = ""  # name of a caller without a signature
COMMANDS, RULINGS, PREVIEW = "/api/v1/commands", "/api/v1/rulings", "/api/preview"
TO = {"floor": (COMMANDS, RULINGS, PREVIEW), "platform": (COMMANDS, RULINGS)}
REASONS: dict[int, Reason] = {403: "forbidden", 404: "not_found", 413: "too_long"}


class Requests:
    """Answers the bus requests of one table; runs in the bus thread's event loop.

    `ask`: runs a request in the table's event loop; `epoch`: returns the current epoch of the record. While
    `is_answering` is False another PC has the table, and nothing is answered.
    """

    def __init__(
        self,
        client: Client,
        names: TableNames,
        verifier: CommandVerifier,
        ask: Callable[[RelayedRequest], Awaitable[RelayedAnswer]],
        epoch: Callable[[], str],
        seals: Seals,
    ) -> None:
        self._names, self._verifier, self._ask, self._epoch, self._seals = names, verifier, ask, epoch, seals
        self._client = client
        self.is_answering = True
        self._slots = defaultdict[str, asyncio.Semaphore](lambda: asyncio.Semaphore(AT_A_TIME))  # by subject
        self._tasks = set[asyncio.Task[None]]()
        self._log = structlog.get_logger()

    async def listen(self) -> None:
        """Subscribe to commands and questions. The subscriptions survive a reconnection."""
        for what, kind in product(("command", "ask"), TO):
            await self._client.subscribe(self._names.subject(what, kind), cb=self._accept)
        for _ in range(2):  # the client's first flush overtakes pending writes
            await self._client.flush(FLUSH)

    async def _accept(self, message: Msg) -> None:
        if not self.is_answering:
            return
        slots = self._slots[message.subject]
        await slots.acquire()
        task = asyncio.create_task(self._answer(message))
        self._tasks.add(task)
        task.add_done_callback(lambda task: self._release(task, slots))

    def _release(self, task: asyncio.Task[None], slots: asyncio.Semaphore) -> None:
        self._tasks.discard(task)
        slots.release()
        if not task.cancelled() and (error := task.exception()) is not None:
            self._log.error("bus_request_failed", exc_info=error)

    async def _answer(self, message: Msg) -> None:
        what, kind = message.subject.split(".")[-2:]
        if not self._may_answer_to(message.reply, kind):
            self._log.warning("bus_request_refused", subject=message.subject, reason=render(coded("answer_to_nobody")))
            return
        try:
            answer = await (self._command(message, kind) if what == "command" else self._question(message, kind))
        except Unsigned as refused:
            self._log.warning("bus_request_refused", subject=message.subject, reason=str(refused))
            answer = _refusal(403, refused.message)
        if len(answer.body) > MOST and what == "command":
            answer = _without_records(answer)
        if len(answer.body) > MOST:
            answer = _refusal(413, coded("answer_too_long", bytes=MOST))
        try:
            await self._client.publish(message.reply, answer.body, headers=self._answer_headers(message, answer))
        except Error as error:
            self._log.warning("bus_answer_lost", reason=failure_text(error))

    def _answer_headers(self, message: Msg, answer: RelayedAnswer) -> dict[str, str]:
        epoch, status = self._epoch(), str(answer.status)
        about = signed_fields(message.subject, message.headers, message.data, epoch, status)
        return {n.CODE: status, n.EPOCH: epoch, **self._seals.seal(message.reply, answer.body, *about)}

    def _may_answer_to(self, reply: str, kind: str) -> bool:
        inbox, *rest = reply.split(".")
        return inbox == n.INBOXES.get(kind) and len(rest) > INBOX_PARTS and rest[1] == self._names.table

    def _signer(self, message: Msg) -> tuple[str, str]:
        """Name of the sender, and the path. Raises Unsigned."""
        return self._verifier.verify(message.subject, self._epoch(), message.headers or {}, message.data)

    async def _command(self, message: Msg, kind: str) -> RelayedAnswer:
        name, to = self._signer(message)
        if to.partition("?")[0] not in TO[kind]:
            return _refusal(404, f"{n.TO}: expected {' or '.join(TO[kind])}, got {to[:100]!r}")
        return await self._ask(RelayedRequest("POST", to, message.data, caller_of(kind, name)))

    async def _question(self, message: Msg, kind: str) -> RelayedAnswer:
        try:
            target = message.data.decode("ascii")
        except UnicodeDecodeError:
            target = ""
        if not target.startswith("/api/"):
            return _refusal(404, coded("path_expected"))
        name = self._signer(message)[0] if n.SIGNATURE in (message.headers or {}) else UNKNOWN
        return await self._ask(RelayedRequest("GET", target, b"", caller_of(kind, name)))


def caller_of(kind: str, name: str) -> Caller:
    """Caller for the API: a floor acts for the persons whose ids it names, a platform for itself."""
    if kind == "floor":
        return Caller("manager", name, f"floor:{name}", for_others=True, at_floor=True)
    return Caller("server", name, f"{kind}:{name}")


def _without_records(answer: RelayedAnswer) -> RelayedAnswer:
    """Return an answer whose verdicts lack their records, which the events contain too."""
    body = msgspec.json.decode(answer.body)
    for verdict in body.get("verdicts", ()):
        verdict.pop("records", None)
    return answer._replace(body=msgspec.json.encode(body))


def _refusal(status: int, message: CodedMessage | str) -> RelayedAnswer:
    return RelayedAnswer(status, bytes(problem(status, REASONS[status], render(message), message=message).body))
