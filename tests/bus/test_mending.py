"""Unsigned messages on the bus: `bus check` reports them, `bus mend` deletes them and nothing else.

Mending needs the admin's key.
"""

import pytest
import tomli_w
from nats.js.api import ConsumerConfig

from controller.bus.names import REMOVAL
from controller.bus.seals import Seals
from controller.core import events as e
from controller.text.coded import render
from tests.bus.rig import BusServer
from tests.bus.tables import run_table
from tests.bus.test_setup import run
from tests.patience import on_loop, until

JUNK = ("tablectl.main.t1.head", "$KV.tablectl_status.main.t1", "$KV.tablectl_claims.main.assignments")
STREAMS = ("HEADS", "KV_tablectl_status", "KV_tablectl_claims")
SOUND = "the bus is set up correctly\n"


async def put_junk(server: BusServer) -> None:
    """Store two unsigned messages of each subject in JUNK."""
    async with server.client("admin") as admin:
        for subject in JUNK:
            await admin.jetstream().publish(subject, b"junk")
            await admin.jetstream().publish(subject, b"junk")


async def seqs(server: BusServer) -> dict[str, int]:
    """Return the number of messages in each stream."""
    async with server.client("admin") as admin:
        return {name: (await admin.jetstream().stream_info(name)).state.messages for name in STREAMS}


def test_check_names_unsigned_messages_and_mend_takes_them_away(server, tmp_path, capsys):
    config, path = tmp_path / "floor.toml", tmp_path / "t.journal"
    bus = {"servers": [server.url], "credentials": str(server.seed("floors", "main"))}
    bus |= {"admin": server.studio.admin_key}
    config.write_text(tomli_w.dumps({"floor": {}, "bus": bus}))

    async def play():
        async with run_table(path, server.section()) as table:
            await until(lambda: table.bus.trouble is None)
            table.play()
            await table.caught_up()
        subject, seals = "$KV.tablectl_claims.main.assignments", server.seals("floors", "main")
        async with server.client("floors", "main") as floor:
            await floor.jetstream().publish(subject, b"{}", headers=seals.seal(subject, b"{}"))

    on_loop(play)
    capsys.readouterr()
    assert run(capsys, "bus", "check", str(config)) == (0, SOUND)
    before = on_loop(lambda: seqs(server))
    on_loop(lambda: put_junk(server))
    code, output = run(capsys, "bus", "check", str(config))
    assert code == 1
    for stream, subject in zip(STREAMS, JUNK, strict=True):
        assert f"stream {stream}: 2 messages of {subject} not signed by their author: `tablectl bus mend`\n" in output
    mend = ("bus", "mend", str(server.studio.folder), "--server", server.url)
    code, output = run(capsys, *mend)
    assert (code, output.count("2 messages of"), output.count(" taken away\n")) == (0, 3, 3)
    after = on_loop(lambda: seqs(server))
    assert {**after, "KV_tablectl_status": 1} == {**before, "KV_tablectl_status": 1}
    assert after["KV_tablectl_status"] >= 1
    assert run(capsys, "bus", "check", str(config)) == (0, SOUND)
    assert run(capsys, *mend) == (0, "nothing to delete\n")


@pytest.mark.parametrize("operation", ["none", "DEL"])
def test_a_header_saves_no_junk_from_being_mended(server, tmp_path, capsys, operation):
    """Unsigned messages with a removal header are deleted; a removal marker that a floor has signed stays."""
    config, subject = tmp_path / "floor.toml", "$KV.tablectl_claims.main.x1"
    bus = {"servers": [server.url], "credentials": str(server.seed("floors", "main")), "admin": server.studio.admin_key}
    config.write_text(tomli_w.dumps({"floor": {}, "bus": bus}))

    async def put():
        async with server.client("admin") as admin, server.client("floors", "main") as floor:
            headers = server.seals("floors", "main").seal(JUNK[2], b"", "DEL")
            await floor.jetstream().publish(JUNK[2], b"", headers={**headers, REMOVAL: "DEL"})
            for _ in range(5):
                await admin.jetstream().publish(subject, b"x" * 50_000, headers={REMOVAL: operation})

    on_loop(put)
    code, output = run(capsys, "bus", "check", str(config))
    assert (code, f"5 messages of {subject}" in output, output.count("\n")) == (1, True, 1)
    code, output = run(capsys, "bus", "mend", str(server.studio.folder), "--server", server.url)
    assert (code, output) == (0, f"stream KV_tablectl_claims: 5 messages of {subject} taken away\n")
    assert run(capsys, "bus", "check", str(config)) == (0, SOUND)


def test_a_tables_check_names_unsigned_heads_of_its_own(server, tmp_path, capsys):
    config, path = tmp_path / "t1.toml", tmp_path / "t1.journal"
    bus = {"servers": [server.url], "credentials": str(server.seed("tables", "t1"))}
    about = {"table": {"name": "t1"}, "journal": {"path": str(path)}, "bus": bus}
    config.write_text(tomli_w.dumps(about))

    async def play():
        async with run_table(path, server.section()) as table:
            await until(lambda: table.bus.trouble is None)
            table.play()
            await table.caught_up()

    on_loop(play)
    capsys.readouterr()
    assert run(capsys, "bus", "check", str(config)) == (0, SOUND)
    on_loop(lambda: put_junk(server))
    code, output = run(capsys, "bus", "check", str(config))
    assert (code, output.count("\n")) == (1, 1)
    assert "of tablectl.main.t1.head are skipped, their author has not signed them" in output


def test_a_table_says_which_key_sent_unsigned_heads(server, tmp_path):
    async def steps():
        seals: Seals = server.seals("tables", "t2")
        async with server.client("admin") as admin:
            await admin.jetstream().publish(JUNK[0], b"junk", headers=seals.seal(JUNK[0], b"junk"))
        async with run_table(tmp_path / "t.journal", server.section()) as table:
            await until(lambda: seals.public in render(table.bus.trouble or ""))
            table.table.take(e.Open())
            assert table.table.state.life == "betting"

    on_loop(steps)


def test_mend_takes_away_consumers_of_an_earlier_version(server, capsys):
    async def consumers() -> list[str]:
        async with server.client("admin") as admin:
            return [one.name for one in await admin.jetstream().consumers_info("EVENTS")]

    async def make() -> None:
        async with server.client("admin") as admin:
            await admin.jetstream().add_consumer("EVENTS", ConsumerConfig(durable_name="platform"))

    on_loop(make)
    assert on_loop(consumers) == ["platform"]
    code, output = run(capsys, "bus", "mend", str(server.studio.folder), "--server", server.url)
    assert (code, "stream EVENTS: consumer platform taken away\n" in output) == (0, True)
    assert on_loop(consumers) == []
