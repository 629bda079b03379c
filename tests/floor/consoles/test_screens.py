"""Screens of tables at the floor: requested again after each change, even an unannounced one."""

import asyncio
import json
from typing import NamedTuple

from controller.bus.names import TableNames
from controller.bus.relay import RelayedAnswer
from controller.core.clock import SECOND
from controller.floor.consoles.screens import Console, Consoles
from controller.floor.live.heartbeats import Beat
from controller.floor.storage.table_events import Unanswered
from tests.bus.test_epochs import begin
from tests.bus.two_pcs import run_two_pcs
from tests.floor.service import OneFloor
from tests.patience import on_loop, until


class ReceivedBytes(NamedTuple):
    data: bytes


class SubscribeOnlyConnection:
    """Connection to the bus on which one can only subscribe."""

    def __init__(self) -> None:
        self.there, self.client, self.heard = asyncio.Event(), self, {}
        self.there.set()

    async def subscribe(self, subject: str, cb):
        self.heard[subject] = cb
        return self

    async def unsubscribe(self) -> None:
        self.heard.clear()


class CountingTable:
    """Table that counts requests, and answers none while `away`."""

    def __init__(self) -> None:
        self.asked, self.away = 0, False

    async def get(self, table: str, target: str) -> RelayedAnswer:
        self.asked += 1
        if self.away:
            raise Unanswered(f"{table} is away: {target}")
        screen = {"now": "2026-01-01T00:00:00.000000Z", "lang": "en", "screen": {"number": self.asked}, "version": "x"}
        return RelayedAnswer(200, json.dumps([screen]).encode())


def followed(steps) -> None:
    """Run the test's steps with a console that follows a table."""

    async def run() -> None:
        table, line = CountingTable(), SubscribeOnlyConnection()
        console = Console(table, TableNames("main", "t1"), "en", {"version": "v1", "zone": "UTC"})
        following = asyncio.create_task(console.follow(line))
        try:
            await until(lambda: console.shown)
            await steps(console, table, line.heard)
        finally:
            following.cancel()
            await asyncio.wait([following])
        assert line.heard == {}

    on_loop(run)


def test_only_a_beat_with_new_records_requests_the_picture():
    """A heartbeat with a new record number requests the screen; a repeated number does not."""

    async def steps(console: Console, table: CountingTable, _) -> None:
        console.beat(Beat("e", 7))
        await until(lambda: table.asked == 2)
        for _ in range(5):
            console.beat(Beat("e", 7))
        console.beat(Beat("e", 8))
        await until(lambda: table.asked == 3)
        assert console.beats == 7
        assert console.shown["version"] == "v1"  # the floor's own

    followed(steps)


def test_simultaneous_changes_cause_one_request():
    async def steps(console: Console, table: CountingTable, handlers) -> None:
        before = table.asked
        for _ in range(50):
            await handlers["$KV.tablectl_status.main.t1"](ReceivedBytes(b"{}"))
        await until(lambda: table.asked == before + 1 and b'"number": 2' in bytes(console.shown["screen"]))
        assert table.asked == before + 1

    followed(steps)


def test_a_table_that_did_not_answer_is_asked_again(monkeypatch):
    monkeypatch.setattr("controller.floor.consoles.screens.AGAIN", 0.01)

    async def steps(console: Console, table: CountingTable, handlers) -> None:
        table.away, snapshot = True, console.shown
        await handlers["$KV.tablectl_status.main.t1"](ReceivedBytes(b"{}"))
        await until(lambda: table.asked >= 4)
        assert console.shown == snapshot
        table.away = False
        await until(lambda: console.shown != snapshot)

    followed(steps)


def test_a_superseded_pcs_beats_keep_no_screen_alive(server, tmp_path):
    """The PC with the epoch in force has stopped; heartbeats of the other PC do not reach the console."""

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (old, new), OneFloor(tmp_path, server) as floor:
            await begin(old, new, tmp_path / "parts", accept_loss=True)
            await until(lambda: old.doubts)
            await new.start()
            await until(lambda: new.table.bus.trouble is None)
            assert new.opens()
            await floor.knows("t1")
            await until(lambda: floor.hall.status_of("t1").epoch == new.table.epoch)
            person, rivals = await floor.signed_in(), floor.floor._live._epochs._rivals
            async with person.stream("/tables/t1/api/screen?lang=en") as stream:
                await stream.next("beat")
                await new.stop()
                await until(lambda: not floor.hall.is_heard("t1"))
                ((console, _),) = floor.floor.doors.consoles._open.values()
                before, (_, since) = console.beats, rivals["t1"]
                await until(lambda: rivals["t1"][1] > since + SECOND)
                assert console.beats == before
                await old.stop()
                stream.socket.shutdown(2)

    on_loop(steps)


def test_a_heartbeat_reaches_every_language_of_its_table_alone():
    async def steps() -> None:
        consoles = Consoles(SubscribeOnlyConnection(), CountingTable(), "main", {})
        with (
            consoles._follow("t1", "en") as english,
            consoles._follow("t2", "en") as other,
            consoles._follow("t1", "ro") as romanian,
        ):
            consoles.beat("t1", Beat("e", 7))
            assert [english.beats, other.beats, romanian.beats] == [1, 0, 1]
        assert consoles.open_count == 0

    on_loop(steps)
