"""Rolled-back record whose loss was accepted: floor and game server drop none of the new events."""

import asyncio
from pathlib import Path

import msgspec
import pytest
import tomli_w
from nats.aio.client import Client

from controller.bus.bus_client import BusClient, options
from controller.bus.keys import credentials_in
from controller.bus.permissions import inbox_of
from controller.bus.witness import WitnessRefused, admit
from controller.floor.storage.feed import FloorFeed
from controller.floor.storage.store import Store
from controller.journal import recover_state
from tests.bus.cluster import Cluster
from tests.bus.rig import StudioKeys
from tests.bus.tables import as_over_http, stored
from tests.bus.test_witness import copied, deal_rounds, put_back, run_command
from tests.floor.feeding import everybody
from tests.patience import on_loop, until

Kept = dict[tuple[str, int], object]


async def stream_events(admin: Client) -> Kept:
    """Return the stream's events for game servers: the first of each number."""
    events: Kept = {}
    for one in await stored(admin, "EVENTS", "tablectl.main.*.event.server"):
        events.setdefault((one.epoch, one.seq), one.body)
    return events


async def fed(bus: StudioKeys, path: Path, epoch: str, seq: int) -> Kept:
    """Run a floor's feed until record `seq` is stored; return all events in its store."""
    section = bus.section_of("floors", "main")
    line = BusClient(options(section, credentials_in(bus.seed("floors", "main")), inbox_of("floor", "main")))
    store = Store(path)

    async def ask(*_: object) -> list[bytes]:
        raise TimeoutError

    feed = FloorFeed(line, "main", everybody(), store, ask, lambda _: None)
    tasks = [asyncio.create_task(work) for work in (line.open(), feed.run())]
    try:
        await until(lambda: store.last_seq("t1", epoch) >= seq)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await line.close()
        store.close()
    return {
        (one.epoch, one.seq): msgspec.json.decode(one.body)
        for table, of, _ in store.epochs()
        for one in store.events(table, of)
    }


def drops_nothing(bus: StudioKeys, folder: Path) -> None:
    """Let a table lose a round with its disk and continue after the loss is accepted; compare the events."""
    path, file = folder / "disk" / "t.journal", folder / "t1.toml"
    path.parent.mkdir()
    section = bus.section()
    bus_settings = {"servers": list(section.servers), "credentials": section.credentials}
    bus_settings |= {"ca": section.ca} if section.ca else {}
    file.write_text(tomli_w.dumps({"table": {"name": "t1"}, "bus": bus_settings}))
    deal_rounds(path, section)
    copy, stands = copied(path), recover_state(path).seq
    deal_rounds(path, section)
    old = as_over_http(path, "manager"), as_over_http(path, "server"), recover_state(path).identity.epoch
    put_back(copy, path)
    with pytest.raises(WitnessRefused, match=f"records {stands + 1} to {len(old[0])} are missing"):
        on_loop(lambda: admit(section, str(file), "t1", path, recover_state(path)))
    run_command(["journal", "accept-loss", str(path), "--witness", str(file), "--by", "Ana", "--because", "disk"], 0)
    deal_rounds(path, section, rounds=2)
    state = recover_state(path)

    async def look() -> tuple[Kept, Kept]:
        async with bus.client("admin") as admin:
            return await fed(bus, folder / "main.floor", state.identity.epoch, state.seq), await stream_events(admin)

    for events, audience, before in zip(on_loop(look), ("manager", "server"), old, strict=False):
        new = as_over_http(path, audience)[stands:]
        assert events == {
            **{(old[2], seq): event for seq, event in before},
            **{(state.identity.epoch, seq): event for seq, event in new},
        }


def test_after_an_accepted_loss_floor_and_platform_keep_new_events(bus, tmp_path):
    drops_nothing(bus, tmp_path)


@pytest.mark.proof
def test_an_old_copy_does_not_start_with_one_server_lost(tmp_path):
    with Cluster(tmp_path / "bus", tls=True) as bus:
        bus.servers[0].kill()
        drops_nothing(bus, tmp_path)
