"""Tables that `tests.bench.bets` measures, each in its own process; their game servers run in ours."""

import asyncio
import gc
import multiprocessing
import selectors
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import structlog

from controller.cli.client import ask
from controller.config.web import WebSection
from controller.core import events as e
from controller.core.house import House, Terms
from controller.core.records import Record
from controller.games import GAMES
from controller.journal import Journal
from controller.table.loop import Table
from controller.web.access.users import UsersFile
from controller.web.listeners import TableDoors
from controller.web.net.listening import listen
from controller.web.net.sockets import Listening

from .bet_lines import BetConnections

CARDS = ("9C", "2D", "KH", "3S")  # a natural: the fourth settles the round


class MeasuredSeconds(NamedTuple):
    """Seconds that something took: by the clock, and of one process's processor time."""

    wall: float
    processor: float


def now(clock: int = time.CLOCK_PROCESS_CPUTIME_ID) -> MeasuredSeconds:
    return MeasuredSeconds(time.perf_counter(), time.clock_gettime(clock))


def since(began: MeasuredSeconds, clock: int = time.CLOCK_PROCESS_CPUTIME_ID) -> MeasuredSeconds:
    return MeasuredSeconds(*(end - start for end, start in zip(now(clock), began, strict=True)))


# ── the process of a table ───────────────────────────────────────────────────────────────────────────────────────


class DelaySelector(selectors.DefaultSelector):
    """Selector of an event loop that measures how long the loop did not look at received data."""

    def __init__(self) -> None:
        super().__init__()
        self._away: list[MeasuredSeconds] = []
        self._looked: MeasuredSeconds | None = None

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self._looked is not None:
            self._away.append(since(self._looked))
        found = super().select(timeout)
        self._looked = now()
        return found

    def waits(self) -> list[MeasuredSeconds]:
        """Return how long a card could wait, for each look since the last call."""
        away, self._away, self._looked = self._away, [], None
        return [
            MeasuredSeconds(one.wall + other.wall, one.processor + other.processor) for one, other in pairwise(away)
        ]


class OrderedTable:
    """Table with a real journal and its doors, driven by orders over a pipe."""

    def __init__(self, folder: Path, looks: DelaySelector) -> None:
        game, path = GAMES["baccarat"], folder / "t.journal"
        self.table = Table(House(game, game.settings(), Terms(betting_seconds=36000)), Journal(path))
        self.table.subscribe(self._count)
        self._commits = 0
        users = UsersFile(folder / "t.users")
        with users.change() as change:
            self._token = change.add_token("bench")
        self._net = listen(WebSection(listen="127.0.0.1:0"), users.path)
        self.doors = TableDoors(self.table, path, Listening(folder / "t.sock"), self._net)
        self.waits = looks.waits

    async def run(self, orders: Connection) -> None:
        self.table.start("dealer")
        self.doors.start()
        self.table.take(e.Open())
        gc.collect()
        gc.freeze()  # as `tablectl run` does
        while (order := await asyncio.to_thread(orders.recv)) is not None:
            orders.send(getattr(self, order)())
        await self.doors.stop()
        self.table.stop()
        self.table.journal.close()

    def _count(self, _: Table, records: Sequence[Record]) -> None:
        self._commits += bool(records)

    def commits(self) -> int:
        """Return the number of the journal's transactions so far."""
        return self._commits

    def door(self) -> tuple[int, str]:
        """Return the port on the network and the game server's token."""
        assert self._net.socket is not None
        return self._net.socket.getsockname()[1], self._token

    def settled(self) -> list[MeasuredSeconds]:
        """Close the bets and deal the round to its end; return the cost of each card."""
        self.table.take(e.Close())
        costs = [self._card(card) for card in CARDS]
        assert self.table.state.life == "settled", self.table.state.fault
        return costs

    def _card(self, card: str) -> MeasuredSeconds:
        began = now()
        self.table.take(e.CardOut(card))
        return since(began)


def table(folder: Path, orders: Connection) -> None:
    """Run the process of one table until it is ordered to end."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    looks = DelaySelector()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(looks)) as runner:
        runner.run(OrderedTable(folder, looks).run(orders))


# ── the game server ──────────────────────────────────────────────────────────────────────────────────────────────


class BetServer:
    """Game server of one table, which also passes orders to the table's process."""

    def __init__(self, folder: Path, orders: Connection, process: int) -> None:
        self._socket, self._orders, self._clock = folder / "t.sock", orders, (~process << 3) | 2  # its processor time
        self._bets = 0
        self._door: tuple[int, str] = self._asks("door")

    def at_once(self, count: int, lines: int) -> tuple[MeasuredSeconds, float]:
        """Send `count` bets, each alone, over `lines` open connections, then take them back.

        Returns the cost of a bet and the journal's transactions per bet.
        """
        first, connections = self._bets, BetConnections(self._door[0], lines, self._door[1])
        connections.send([])
        commits, began = self._asks("commits"), now(self._clock)
        connections.send(bet(first + number) for number in range(count))
        spent = since(began, self._clock)
        commits = self._asks("commits") - commits
        connections.close()
        self._bets += count
        self._send([unbet(number) for number in range(first, self._bets)])
        return MeasuredSeconds(*(seconds / count for seconds in spent)), commits / count

    def costs(self, count: int, length: int) -> MeasuredSeconds:
        """Send `count` bets in lists of `length`, take them back, and return the cost of a bet."""
        first = self._bets
        began = now(self._clock)
        self.bets(count, length)
        spent = since(began, self._clock)
        self._send([unbet(number) for number in range(first, self._bets)])
        return MeasuredSeconds(*(seconds / count for seconds in spent))

    def bets(self, count: int, length: int) -> None:
        """Place `count` more bets in lists of `length`; 0: in one list of which all or none are accepted."""
        for start in range(0, count, length or count):
            bets = [bet(self._bets + number) for number in range(start, start + (length or count))]
            self._send(bets if length else {"all": True, "commands": bets})
        self._bets += count

    def _send(self, commands: object) -> None:
        reply = ask(self._socket, "POST", "/api/commands?role=server", commands)
        assert {one["verdict"] for one in reply.body["verdicts"]} == {"done"}, reply.body["verdicts"][0]

    def asks(self, order: str) -> list[MeasuredSeconds]:
        """Send an order to the table's process; return its answer."""
        answer: list[MeasuredSeconds] = self._asks(order)
        return answer

    def _asks(self, order: str) -> Any:
        self._orders.send(order)
        return self._orders.recv()


def bet(number: int) -> dict[str, object]:
    return {**_on(number), "command": "bet", "id": f"b{number}", "stake": 1000 + number}


def unbet(number: int) -> dict[str, object]:
    return {**_on(number), "command": "unbet", "id": f"u{number}"}


def _on(number: int) -> dict[str, object]:
    return {"player": f"p{number}", "market": ("player", "banker", "tie")[number % 3], "round": 1}


@contextmanager
def served(folder: Path) -> Iterator[BetServer]:
    """Start a table in a process of its own; yield its game server."""
    folder.mkdir()
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=table, args=(folder, theirs))
    process.start()
    try:
        server = BetServer(folder, ours, process.pid or 0)
        server.asks("waits")  # the table has started when it answers
        yield server
    finally:
        ours.send(None)
        process.join()
