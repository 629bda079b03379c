"""Table on the bus in this process, helpers to send it requests, and readers of its streams."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from nats.aio.client import Client

from controller.bus import names as n
from controller.bus.bus import Bus
from controller.bus.bus_tasks import TableEnds
from controller.bus.keys import credentials_in, new_seed
from controller.bus.relay import BusSignOn, Relay
from controller.bus.request_client import RequestClient
from controller.bus.seals import Seals
from controller.bus.signed_commands import signed_headers
from controller.bus.stream_reader import read as read_stream
from controller.config.bus import BusSection
from controller.config.people import PeopleFile
from controller.config.web import ServerSection
from controller.core import events as e
from controller.core.house import House
from controller.core.views import view
from controller.journal import Journal, read
from controller.table.clocks import Clock
from controller.table.loop import Table
from controller.web.listeners import UNSERVED, TableDoors
from controller.web.net.sockets import Listening
from tests.bus.rig import BusServer, StudioKeys
from tests.clocks import TableClock
from tests.patience import PATIENCE, on_loop, until
from tests.table.test_table import HOUSE, NATURAL

ROUND = (e.Open(), e.Close(), *map(e.CardOut, NATURAL), e.KeyPressed("finish"))
AUDIENCES = ("manager", "server", "player")


class StudioTable:
    """Table with its bus, as `tablectl run` has it.

    `floors`: called with the name of each floor and whether that floor calls the shift manager for this table.
    `local`: socket on which programs ask the table over HTTP.
    """

    def __init__(
        self,
        path: Path,
        section: BusSection,
        name: str = "t1",
        people: PeopleFile | None = None,
        floors: Callable[[str, bool], None] | None = None,
        clock: Clock | None = None,
        house: House | None = None,
        local: Listening | None = None,
        server: ServerSection = UNSERVED,
    ) -> None:
        self.path, self.journal = path, Journal(path)
        try:
            self.table = Table(replace(house or HOUSE, table=name), self.journal, clock or TableClock())
            self.doors = TableDoors(self.table, path, local, people=people, server=server)
            relay = Relay(self.doors.door_app(BusSignOn(self.doors.checker.persons)))
            self.bus = Bus(
                TableEnds(
                    section, self.table, path, relay, self.doors.viewers, lambda: self.doors.lookout.messages, floors
                )
            )
            self.doors.lookout.add("bus", self.bus)
            self.doors.backlog = self.bus.backlog
        except BaseException:
            self.journal.close()
            raise

    async def __aenter__(self) -> "StudioTable":
        self.table.start("d1")
        self.doors.start()
        self.bus.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.doors.stop()
        self.table.stop()
        self.journal.close()
        await self.bus.stop()

    def play(self, rounds: int = 1) -> None:
        """Play rounds of baccarat; change the shoe when its cards run low."""
        for _ in range(rounds):
            if self.table.state.shoe.out > 20:  # the shoe has eight of each card
                self.table.take(e.ChangeShoe())
                self.table.take(e.LoadShoe())
            for event in ROUND:
                self.table.take(event)

    @property
    def epoch(self) -> str:
        return self.table.state.identity.epoch

    @property
    def sent(self) -> int | None:
        """Sequence number of the last record that was published."""
        return self.bus.acknowledged_seq

    async def caught_up(self) -> None:
        """Wait until the bus has every record of the table."""
        await until(lambda: self.sent == self.table.state.seq)


class StreamMessage(NamedTuple):
    """Message of a stream, decoded."""

    subject: str
    epoch: str
    seq: int
    body: dict[str, Any]


async def stored(admin: Client, stream: str, subject: str = ">") -> list[StreamMessage]:
    """Return all messages of a stream in their order.

    The messages are read as the product reads them, without a consumer: a consumer may die with its server.
    """
    messages: list[StreamMessage] = []
    info = await admin.jetstream(timeout=PATIENCE).stream_info(stream, subjects_filter=subject)
    count, place = sum((info.state.subjects or {}).values()), 0
    while len(messages) < count:
        for message in await read_stream(admin, stream, subject, place, 1000):
            body = msgspec.json.decode(message.body)
            messages.append(
                StreamMessage(
                    message.subject, message.headers.get(n.EPOCH, ""), int(message.headers.get(n.SEQ, 0)), body
                )
            )
            place = message.seq
    return messages


def as_over_http(path: Path, audience: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the events that an audience would get over HTTP, made from the journal."""
    events = [(record.seq, view(record, audience, over=True)) for record in read(path)]
    return msgspec.json.decode(msgspec.json.encode(events), type=list[tuple[int, dict[str, Any]]])


def events(messages: list[StreamMessage], audience: str) -> list[tuple[int, dict[str, Any]]]:
    """Return number and body of the stored events of one audience."""
    return [(one.seq, one.body) for one in messages if one.subject.endswith(f".event.{audience}")]


class Answered(NamedTuple):
    """Status and decoded body of an answer."""

    status: int
    body: Any


async def command(
    server: BusServer,
    client: Client,
    table: StudioTable,
    body: object,
    kind: str = "floor",
    to: str = "/api/v1/commands",
    **how: Any,
) -> Answered:
    """Send a command as a floor or a platform does; return the answer.

    `how`: what is wrong with the command: table, signer, name, epoch, signed body, time or headers.
    """
    subject = n.TableNames("main", how.get("table", "t1")).subject("command", kind)
    data = msgspec.json.encode(body)
    seed = credentials_in(server.seed(f"{how.get('signer', kind)}s", how.get("name", NAMES[kind]))).seed
    headers = signed_headers(seed, subject, how.get("epoch", table.epoch), to, how.get("signed", data), how.get("now"))
    name = how.get("table", "t1")
    asker = RequestClient(client, kind, NAMES[kind], server.seals(f"{kind}s", NAMES[kind]))
    return answered(await asker.ask(subject, data, asker.inbox(name), PATIENCE, {**headers, **how.get("headers", {})}))


NAMES = {"floor": "main", "platform": "game"}


class Unchecked(Seals):
    """Signature check that accepts every answer as the table's."""

    def __init__(self) -> None:
        super().__init__(new_seed(), {}, {})

    def is_sound(self, *_: object) -> bool:
        return True


async def ask(
    client: Client, target: str, kind: str = "floor", table: str = "t1", studio: str = "main", **how: Any
) -> Answered:
    """Ask a table for `target` over the bus; return its answer.

    `how`: the `seed` and `epoch` to sign the question with; without them it is unsigned.
    """
    subject, asker = (
        n.TableNames(studio, table).subject("ask", kind),
        RequestClient(client, kind, NAMES[kind], Unchecked()),
    )
    headers = signed_headers(how["seed"], subject, how["epoch"], "", target.encode()) if how else None
    return answered(await asker.ask(subject, target.encode(), asker.inbox(table), PATIENCE, headers))


def answered(message: Any) -> Answered:
    """Return status and body of an answer on the bus."""
    return Answered(int(message.headers[n.CODE]), msgspec.json.decode(message.data))


@asynccontextmanager
async def run_table(path: Path, section: BusSection, name: str = "t1") -> AsyncIterator[StudioTable]:
    """Run a table on the bus while the context lasts."""
    async with StudioTable(path, section, name) as table:
        yield table


def assert_streams_complete(bus: StudioKeys, path: Path) -> None:
    """Check that the streams have the journal's events: none lost, none twice, none out of order."""

    async def look() -> list[StreamMessage]:
        async with bus.client("admin") as admin:
            return await stored(admin, "EVENTS")

    messages = on_loop(look)
    for audience in ("manager", "server"):
        assert events(messages, audience) == as_over_http(path, audience)
