"""Random requests of a client with each key in turn change no table, no event and no floor."""

import random

import pytest
from nats.aio.client import Client

from tests.bus.rig import BusServer
from tests.bus.tables import as_over_http, events, run_table, stored
from tests.bus.test_injected_replies import ASKED, REPLIES, flush
from tests.bus.test_key_rights import PUBLISH, SUBSCRIBE, cells
from tests.chance import SEED
from tests.floor.bare_floor import run_bare_floor
from tests.patience import on_loop, until

pytestmark = pytest.mark.proof
KEYS = (("tables", "t2"), ("floors", "second"), ("platforms", "game"), ("sites", "siteb"))
SUBJECTS = sorted({subject for _, subject, _ in (*cells(PUBLISH), *cells(SUBSCRIBE))} | {one for one, _ in ASKED})
BODIES = (b"", b"{}", b"\xff", bytes(70_000), *(body for _, body in ASKED))
HEADERS = (
    {"Nats-Rollup": "all"},
    {"Nats-Rollup": "sub"},
    {"KV-Operation": "PURGE"},
    {"Nats-TTL": "1s"},
    {"Nats-Expected-Last-Subject-Sequence": "0"},
    {"Nats-Msg-Id": "1"},
    {"Tablectl-Epoch": "e", "Tablectl-Seq": "1"},
    {},
)


async def try_anything(client: Client, dice: random.Random, times: int) -> None:
    """Publish or subscribe `times` times with random subject, reply, body and headers."""
    for _ in range(times):
        subject, reply = dice.choice(SUBJECTS), dice.choice((*REPLIES, *SUBJECTS, ""))
        if dice.random() < 0.05:
            await client.subscribe(subject)
        else:
            await client.publish(subject, dice.choice(BODIES), reply, dice.choice(HEADERS) or None)
    await flush(client)


@pytest.mark.parametrize("kind", KEYS)
def test_a_random_client_of_any_key_changes_nothing_elsewhere(server: BusServer, tmp_path, kind):
    path, dice = tmp_path / "t.journal", random.Random(f"{SEED} {kind}")

    async def steps():
        async with run_table(path, server.section()) as table, run_bare_floor(server) as floor:
            await until(lambda: table.bus.trouble is None and floor.strip() is not None)
            for _ in range(20):
                async with server.client(*kind) as client:
                    await try_anything(client, dice, 500)
                table.play()
            await table.caught_up()
            await until(lambda: floor.hall.status_of("t1").seq == table.table.state.seq and floor.hall.is_heard("t1"))
            assert table.bus.trouble is None
        async with server.client("admin") as admin:
            return await stored(admin, "EVENTS", "tablectl.main.t1.>")

    messages = on_loop(steps)
    for audience in ("manager", "server"):
        assert events(messages, audience) == as_over_http(path, audience)
