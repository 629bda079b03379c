"""Hostile requests at the table's own socket get an answer or none, and the table still works."""

import asyncio
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.core.house import House
from controller.games import GAMES
from controller.web.net import entrance, server
from tests.patience import PATIENCE, on_loop, until
from tests.table.test_table import HOUSE
from tests.web.random_commands import ANYTHING, near_commands
from tests.web.rig import Spoken, capture_log


@settings(max_examples=8)
@given(
    said=st.lists(st.tuples(st.sampled_from(["manager", "dealer", "server", "player"]), near_commands()), max_size=25),
    cards=st.randoms(use_true_random=False),
)
def test_any_command_over_the_socket_is_answered(tmp_path_factory, said, cards):
    async def steps():
        async with Spoken(tmp_path_factory.mktemp("t"), House(GAMES["baccarat"], HOUSE.settings)) as table:
            for role, command in said:
                reply = await table.ask("POST", f"/api/commands?role={role}", command)
                assert reply.status in (200, 400, 403), reply
                table.rig.deal(cards.choice(["9C", "2D", "KD", "3H"]))
            assert (await table.state())["seq"] == table.table.state.seq

    on_loop(steps)


@settings(max_examples=50)
@given(st.binary(max_size=60) | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_any_body_is_answered(running, body):
    async def steps(table: Spoken) -> None:
        async with table.connected() as (reader, writer):
            head = f"POST /api/commands HTTP/1.1\r\nhost: t\r\ncontent-length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            assert int((await reader.readline()).split()[1]) == 400

    running.do(steps)


HTTP = [
    b"GET /api/state HTTP/1.1\r\n", b"POST /api/commands HTTP/1.1\r\n", b"GET /api/events?after=0 HTTP/1.1\r\n",
    b"host: t\r\n", b"\r\n", b"POST /api/commands?role=king HTTP/1.1\r\n", b"HEAD /api/state HTTP/1.0\r\n",
    b"transfer-encoding: chunked\r\n", b"content-length: 5\r\n", b"5\r\nhello\r\n", b"0\r\n\r\n",
    b"connection: close\r\n", b"connection: upgrade\r\nupgrade: websocket\r\n", b"expect: 100-continue\r\n",
    b"last-event-id: 2\r\n", b"ZZ\r\n", b"\xff\x00", b"GET /\xc3\xa9 HTTP/1.1\r\n",
]  # fmt: skip


@settings(max_examples=200)
@given(st.lists(st.tuples(st.sampled_from(HTTP) | st.binary(max_size=9), st.sampled_from([0, 0, 0.001])), max_size=9))
def test_no_bytes_at_all_reach_the_loop_as_an_exception(running, parts):
    async def steps(table: Spoken) -> None:
        with capture_log() as lines:
            async with table.connected() as (_, writer):
                for part, wait in parts:
                    writer.write(part)
                    await asyncio.sleep(wait)
            assert (await table.state())["life"] == "idle"
        assert "request_failed" not in [line["event"] for line in lines]
        assert table.crashes == []

    running.do(steps)


def test_a_body_broken_after_its_answer_ends_only_its_connection(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table, table.connected() as (reader, writer):
            writer.write(b"POST /api/commands?role=king HTTP/1.1\r\nhost: t\r\ntransfer-encoding: chunked\r\n\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 400 ")
            with capture_log() as lines:
                writer.write(b"ZZ\r\n")
                await reader.read()
            assert [line["event"] for line in lines] == ["no_request"]
            assert table.crashes == []

    on_loop(steps)


def test_idle_connections_cannot_shut_a_client_out(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "PATIENCE", PATIENCE)  # no silent connection times out in this test

    async def steps():
        async with Spoken(tmp_path) as table:
            idle = [await asyncio.open_unix_connection(str(table.socket)) for _ in range(entrance.CONNECTIONS + 40)]
            await until(lambda: sum(ended(reader) for reader, _ in idle) >= 40)
            assert (await table.state())["life"] == "idle"
            for _, writer in idle:
                writer.close()

    on_loop(steps)


def ended(reader: asyncio.StreamReader) -> bool:
    return reader.at_eof() or reader.exception() is not None
