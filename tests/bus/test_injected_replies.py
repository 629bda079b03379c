"""Reply subjects of requests: no key can store or send a message by them. Each key on a real server."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack

import msgspec
import pytest
from nats.aio.client import Client

from tests.bus.rig import BusServer, StudioKeys
from tests.bus.tables import run_table
from tests.bus.test_key_rights import PUBLISH, cells
from tests.bus.test_permissions import refused
from tests.patience import PATIENCE, on_loop, until

STREAMS = ("EVENTS", "HEADS", "KV_tablectl_status", "KV_tablectl_claims", "KV_tablectl_keys")
WHO = {
    "table": ("tables", "t1"),
    "floor": ("floors", "main"),
    "platform": ("platforms", "game"),
    "site": ("sites", "siteb"),
}
OWN = {
    "table": ("tablectl.main.t1.", "$KV.tablectl_status.main.t1"),
    "floor": ("$KV.tablectl_claims.main.",),
    "platform": (),
    "site": (),
}
REPLIES = (
    "tablectl.main.t2.head",
    "tablectl.main.t2.event.manager",
    "$KV.tablectl_status.main.t2",
    "$KV.tablectl_claims.main.assignments",
    "$KV.tablectl_claims.main.t2.call",
    "$KV.tablectl_keys.main.roster",
    "$JS.API.STREAM.PURGE.HEADS",
    "$JS.API.CONSUMER.CREATE.EVENTS",
)
ASKED = (  # a request that the server answers, and the body that it needs
    ("$JS.API.INFO", b""),
    ("$JS.API.STREAM.INFO.EVENTS", b""),
    ("$JS.API.STREAM.MSG.GET.HEADS", b'{"seq":1}'),
    ("$JS.API.DIRECT.GET.EVENTS", b'{"seq":1}'),
    ("$JS.API.DIRECT.GET.EVENTS", b'{"seq":1,"next_by_subj":"tablectl.main.*.event.manager","batch":9}'),
    ("$JS.API.CONSUMER.INFO.EVENTS.platform_game", b""),
    ("$JS.API.CONSUMER.MSG.NEXT.EVENTS.platform_game", b"9"),
    ("$JS.API.CONSUMER.CREATE.EVENTS.x", b'{"stream_name":"EVENTS","config":{"name":"x","deliver_subject":"%s"}}'),
    ("$KV.tablectl_claims.main.t1.call", b"{}"),
    ("tablectl.main.t1.event.manager", b"{}"),
)


async def stored_counts(server: StudioKeys) -> dict[str, int]:
    """Return the number of stored messages of each subject."""
    found: dict[str, int] = {}
    async with server.client("admin") as admin:
        for stream in STREAMS:
            info = await admin.jetstream(timeout=PATIENCE).stream_info(stream, subjects_filter=">")
            found |= info.state.subjects or {}
    return found


def others(counts: Mapping[str, int], key: str) -> dict[str, int]:
    """Leave out the subjects that this key may store itself."""
    return {subject: count for subject, count in counts.items() if not subject.startswith(OWN[key])}


async def inject(bus: StudioKeys, key: str) -> None:
    """Send each request with each reply subject, including those that this key may not publish."""
    studio = bus.studio.name
    async with bus.client(*WHO[key]) as client:
        for reply in (one.replace("main", studio) for one in REPLIES):
            for subject, body in ASKED:
                await client.publish(subject.replace("main", studio), body.replace(b"%s", reply.encode()), reply)
        await flush(client)


async def flush(client: Client) -> None:
    """Wait until the server has all published messages."""
    for _ in range(2):
        await client.flush(timeout=PATIENCE)


async def fill(bus: StudioKeys) -> None:
    """Store some messages of two tables in each stream."""
    studio = bus.studio.name
    for name in ("t1", "t2"):
        async with bus.client("tables", name) as table:
            stream = table.jetstream(timeout=PATIENCE)
            for what in ("event.manager", "event.server", "head"):
                await stream.publish(f"tablectl.{studio}.{name}.{what}", b'{"seq":1}')
            await stream.publish(f"$KV.tablectl_status.{studio}.{name}", b"{}")


@pytest.fixture
def told(server) -> BusServer:
    """Return the server with messages of two tables in its streams."""
    on_loop(lambda: fill(server))
    return server


@pytest.mark.parametrize("key", WHO)
def test_no_reply_subject_of_any_request_stores_anything(told, key):
    async def steps():
        before = others(await stored_counts(told), key)
        await inject(told, key)
        assert others(await stored_counts(told), key) == before

    on_loop(steps)


@pytest.mark.parametrize("key", WHO)
def test_each_key_stores_below_its_own_subjects_alone(told, key):
    """Each subject in the table of rights is tried with each reply subject."""
    subjects = {subject: allowed for one, subject, allowed in cells(PUBLISH) if one == key}
    own = {subject.replace("main.hall", "main.main").replace("_floor.hall", "_floor.main") for subject in subjects}

    async def steps():
        before = others(await stored_counts(told), key)
        async with told.client(*WHO[key]) as client:
            found = await refused(client, own)
            for reply in REPLIES:
                for subject in own:
                    await client.publish(subject, b"{}", reply)
            await flush(client)
        may = {subject.replace("main.hall", "main.main") for subject, allowed in subjects.items() if allowed}
        assert {one for one in own if one not in found} == {one.replace("_floor.hall", "_floor.main") for one in may}
        assert others(await stored_counts(told), key) == before

    on_loop(steps)


def test_a_flood_of_injected_replies_delays_no_event(server, tmp_path):
    """A stored injection would be the last message of the table's subject, and delay its next event."""

    async def flood(client: Client) -> None:
        while True:
            for _ in range(50):
                await client.publish("$JS.API.STREAM.INFO.EVENTS", b"", "tablectl.main.t1.event.manager")
            await client.flush(timeout=PATIENCE)

    async def steps():
        async with AsyncExitStack() as stack:
            table = await stack.enter_async_context(run_table(tmp_path / "t.journal", server.section()))
            await until(lambda: table.bus.trouble is None)
            client = await stack.enter_async_context(server.client("floors", "main"))
            flooding = asyncio.create_task(flood(client))
            try:
                table.play()
                await table.caught_up()
                assert table.bus.trouble is None
            finally:
                flooding.cancel()
        counts = await stored_counts(server)
        assert counts["tablectl.main.t1.event.manager"] == table.table.state.seq

    on_loop(steps)


def test_no_other_table_can_answer_in_a_tables_inbox(server):
    inbox = "_INBOX_floor.main.t1.x"

    async def steps():
        async with server.client("floors", "main") as floor:
            answers = await floor.subscribe(inbox)
            async with server.client("tables", "t2") as two, server.client("tables", "t1") as one:
                assert await refused(two, {inbox, "_INBOX_floor.main.x", "_INBOX_floor.main.t2x.x"})
                await one.publish(inbox, b"mine")
                await flush(one)
            message = await answers.next_msg(timeout=PATIENCE)
            assert (message.data, answers.pending_msgs) == (b"mine", 0)
            body = msgspec.json.encode({"stream_name": "EVENTS"})
            assert await refused(floor, {"$JS.API.CONSUMER.CREATE.EVENTS"}), body

    on_loop(steps)
