"""Rounds with three betting windows over HTTP and the bus, on a line that delays and repeats commands.

Table and game server are killed in turns, and a second PC takes the table over.
"""

import asyncio
import random
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from nats.aio.client import Client

from controller.cli.client import ask
from controller.core import events as e
from controller.core.house import House, Terms
from controller.games import GAMES
from controller.journal import read
from controller.lab.testing.bench import undealt_card
from controller.web.net.sockets import Listening
from tests.bus.rig import BusServer
from tests.bus.tables import StudioTable, command, events, stored
from tests.bus.two_pcs import PC, run_two_pcs
from tests.chance import SEED
from tests.core.late_server import WINDOWS, DelayedCommand, LateServer, Window
from tests.core.test_hostile_line import acted_elsewhere, is_open, unbalanced
from tests.patience import until

BOOKS = 25  # number of rounds between two bookings of the wallet
LONG = {f"{name}_seconds": 3600 for name in ("betting", "stall", "acknowledge", "ruling")}
BACCARAT = GAMES["baccarat"]
HOUSE = House(BACCARAT, BACCARAT.settings(betting_windows=WINDOWS), Terms(confirm="dealer", **LONG))


class WindowedPC(PC):
    """PC of a table with three betting windows, and a socket on which programs ask over HTTP."""

    async def start(self) -> StudioTable:
        self.listening = Listening(self.folder / "s")
        table = StudioTable(self.path, self.wire.section, house=HOUSE, local=self.listening)
        self._stack.callback(self.listening.close)
        self.table = await self._stack.enter_async_context(table)
        return self.table

    async def is_reached(self) -> None:
        await until(lambda: self.table.bus.trouble is None)

    def resume(self) -> None:
        """Have the shift manager rule that the round, paused by a restart, continues."""
        self.table.table.take(e.Rule("resume", "eva", "the PC is back"))
        assert self.state.life != "paused", self.state.fault

    @property
    def state(self):
        return self.table.table.state


