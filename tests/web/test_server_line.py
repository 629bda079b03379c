"""A table notices that its game server is lost or back by the server's open event streams.

The tests use real connections and check that a replay of the inputs gives the same records.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.config.web import ServerSection
from controller.core import events as e
from controller.table import loop
from controller.web.listeners import TableDoors
from tests.patience import on_loop, until
from tests.reports.test_replay import replayed
from tests.web.net import NetworkTable
from tests.web.rig import NATURAL, capture_log

LONG, SHORT = 3600, 0.01
CUT = "no stream of its own for 0.01 s"


class ServerLineTable(NetworkTable):
    """Table with `[server] names = ["platform"]`. `grace`: seconds without a stream until it is lost."""

    def __init__(self, path: Path, grace: float = SHORT, names: tuple[str, ...] = ("platform",)) -> None:
        self.section = ServerSection(names, grace)
        super().__init__(path)

    def doors(self) -> TableDoors:
        return TableDoors(self.table, self.rig.path, self.listening, self.net, server=self.section)

    @asynccontextmanager
    async def served(self, target: str = "/api/v1/events", token: str = "") -> AsyncIterator[None]:
        """Follow the record as the game server does, until the end of the block."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            lines = [f"GET {target} HTTP/1.1", "host: localhost", f"authorization: Bearer {token or self.token}"]
            writer.write("\r\n".join([*lines, "", ""]).encode())
            assert (await reader.readuntil(b"retry: 1000\n")).startswith(b"HTTP/1.1 200 ")
            yield
        finally:
            writer.close()

    async def lost(self) -> None:
        """Wait until the game server counts as lost."""
        await self.rig.until(lambda: "server" in self.table.state.lost)

    async def found(self) -> None:
        """Wait until the game server counts as back."""
        await self.rig.until(lambda: "server" not in self.table.state.lost)

    @property
    def waits(self) -> bool:
        """True while the time runs after which the game server counts as lost."""
        return self.api._line._wait is not None

    def told(self) -> list[str]:
        """Return what was announced about the game server, in order: lost or found."""
        records = (record for record in self.rig.announced if getattr(record.what, "device", "") == "server")
        return [record.kind.removeprefix("device_") for record in records]


def over(table: NetworkTable) -> None:
    """Assert that a replay of the recorded inputs gives the same records, to the byte."""
    assert replayed(table.rig.recorded(), program=table.table.house.program).differences == []


def test_the_game_server_is_lost_and_found_with_its_stream(tmp_path):
    async def steps():
        async with ServerLineTable(tmp_path) as table:
            async with table.served():
                await table.found()
            await table.lost()
            assert table.rig.announced[-1].what.reason == CUT
            table.rig.take(e.Open())
            assert table.rig.announced[-1].what.reason == "server_lost"
            async with table.served():
                await table.found()
                table.rig.take(e.Open())
                assert table.table.state.life == "betting"
            over(table)

    on_loop(steps)


def test_a_server_stream_restored_in_time_records_nothing(tmp_path):
    async def steps():
        async with ServerLineTable(tmp_path, LONG) as table:
            assert table.waits
            for _ in range(20):
                async with table.served():
                    assert not table.waits
                await until(lambda: table.waits)
            assert table.told() == []

    on_loop(steps)


def test_the_server_counts_as_gone_with_its_last_stream(tmp_path):
    async def steps():
        async with ServerLineTable(tmp_path, LONG) as table:
            async with table.served():
                async with table.served():
                    assert table.api._line._streams == 2
                await until(lambda: table.api._line._streams == 1)
                assert not table.waits
            await until(lambda: table.waits)

    on_loop(steps)


def test_a_server_lost_while_betting_pauses_until_a_ruling(tmp_path):
    async def steps():
        async with ServerLineTable(tmp_path) as table:
            async with table.served():
                await table.found()
                table.rig.take(e.Open(), e.PlaceBet("p1", "banker", 1000))
            await table.lost()
            assert table.table.state.fault.code == "server_lost"
            table.rig.take(e.PlaceBet("p2", "banker", 1000), e.Rule("resume", "anna", "Line is back"))
            assert table.rig.kinds()[-2:] == ["bet_refused", "ruling_refused"]
            async with table.served():
                await table.found()
                assert table.table.state.life == "paused"  # only a ruling resumes the round
                table.rig.take(e.Rule("resume", "anna", "Line is back"))
                assert table.table.state.life == "betting"
            over(table)

    on_loop(steps)


