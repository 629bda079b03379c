"""Table on the bus that a game server drives: when the server counts as present.

It is present while it asks for events, with a signature, within the time of grace.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.bus.keys import credentials_in
from controller.config.web import ServerSection
from controller.core import events as e
from controller.web.api.commands import Caller
from tests.bus.rig import BusServer
from tests.bus.tables import Answered, StudioTable, ask
from tests.patience import on_loop, until

LONG, SHORT = 3600, 0.2  # seconds of grace
EVENTS = "/api/v1/events?after=0"
OVER_HTTP = Caller("server", "game", "token:game")


class ServedTable:
    """Table that waits for a game server, and the server's client on the bus."""

    def __init__(self, server: BusServer, table: StudioTable, client: Any) -> None:
        self.table, self.line, self._client = table, table.doors._line, client
        self._seed = credentials_in(server.seed("platforms", "game")).seed

    async def asks(self, target: str = EVENTS, **how: Any) -> Answered:
        """Ask for `target` as the game server; with an empty `seed` the question is unsigned."""
        options = {"seed": self._seed, "epoch": self.table.epoch, **how}
        return await ask(self._client, target, "platform", **(options if options["seed"] else {}))

    @property
    def lost(self) -> bool:
        """True if the table counts the game server as lost."""
        return "server" in self.table.table.state.lost


@asynccontextmanager
async def driven(server: BusServer, folder: Path, grace: float, *names: str) -> AsyncIterator[ServedTable]:
    """Run a table whose game server has `grace` seconds between two questions."""
    section = ServerSection(names or ("game",), grace)
    async with (
        StudioTable(folder / "t.journal", server.section(), server=section) as table,
        server.client("platforms", "game") as client,
    ):
        await until(lambda: table.bus.trouble is None)
        yield ServedTable(server, table, client)


def test_a_game_server_on_the_bus_is_found_and_lost(server, tmp_path):
    async def steps():
        async with driven(server, tmp_path, SHORT) as one:
            await until(lambda: one.lost)
            assert (await one.asks()).status == 200
            await until(lambda: not one.lost)
            one.table.table.take(e.Open())
            assert one.table.table.state.life == "betting"
            await until(lambda: one.lost)  # no further question was asked

    on_loop(steps)


def test_a_server_that_asks_in_time_is_never_lost(server, tmp_path):
    """Each question starts the time of grace again."""

    async def steps():
        async with driven(server, tmp_path, LONG) as one:
            before = one.line._wait
            await one.asks()
            await until(lambda: one.line._wait not in (None, before))  # the time of grace began again
            assert not one.lost

    on_loop(steps)


@pytest.mark.parametrize("name", ["other", "platform"])
def test_a_platform_by_another_name_does_not_count(server, tmp_path, name):
    async def steps():
        async with driven(server, tmp_path, LONG, name) as one:
            before = one.line._wait
            for seed in ({}, {"seed": ""}):
                assert (await one.asks(**seed)).status == 200
            assert one.line._wait is before

    on_loop(steps)


def test_a_question_counts_only_with_a_sound_signature(server, tmp_path):
    async def steps():
        async with driven(server, tmp_path, LONG) as one:
            before = one.line._wait
            assert (await one.asks(seed="")).status == 200
            assert (await one.asks(epoch="0" * 32)).status == 403
            stranger = credentials_in(server.seed("floors", "main")).seed
            assert (await one.asks(seed=stranger)).status == 403
            assert (await one.asks("/api/v1/state")).status == 200
            assert one.line._wait is before

    on_loop(steps)


def test_a_game_server_is_lost_when_its_last_connection_ends(server, tmp_path):
    async def steps():
        async with driven(server, tmp_path, SHORT) as one:
            await until(lambda: one.lost)
            with one.line.count_stream(OVER_HTTP):
                assert not one.lost
                await one.asks()
                assert one.line._wait is None  # the HTTP stream is still open
            await until(lambda: one.lost)

    on_loop(steps)
