"""Rights of requests over the bus, without a server: each kind of caller, target, role and method.

Also how many requests a table answers at a time.
"""

import asyncio
from collections import deque
from types import SimpleNamespace

import msgspec
import pytest
from nats.js.errors import APIError
from starlette.exceptions import HTTPException
from starlette.requests import Request

from controller.bus import requests
from controller.bus.keys import new_seed
from controller.bus.names import CODE, TableNames
from controller.bus.relay import BusSignOn, RelayedAnswer
from controller.bus.requests import AT_A_TIME, COMMANDS, MOST, PREVIEW, RULINGS, Requests, caller_of
from controller.bus.seals import Seals
from controller.bus.sender import BusMessage, Sender
from tests.patience import on_loop

ROLES = ("manager", "dealer", "server", "player")
NAMES = TableNames("main", "t1")


class RecordingBusClient:
    """Client that notes published messages, for a table with answers chosen by the test."""

    def __init__(self) -> None:
        self.published: list[tuple[str, int]] = []
        self.asked: list[tuple[str, str, str]] = []  # method, target, role
        self.body = b"{}"
        self.free = asyncio.Event()
        self.free.set()
        gate = SimpleNamespace(verify=lambda _subject, _epoch, headers, _body: ("somebody", headers["to"]))
        self.requests = Requests(self, NAMES, gate, self._ask, lambda: "e1", Seals(new_seed(), {}, {}))

    async def publish(self, reply: str, body: bytes, headers: dict[str, str]) -> None:
        self.published.append((reply, int(headers[CODE])))

    async def _ask(self, request) -> RelayedAnswer:
        self.asked.append((request.method, request.target, request.caller.role))
        await self.free.wait()
        return RelayedAnswer(200, self.body)

    async def come(self, what: str, kind: str, to: str, reply: str | None = None) -> None:
        """Deliver a request to the table. `what`: command or ask; `kind`: kind of the caller."""
        inbox = f"_INBOX_{kind}.x.t1.1" if reply is None else reply
        message = SimpleNamespace(
            subject=NAMES.subject(what, kind),
            reply=inbox,
            headers={"to": to},
            data=to.encode() if what == "ask" else b"",
        )
        await self.requests._accept(message)

    async def end(self) -> None:
        """Wait until all requests are answered."""
        while self.requests._tasks:
            await asyncio.sleep(0)


def with_bus(steps) -> None:
    """Run the test's steps with a bus, and wait until all its requests are answered."""

    async def run() -> None:
        bus = RecordingBusClient()
        await steps(bus)
        await bus.end()

    on_loop(run)


TARGETS = {
    COMMANDS: {"floor", "platform"},
    RULINGS: {"floor", "platform"},
    PREVIEW: {"floor"},
    f"{COMMANDS}/else": set(),
    f"{PREVIEW}s": set(),
    "/session": set(),
    "/api/v1/events": set(),
    "": set(),
}


@pytest.mark.parametrize("query", ["", "?lang=ro"])
def test_each_caller_commands_at_its_own_targets_only(query):
    async def steps(bus):
        for kind in ("floor", "platform"):
            for to, may in TARGETS.items():
                bus.published.clear()
                await bus.come("command", kind, to + query)
                await bus.end()
                assert (kind, to, bus.published) == (kind, to, [(f"_INBOX_{kind}.x.t1.1", 200 if kind in may else 404)])

    with_bus(steps)


def test_a_long_refused_target_is_quoted_in_part():
    async def steps(bus):
        request = SimpleNamespace(subject="", headers={"to": "/" + "x" * 100_000}, data=b"")
        answer = await bus.requests._command(request, "floor")
        assert (answer.status, bus.asked) == (404, [])
        assert len(answer.body) < 1000

    with_bus(steps)


@pytest.mark.parametrize(
    "reply",
    [
        "", "_INBOX_platform.x.t1.1", "_INBOX_floorx.x.t1.1", "_INBOX_floor", "_INBOX_floor.x.t1",
        "_INBOX_floor.x.t2.1", "_INBOX_floor.t1.x.1", "_INBOX_table.main.t1.x",
    ],
)  # fmt: skip
@pytest.mark.parametrize("what", ["command", "ask"])
def test_a_table_answers_in_its_own_inboxes_only(what, reply):
    async def steps(bus):
        await bus.come(what, "floor", COMMANDS, reply)
        await bus.come(what, "admin", COMMANDS)
        await bus.end()
        assert (bus.asked, bus.published) == ([], [])
        await bus.come(what, "floor", COMMANDS)
        await bus.end()
        assert len(bus.asked) == len(bus.published) == 1

    with_bus(steps)


@pytest.mark.parametrize("path", ["/api/v1/stat\u00e4", "/manager", "api/v1/state", ""])
def test_a_question_asks_a_path_of_the_api_in_ascii(path):
    async def steps(bus):
        await bus.come("ask", "floor", path)
        await bus.end()
        assert (bus.asked, bus.published) == ([], [("_INBOX_floor.x.t1.1", 404)])

    with_bus(steps)