def test_a_server_lost_after_the_close_blocks_only_new_rounds(tmp_path):
    async def steps():
        async with ServerLineTable(tmp_path) as table:
            async with table.served():
                await table.found()
                table.rig.take(e.Open(), e.PlaceBet("p1", "banker", 1000), e.Close())
            await table.lost()
            table.rig.deal(*NATURAL)
            table.rig.take(e.KeyPressed("finish"))
            assert table.table.state.life == "settled"
            table.rig.take(e.Open())
            assert table.rig.announced[-1].what.reason == "server_lost"
            over(table)

    on_loop(steps)


def test_a_server_back_within_a_pause_needs_no_ruling(tmp_path):
    async def steps():
        async with ServerLineTable(tmp_path) as table:
            async with table.served():
                await table.found()
                table.paused()
            await table.lost()
            assert table.rig.kinds()[-2:] == ["device_lost", "reported"]
            async with table.served():
                await table.found()
                assert table.rig.kinds()[-2:] == ["device_found", "report_answered"]
            over(table)

    on_loop(steps)


def test_a_table_without_a_server_after_start_records_its_loss(tmp_path):
    async def steps():
        async with ServerLineTable(tmp_path) as table:
            await table.lost()
            assert table.told() == ["lost"]

    on_loop(steps)


@pytest.mark.parametrize(("names", "then"), [(("platform",), ["lost"]), ((), ["lost", "found"])])
def test_a_server_lost_before_a_restart_is_not_lost_again(tmp_path, names, then):
    async def steps():
        async with ServerLineTable(tmp_path) as table:
            await table.lost()
        table.users.path.unlink()
        async with ServerLineTable(tmp_path, names=names) as table:
            await until(lambda: not table.waits)
            assert [one.kind[7:] for one in table.rig.recorded() if getattr(one.what, "device", "") == "server"] == then
            over(table)

    with capture_log() as logs:
        on_loop(steps)
    not_waited_for = [log["table"] for log in logs if log["event"] == "server_not_waited_for"]
    assert not_waited_for == ([] if names else ["table"])


def test_stopping_the_table_records_no_server_loss(tmp_path):
    async def steps():
        async with ServerLineTable(tmp_path, LONG) as table:
            async with table.served():
                await table.api.stop()
                assert table.told() == []
            assert not table.waits

    on_loop(steps)


@pytest.mark.parametrize(("names", "target"), [((), ""), (("other",), ""), (("platform",), "?role=player")])
def test_a_stream_of_anybody_else_is_not_the_game_servers(tmp_path, names, target):
    async def steps():
        async with ServerLineTable(tmp_path, LONG, names) as table, table.served(f"/api/v1/events{target}"):
            assert table.api._line._streams == 0
            assert table.waits == bool(names)

    on_loop(steps)


def test_a_revoked_token_ends_the_stream_and_loses_the_server(tmp_path):
    async def steps():
        async with ServerLineTable(tmp_path) as table, table.served():
            await table.found()
            with table.users.change() as change:
                change.remove_token("platform")
            table.rig.take(e.Open())  # the next event ends the stream
            await table.lost()

    on_loop(steps)


def test_a_server_loss_during_a_halt_is_recorded_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "RETRY", 0.01)

    async def steps():
        async with ServerLineTable(tmp_path) as table:
            async with table.served():
                await table.found()
                table.rig.journal.broken = "disk full"
                table.rig.take(e.Open())
                assert table.table.halted
            await until(lambda: table.api._line._lost)
            async with table.served():
                table.rig.journal.broken = None
                await table.rig.until(lambda: table.told()[-2:] == ["lost", "found"])
                assert "server" not in table.table.state.lost
            over(table)

    on_loop(steps)


def test_the_kernel_cuts_an_unresponsive_server_line_after_15_s(tmp_path):
    """A client that is cut off from the network cannot close its connection."""

    async def steps():
        async with ServerLineTable(tmp_path, LONG) as table, table.served():
            (server,) = (one for one in table.api._servers if one._listening.family == socket.AF_INET)
            (door,) = server.connections
            accepted = door.transport.get_extra_info("socket")
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 15_000

    on_loop(steps)