class BusRounds:
    """Rounds at a table with a late game server. `kills`: kills of the table and of the server, in turns."""

    def __init__(self, server: BusServer, pcs: tuple[WindowedPC, WindowedPC], client: Client, seed: int) -> None:
        self.server, self.client, self.dice = server, client, random.Random(seed)
        self.pc, self.standby = pcs
        self.late, self._number, self._round = LateServer(self.dice, remembers=True), 0, list[DelayedCommand]()
        self.wallet, self._booked = dict[str, int](), 0

    async def play(self, rounds: int, kills: int, parts: Path) -> None:
        """Play all rounds, with the kills and one takeover in the middle."""
        await self.pc.run()
        await self.pc.is_reached()
        often = max(1, rounds * WINDOWS // kills)
        for number in range(rounds):
            self._open()
            if number == rounds // 2:
                await self._take_over(parts)
            while self.pc.state.life in ("betting", "dealing"):
                if self.pc.state.life == "betting":
                    await self._window(self._number % often == often - 1)
                else:
                    self._deal()
            self.pc.table.table.take(e.KeyPressed("finish"))
            if number % BOOKS == BOOKS - 1:
                await self.book()

    def _open(self) -> None:
        take, self._round = self.pc.table.table.take, []
        take(e.ChangeShoe())
        take(e.LoadShoe())
        take(e.Open())
        assert self.pc.state.life == "betting"

    def _deal(self) -> None:
        card = undealt_card(self.pc.state, self.dice.randrange(10**6), HOUSE.deck.cards)
        self.pc.table.table.take(e.CardOut(card))

    async def book(self) -> None:
        """Book the money movements on the bus, each once; the stream keeps only the latest events."""
        await self.pc.is_told()
        async with self.server.client("admin") as admin:
            server_events = events(await stored(admin, "EVENTS"), "server")
        assert server_events[0][0] <= self._booked + 1  # the stream dropped no event that was not booked
        self._booked = server_events[-1][0]
        for _, event in server_events:
            if movement := event.get("movement"):
                assert self.wallet.setdefault(movement["id"], movement["amount"]) == movement["amount"]

    async def _window(self, is_cut: bool) -> None:
        """Send the commands of one window; if a kill interrupts it, send the round's commands once more."""
        round_ = self.pc.state.round
        for part in self.late.plan(self._number, (round_.number, round_.window), round_.odds):
            await self._send(part)
        if is_cut and self._number % 2:
            await self._send(self._round)  # the game server restarted and forgot the answers
        elif is_cut:
            await self._kill()
        self._number += 1
        if self.pc.state.life == "betting":
            for _ in range(2):
                self.pc.table.table.take(e.KeyPressed("close"))

    async def _kill(self) -> None:
        """Stop the table in mid-round; send commands while it is paused, and again when it continues."""
        await self.pc.stop()
        await self.pc.run()
        await self.pc.is_reached()
        await self._send(self._round[-3:])
        if self.pc.state.life == "paused":
            self.pc.resume()
        await self._send(self._round)

    async def _take_over(self, parts: Path) -> None:
        """Have the second PC take the table over in mid-round."""
        await self.pc.ends(parts)
        await self.standby.take(parts)
        self.pc, self.standby = self.standby, self.pc
        await self.pc.run()
        await self.pc.is_reached()
        self.pc.resume()

    async def _send(self, arriving: list[DelayedCommand]) -> None:
        for way, batch in batches(arriving):
            open_: Window | None = is_open(self.pc.state)
            commands = [sent.command for sent in batch]
            verdicts = await (self._over_http(commands) if way == "http" else self._over_the_bus(commands))
            for sent, verdict in zip(batch, verdicts, strict=True):
                self.late.hear(sent, verdict, open_)
        self._round += [sent for sent in arriving if sent not in self._round]

    async def _over_http(self, commands: list[dict[str, Any]]) -> list[dict[str, Any]]:
        path = self.pc.listening.path
        reply = await asyncio.to_thread(ask, path, "POST", "/api/v1/commands?role=server", commands)
        assert reply.status == 200, reply
        return reply.body["verdicts"]

    async def _over_the_bus(self, commands: list[dict[str, Any]]) -> list[dict[str, Any]]:
        answer = await command(self.server, self.client, self.pc.table, commands, "platform")
        assert answer.status == 200, answer
        return answer.body["verdicts"]


def batches(arriving: list[DelayedCommand]) -> Iterator[tuple[str, list[DelayedCommand]]]:
    """Yield the commands of each way, HTTP first, in their order."""
    for way in ("http", "bus"):
        if batch := [sent for sent in arriving if sent.way == way]:
            yield way, batch


async def is_kept(server: BusServer, folder: Path, rounds: int, kills: int, seed: int) -> None:
    """Play rounds and check that no command acted in another window and that all money agrees."""
    async with AsyncExitStack() as stack:
        pcs = await stack.enter_async_context(run_two_pcs(server, folder, WindowedPC))
        client = await stack.enter_async_context(server.client("platforms", "game"))
        played = BusRounds(server, pcs, client, seed)
        await played.play(rounds, kills, folder / "parts")
        await played.book()
        records = list(read(played.pc.path))
        assert acted_elsewhere(records) == []
        assert unbalanced(records) == {}
        assert sum(record.kind == "window_opened" for record in records) >= 2 * rounds
        assert played.late.taken > 2 * rounds
        assert played.late.refused > 2 * rounds
        assert played.wallet == {
            record.what.bet + (".debit" if record.kind == "bet_accepted" else ".credit"): amount_moved(record.what)
            for record in records
            if record.kind in ("bet_accepted", "bet_withdrawn", "paid", "refunded")
        }


def amount_moved(what: Any) -> int:
    """Return the amount that a record moves, in minor units."""
    amount: int = what.returned if hasattr(what, "returned") else what.stake
    return amount


def test_over_http_and_bus_nothing_acts_in_another_window(server, tmp_path):
    asyncio.run(is_kept(server, tmp_path, rounds=6, kills=3, seed=1))


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_500_rounds_on_a_hostile_line_agree_to_the_cent(server, tmp_path):
    asyncio.run(is_kept(server, tmp_path, rounds=500, kills=12, seed=SEED))
