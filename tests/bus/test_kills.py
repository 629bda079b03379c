"""Crashes of servers and tables: in the end the bus has every record once and in order."""

import asyncio
import random
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from nats.js.api import PubAck
from nats.js.errors import APIError

from controller.bus.bus_client import BusClient
from controller.bus.sender import BusMessage, Sender
from controller.bus.streams import Retention
from controller.journal import head_of, read, recover_state
from controller.journal.outbox import TargetPlaces
from controller.text.coded import render
from tests.bus import dealing
from tests.bus.tables import as_over_http, assert_streams_complete, events, run_table, stored
from tests.chance import SEED
from tests.patience import on_loop, until
from tests.processes import beside


def test_a_restarted_server_receives_every_missed_event_in_order(server, tmp_path):
    path = tmp_path / "t.journal"

    async def steps():
        async with run_table(path, server.section()) as table:
            await until(lambda: table.bus.trouble is None)
            table.play(2)
            await until(lambda: table.sent > 3)
            server.kill()
            for _ in range(20):
                table.play()
                await asyncio.sleep(0)
            await until(lambda: table.bus.trouble is not None)
            server.start()
            await table.caught_up()
            table.play()
            await table.caught_up()

    on_loop(steps)
    assert_streams_complete(server, path)


def test_events_sent_again_after_a_crash_are_stored_once(server, tmp_path):
    """A table that crashed between an acknowledgement and storing its place sends the events again."""
    path = tmp_path / "t.journal"

    async def life(rounds: int) -> None:
        async with run_table(path, server.section()) as table:
            await until(lambda: table.bus.trouble is None)
            table.play(rounds)
            await table.caught_up()

    on_loop(lambda: life(2))
    places = TargetPlaces(path)
    assert places.read() == {f"bus {recover_state(path).identity.epoch}": head_of(path).seq}
    places.move(f"bus {recover_state(path).identity.epoch}", 5)
    on_loop(lambda: life(1))
    assert_streams_complete(server, path)


def test_a_rival_publisher_is_reported_and_no_event_is_lost(server, tmp_path):
    path = tmp_path / "t.journal"

    async def steps():
        async with run_table(path, server.section()) as table, server.client("tables", "t1") as other:
            await until(lambda: table.bus.trouble is None)
            table.play()
            await table.caught_up()
            for _ in range(2):
                await other.jetstream().publish("tablectl.main.t1.event.manager", b'{"seq":0,"kind":"forged"}')
            table.play()
            await table.caught_up()
            assert "from another sender" in render(table.bus.trouble)
        async with server.client("admin") as admin:
            messages = [one for one in await stored(admin, "EVENTS") if one.epoch]
        assert events(messages, "manager") == as_over_http(path, "manager")

    on_loop(steps)


def test_messages_sent_again_after_a_restart_are_no_rivals(server):
    """A restart in the middle of a batch repeats the batch; the next new message follows its last one."""

    async def steps():
        async with server.client("tables", "t1") as client:
            before, after = (Sender(client.jetstream(), b"secret") for _ in range(2))
            for seq in range(1, 6):
                await before.send(BusMessage("tablectl.main.t1.event.manager", "e1", seq, b"{}"))
            for seq in range(2, 9):
                await after.send(BusMessage("tablectl.main.t1.event.manager", "e1", seq, b"{}"))
        async with server.client("admin") as admin:
            return after.rivals, [one.seq for one in await stored(admin, "EVENTS") if one.epoch == "e1"]

    assert on_loop(steps) == (0, [1, 2, 3, 4, 5, 6, 7, 8])


def test_an_expired_last_message_is_no_rival_publisher():
    """The stream dropped the table's last message: the table sends the next one again, reports no rival."""

    class Forgetful:
        """Stream that stores nothing."""

        async def publish(self, subject: str, body: bytes, timeout: float, headers: dict[str, str]) -> PubAck:
            if headers["Nats-Expected-Last-Subject-Sequence"] != "0":
                raise APIError(code=400, err_code=10071, description="wrong last sequence: 0")
            return PubAck("EVENTS", 57)

    async def steps():
        sender = Sender(Forgetful(), b"secret")
        for seq in (1, 2):
            await sender.send(BusMessage("s", "e", seq, b"{}"))
        return sender.rivals

    assert on_loop(steps) == 0


def test_a_stopped_table_leaves_no_thread_even_without_bus(server, tmp_path):
    async def steps():
        async with run_table(tmp_path / "t.journal", server.section()) as table:
            pass
        assert not table.bus._thread.is_alive()
        server.kill()
        async with run_table(tmp_path / "t.journal", server.section()) as table:
            await until(lambda: "yet" not in render(table.bus.trouble))
        assert not table.bus._thread.is_alive()

    on_loop(steps)


def test_a_client_that_was_never_connected_can_be_closed():
    asyncio.run(BusClient({}).close())


@pytest.mark.proof
def test_killing_tables_and_servers_in_turn_loses_and_doubles_nothing(server, tmp_path):
    path, dice, rounds = tmp_path / "t.journal", random.Random(SEED), 250
    what = path, server.section(), rounds
    server.make_streams(Retention("main", events_gb=1.6))  # enough for all events of this test

    async def steps():
        for turn in range(6):
            with beside(dealing.run, *what) as process:
                goal = seq(path) + dice.randrange(50, 300)
                await far(process, path, goal)
                if turn % 2:
                    server.kill()
                    server.start()
                    await far(process, path, goal + 100)
        with beside(dealing.run, *what) as process:
            await until(lambda: process.exitcode is not None)
            assert process.exitcode == 0

    on_loop(steps)
    assert sum(record.kind in ("settled", "cancelled") for record in read(path)) == rounds
    assert_streams_complete(server, path)


async def far(process: ForkServerProcess, path: Path, goal: int) -> None:
    """Wait until the process has recorded more than `goal` records, or has ended."""
    await until(lambda: process.exitcode is not None or seq(path) > goal)


def seq(path: Path) -> int:
    """Return the sequence number of the journal's last record, 0 without a journal."""
    return head_of(path).seq if path.exists() and path.stat().st_size else 0