def test_sixteen_requests_are_answered_at_a_time_again_and_again():
    async def steps(bus):
        for _ in range(3):
            bus.free.clear()
            bus.asked.clear()
            coming = [asyncio.create_task(bus.come("ask", "floor", "/api/v1/state")) for _ in range(AT_A_TIME + 2)]
            for _ in range(50):
                await asyncio.sleep(0)
            assert (len(bus.asked), sum(task.done() for task in coming)) == (AT_A_TIME, AT_A_TIME)
            bus.free.set()
            await asyncio.gather(*coming)
            await bus.end()
            assert len(bus.asked) == AT_A_TIME + 2

    with_bus(steps)


@pytest.mark.parametrize(("size", "status"), [(MOST, 200), (MOST + 1, 413)])
def test_an_answer_is_as_long_as_a_server_carries(size, status):
    async def steps(bus):
        bus.body = bytes(size)
        await bus.come("ask", "floor", "/api/v1/state")
        await bus.end()
        assert bus.published == [("_INBOX_floor.x.t1.1", status)]

    with_bus(steps)


LOOK = {"floor": {"manager", "dealer", "player"}, "platform": {"server", "player"}}
OWN = {"floor": "manager", "platform": "server"}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("kind", ["floor", "platform"])
def test_callers_look_as_lesser_roles_and_act_in_their_own(kind, method):
    """A floor or platform may read as another role with fewer rights, but commands only in its own role."""

    async def allowed(role: str | None) -> str | None:
        query = b"" if role is None else f"role={role}".encode()
        scope = {"type": "http", "method": method, "path": "/", "query_string": query, "headers": []}
        sign_on = BusSignOn(SimpleNamespace(people=lambda: None))
        try:
            return (await sign_on(Request({**scope, "signer": caller_of(kind, "x")}))).role
        except HTTPException:
            return None

    async def steps():
        found = {role: await allowed(role) for role in ROLES}
        may = LOOK[kind] if method == "GET" else {OWN[kind]}
        assert found == {role: role if role in may else None for role in ROLES}
        assert await allowed(None) == OWN[kind]

    on_loop(steps)


# ── the one writer of a subject ──────────────────────────────────────────────────────────────────────────────────


class FakeStream:
    """Stream with the answers `says`: None to accept, else the last sequence number named in a refusal."""

    def __init__(self, *says: str | None) -> None:
        self.says, self.expected, self.ids, self.seq = deque(says), [], [], 0

    async def publish(self, subject: str, _: bytes, *, headers: dict[str, str], **__: float):
        self.expected.append(headers["Nats-Expected-Last-Subject-Sequence"])
        self.ids.append((subject, headers["Nats-Msg-Id"]))
        if (last := self.says.popleft()) is not None:
            raise APIError(code=400, err_code=10071, description=f"wrong last sequence: {last}")
        self.seq += 1
        return SimpleNamespace(seq=self.seq, duplicate=False)


@pytest.mark.parametrize(
    ("says", "expected", "rivals"),
    [
        ((None, None), ["0", "1"], 0),
        (("7", None, None), ["0", "7", "1"], 0),  # sent by an earlier start of the table, which this one does not know
        ((None, "7", None), ["0", "1", "7"], 1),
        ((None, "0", None), ["0", "1", "0"], 0),  # the last message was too old and is dropped
        ((None, None, "1", None), ["0", "1", "2", "1"], 0),  # the stream was restored from an older copy
    ],
)
def test_only_a_message_behind_our_own_is_a_rivals(says, expected, rivals):
    stream = FakeStream(*says)
    sender = Sender(stream, b"secret")

    async def steps():
        for seq in range(1, says.count(None) + 1):
            await sender.send(BusMessage("a.b", "e1", seq, b"{}"))

    on_loop(steps)
    assert (stream.expected, sender.rivals) == (expected, rivals)


def test_each_subject_epoch_and_record_has_its_own_id():
    messages = [BusMessage(subject, epoch, seq, b"{}") for subject in "ab" for epoch in ("e1", "e2") for seq in (1, 2)]
    stream = FakeStream(*[None] * (2 * len(messages)))

    async def steps():
        sender, rival = Sender(stream, b"secret"), Sender(stream, b"other")
        for message in messages:
            await sender.send(message)
        for message in messages:
            await rival.send(message)

    on_loop(steps)
    assert len(set(stream.ids)) == 2 * len(messages)
    assert stream.expected[:4] == ["0", "1", "2", "3"]


def test_every_refusal_over_the_bus_is_a_problem():
    for status in requests.REASONS:
        refused = requests._refusal(status, "so it is")
        assert (refused.status, msgspec.json.decode(refused.body)["status"]) == (status, status)
