"""Permissions on the bus, tried on a real server with keys and config of `tablectl bus init`."""

import msgspec
import pytest
from nats.aio.client import Client
from nats.js.errors import APIError

from controller.bus.stream_reader import read
from tests.patience import PATIENCE, on_loop

EVENT, HEAD = "tablectl.main.t1.event.manager", "tablectl.main.t1.head"
COMMAND, FOR_PLATFORMS = "tablectl.main.t1.command.floor", "tablectl.main.t1.command.platform"
STATUS = "$KV.tablectl_status.main.t1"
DELETE, PURGE = "$JS.API.STREAM.MSG.DELETE.HEADS", "$JS.API.STREAM.PURGE.HEADS"
UPDATE, REMOVE = "$JS.API.STREAM.UPDATE.HEADS", "$JS.API.STREAM.DELETE.HEADS"
STORED = "$JS.API.DIRECT.GET.EVENTS"
CLAIM = "$KV.tablectl_claims.main.t1"
ROSTER = "$KV.tablectl_keys.main.roster"
CALLS, OTHER_CALLS = "tablectl_floor.main.main", "tablectl_floor.main.other"
EVERYTHING = {
    EVENT, HEAD, STATUS, COMMAND, FOR_PLATFORMS, DELETE, PURGE, UPDATE, REMOVE, STORED, CLAIM, ROSTER,
    CALLS, OTHER_CALLS,
}  # fmt: skip
STREAMS = ("EVENTS", "HEADS", "KV_tablectl_status", "KV_tablectl_claims", "KV_tablectl_keys")
CHANGES = {
    f"$JS.API.STREAM.{do}.{stream}"
    for do in ("CREATE", "UPDATE", "DELETE", "PURGE", "MSG.DELETE", "SNAPSHOT", "RESTORE")
    for stream in STREAMS
}
MAY = {
    ("tables", "t1"): {EVENT, HEAD, STATUS},
    ("tables", "t2"): set(),
    ("floors", "main"): {COMMAND, STORED, CLAIM, CALLS},
    ("platforms", "game"): {FOR_PLATFORMS},
    ("sites", "siteb"): set(),
}
LISTEN = {
    "tablectl.main.t1.command.floor": {("tables", "t1")},
    "_INBOX_floor.main.>": {("floors", "main")},
    "_INBOX_floor.>": set(),
    "_INBOX_platform.game.>": {("platforms", "game")},
    "_INBOX_table.main.t1.>": {("tables", "t1")},
    "tablectl_floor.main.*": {("tables", "t1"), ("tables", "t2"), ("floors", "main")},
    ">": set(),
}


async def refused(client: Client, subjects: set[str], *, hearing: bool = False) -> set[str]:
    """Return the subjects that the server refuses this client to publish, or with `hearing` to subscribe."""
    before = len(client.refused)
    for subject in sorted(subjects):
        await (client.subscribe(subject) if hearing else client.publish(subject, b"{}"))
    for _ in range(2):  # the first flush may overtake messages that the client has still to write
        await client.flush(timeout=PATIENCE)
    lines = [line.lower() for line in client.refused[before:]]
    return {one for one in subjects if any(f'"{one.lower()}"' in line for line in lines)}


def test_each_key_may_publish_and_subscribe_only_its_own_subjects(server):
    async def steps():
        for who, may in MAY.items():
            async with server.client(*who) as client:
                assert await refused(client, EVERYTHING) == EVERYTHING - may, who
                subjects = {subject for subject, those in LISTEN.items() if who not in those}
                assert await refused(client, set(LISTEN), hearing=True) == subjects, who

    on_loop(steps)


def test_only_the_admin_may_change_or_empty_a_stream(server):
    async def steps():
        for who in MAY:
            async with server.client(*who) as client:
                assert await refused(client, CHANGES) == CHANGES, who

    on_loop(steps)


@pytest.mark.parametrize("header", ["all", "sub"])
def test_a_rollup_header_empties_no_bucket(server, header):
    """All tables share the status bucket, and all floors the claims."""

    async def steps():
        async with server.client("tables", "t1") as one, server.client("floors", "main") as floor:
            await one.jetstream().publish(STATUS, b"s1")
            await floor.jetstream().publish(CLAIM, b"Ana")
            async with server.client("tables", "t2") as two:
                for client, subject in ((two, "$KV.tablectl_status.main.t2"), (floor, "$KV.tablectl_claims.main.t2")):
                    with pytest.raises(APIError, match="rollup not permitted"):
                        await client.jetstream().publish(subject, b"{}", headers={"Nats-Rollup": header})
            async with server.client("admin") as admin:
                for bucket in STREAMS[2:4]:
                    assert (await admin.jetstream().stream_info(bucket)).state.messages == 1

    on_loop(steps)


def test_no_purge_or_rollup_takes_all_heads_away(server):
    async def steps():
        async with server.client("admin") as admin, server.client("tables", "t1") as table:
            await table.jetstream().publish(HEAD, b"{}")
            answer = msgspec.json.decode((await admin.request(PURGE, b"", timeout=PATIENCE)).data)
            assert answer["error"]["err_code"] == 10110, answer
            with pytest.raises(APIError):
                await admin.jetstream().publish(HEAD, b"{}", headers={"Nats-Rollup": "sub"})
            assert (await admin.jetstream().stream_info("HEADS")).state.messages == 1

    on_loop(steps)


def test_a_floor_reads_all_tables_and_claims_a_call_once(server):
    async def steps():
        async with (
            server.client("tables", "t1") as one,
            server.client("tables", "t2") as two,
            server.client("floors", "main") as floor,
        ):
            for number, (table, name) in enumerate(((one, "t1"), (two, "t2"), (one, "t1"))):
                await table.jetstream().publish(f"tablectl.main.{name}.event.manager", b"%d" % number)
                await table.jetstream().publish(f"$KV.tablectl_status.main.{name}", b"s%d" % number)
            found = await read(floor, "EVENTS", "tablectl.main.*.event.manager", 0, 9)
            assert [one.body for one in found] == [b"0", b"1", b"2"]
            found = await read(floor, "KV_tablectl_status", "$KV.tablectl_status.main.>", 0, 9)
            assert [one.body for one in found] == [b"s0", b"s1", b"s2"]
            first = {"Nats-Expected-Last-Subject-Sequence": "0"}
            await floor.jetstream().publish(f"{CLAIM}.call", b"Ana", headers=first)
            with pytest.raises(APIError, match="wrong last sequence"):
                await floor.jetstream().publish(f"{CLAIM}.call", b"Bo", headers=first)
            head = await floor.jetstream().get_last_msg("KV_tablectl_claims", f"{CLAIM}.call")
            assert head.data == b"Ana"

    on_loop(steps)
