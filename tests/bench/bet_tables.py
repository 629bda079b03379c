"""The tables that `tests.bench.bets` measures: each in a process of its own, and its game server in ours."""

import asyncio
import gc
import multiprocessing
import selectors
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import structlog

from controller.cli.client import ask
from controller.core import events as e
from controller.core.house import House, Terms
from controller.games import GAMES
from controller.journal import Journal
from controller.table.loop import Table
from controller.web.listeners import Doors
from controller.web.net.sockets import Listening

CARDS = ("9C", "2D", "KH", "3S")  # a natural: the fourth settles the round


class Cost(NamedTuple):
    """What something took, in seconds: by the clock, and of one process."""

    wall: float
    processor: float


def now(clock: int = time.CLOCK_PROCESS_CPUTIME_ID) -> Cost:
    return Cost(time.perf_counter(), time.clock_gettime(clock))


def since(began: Cost, clock: int = time.CLOCK_PROCESS_CPUTIME_ID) -> Cost:
    return Cost(*(end - start for end, start in zip(now(clock), began, strict=True)))


# ── the process of a table ───────────────────────────────────────────────────────────────────────────────────────


class Looks(selectors.DefaultSelector):
    """How a loop looks at what has come; and for how long it did not."""

    def __init__(self) -> None:
        super().__init__()
        self._away: list[Cost] = []
        self._looked: Cost | None = None

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self._looked is not None:
            self._away.append(since(self._looked))
        found = super().select(timeout)
        self._looked = now()
        return found

    def waits(self) -> list[Cost]:
        """How long a card could wait, each time since this was asked last."""
        away, self._away, self._looked = self._away, [], None
        return [Cost(one.wall + other.wall, one.processor + other.processor) for one, other in pairwise(away)]


class Bench:
    """A table with a real journal and its doors, which does as it is told."""

    def __init__(self, folder: Path, looks: Looks) -> None:
        game, path = GAMES["baccarat"], folder / "t.journal"
        self.table = Table(House(game, game.settings(), Terms(betting_seconds=36000)), Journal(path))
        self.doors, self.waits = Doors(self.table, path, Listening(folder / "t.sock")), looks.waits

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

    def settled(self) -> list[Cost]:
        """What each card takes that is dealt to the end."""
        self.table.take(e.Close())
        costs = [self._card(card) for card in CARDS]
        assert self.table.state.life == "settled", self.table.state.fault
        return costs

    def _card(self, card: str) -> Cost:
        began = now()
        self.table.take(e.CardOut(card))
        return since(began)


def table(folder: Path, orders: Connection) -> None:
    """All of the process."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    looks = Looks()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(looks)) as runner:
        runner.run(Bench(folder, looks).run(orders))


# ── the game server ──────────────────────────────────────────────────────────────────────────────────────────────


class Server:
    """The game server of one table."""

    def __init__(self, folder: Path, orders: Connection, process: int) -> None:
        self._socket, self._orders, self._clock = folder / "t.sock", orders, (~process << 3) | 2  # of that process
        self._bets = 0

    def costs(self, count: int, length: int) -> Cost:
        """What each of so many bets took, in lists of this length. They are taken back."""
        first = self._bets
        began = now(self._clock)
        self.bets(count, length)
        spent = since(began, self._clock)
        self._send([unbet(number) for number in range(first, self._bets)])
        return Cost(*(seconds / count for seconds in spent))

    def bets(self, count: int, length: int) -> None:
        """So many more, in lists of this length; 0: all or none."""
        for start in range(0, count, length or count):
            bets = [bet(self._bets + number) for number in range(start, start + (length or count))]
            self._send(bets if length else {"all": True, "commands": bets})
        self._bets += count

    def _send(self, commands: object) -> None:
        reply = ask(self._socket, "POST", "/api/commands?role=server", commands)
        assert {one["verdict"] for one in reply.body["verdicts"]} == {"done"}, reply.body["verdicts"][0]

    def asks(self, order: str) -> list[Cost]:
        """The table's process itself."""
        self._orders.send(order)
        answer: list[Cost] = self._orders.recv()
        return answer


def bet(number: int) -> dict[str, object]:
    return {**_on(number), "command": "bet", "id": f"b{number}", "stake": 1000 + number}


def unbet(number: int) -> dict[str, object]:
    return {**_on(number), "command": "unbet", "id": f"u{number}"}


def _on(number: int) -> dict[str, object]:
    return {"player": f"p{number}", "market": ("player", "banker", "tie")[number % 3], "round": 1}


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    """The server of a table that runs."""
    folder.mkdir()
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=table, args=(folder, theirs))
    process.start()
    server = Server(folder, ours, process.pid or 0)
    server.asks("waits")  # it is there
    yield server
    ours.send(None)
    process.join()
