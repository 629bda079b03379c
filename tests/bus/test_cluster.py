"""Cluster of three servers of which any may fail, and a second site; all with certificates."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import tomli_w

from controller.bus.bus_client import BusClient, options
from controller.bus.keys import credentials_in
from tests.bus.cluster import Cluster, LeafServer
from tests.bus.rig import StudioKeys
from tests.bus.tables import as_over_http, ask, assert_streams_complete, events, run_table, stored
from tests.bus.test_injected_replies import OWN, fill, inject, stored_counts
from tests.bus.test_setup import run
from tests.patience import PATIENCE, on_loop, until

pytestmark = pytest.mark.proof


@pytest.fixture
def cluster(tmp_path) -> Iterator[Cluster]:
    with Cluster(tmp_path / "bus", tls=True) as three:
        yield three


def test_a_table_continues_when_its_stream_leader_is_killed(cluster, tmp_path):
    path: Path = tmp_path / "t.journal"

    async def steps():
        async with run_table(path, cluster.section()) as table:
            await until(lambda: table.bus.trouble is None)
            table.play()
            await table.caught_up()
            (await cluster.leader("EVENTS")).kill()
            table.play()
            await table.caught_up()

    on_loop(steps)
    assert_streams_complete(cluster, path)


def test_check_names_a_lagging_server_and_a_stream_without_replicas(cluster, tmp_path, capsys):
    section, file = cluster.section(), tmp_path / "t.toml"
    bus = {"servers": list(section.servers), "credentials": section.credentials, "ca": section.ca}
    file.write_text(tomli_w.dumps({"table": {"name": "t1"}, "bus": bus}))

    def check() -> tuple[int, str]:
        return run(capsys, "bus", "check", str(file))

    assert check() == (0, "the bus is set up correctly\n")
    gone = next(server for server in cluster.servers if server is not on_loop(lambda: cluster.leader("HEADS")))
    gone.kill()
    while f"stream HEADS: server {gone.name} is " not in (output := check()[1]):  # at first `behind`, after 30 s `away`
        assert output.count("\n") <= 4, output
    gone.start()
    while check()[0]:
        pass

    async def once_only():
        async with cluster.client("admin") as admin:
            stream_config = (await admin.jetstream().stream_info("HEADS")).config
            stream_config.num_replicas = 1
            await admin.jetstream().update_stream(stream_config)

    on_loop(once_only)
    assert check() == (
        1,
        "stream HEADS: expected 3 replicas in a cluster, it is on one server alone: `tablectl bus init`\n",
    )


def test_an_hour_without_servers_is_published_later_in_order(cluster, tmp_path):
    """All three servers stop for forty rounds, about as many as a table deals in an hour."""
    path = tmp_path / "t.journal"

    async def steps():
        async with run_table(path, cluster.section()) as table:
            await until(lambda: table.bus.trouble is None)
            table.play()
            await table.caught_up()
            cluster.kill()
            for _ in range(40):
                table.play()
                await asyncio.sleep(0)
            assert table.table.state.life == "settled"
            await until(lambda: table.bus.trouble is not None)
            await asyncio.to_thread(cluster.launch)
            await table.caught_up()

    on_loop(steps)
    assert_streams_complete(cluster, path)


def test_a_second_site_works_alone_and_stays_readable(cluster, tmp_path):
    path = tmp_path / "t.journal"

    async def steps():
        async with run_table(path, site.section()) as table, site.client("admin") as admin:
            await until(lambda: table.bus.trouble is None)
            table.play()
            await table.caught_up()
            async with site.client("floors", "main") as floor:
                assert (await ask(floor, "/api/v1/state", studio="siteb")).status == 200
            async with cluster.client("admin") as far:
                jetstream = far.jetstream(domain="siteb", timeout=PATIENCE)
                assert (await jetstream.stream_info("EVENTS")).state.messages == 2 * table.table.state.seq
                last = await jetstream.get_last_msg("HEADS", "tablectl.siteb.t1.head")
                assert msgspec.json.decode(last.data)["epoch"] == table.epoch
            cluster.kill()
            table.play()
            await table.caught_up()
            return await stored(admin, "EVENTS")

    with LeafServer(tmp_path / "siteb", cluster) as site:
        assert events(on_loop(steps), "manager") == as_over_http(path, "manager")


def test_injected_replies_store_nothing_in_clusters_and_sites(cluster, tmp_path):
    async def steps(bus: StudioKeys) -> None:
        await fill(bus)
        before, own = await stored_counts(bus), tuple[str, ...]()
        for key in ("platform", "floor", "table"):  # messages of these clients may be stored late
            own += tuple(one.replace("main", bus.studio.name) for one in OWN[key])
            await inject(bus, key)
            after = await stored_counts(bus)
            assert {one for one in after if after[one] != before.get(one) and not one.startswith(own)} == set(), key

    on_loop(lambda: steps(cluster))
    with LeafServer(tmp_path / "siteb", cluster) as site:
        on_loop(lambda: steps(site))


def test_a_client_leaves_a_suspended_server_within_seconds(cluster):
    """A suspended server keeps its connection open: the client leaves it after three missed pings."""

    async def steps():
        line = BusClient(
            options(cluster.section(), credentials_in(cluster.seed("tables", "t1")), "_INBOX_table.main.t1")
        )
        try:
            await line.open()
            port = line.client.connected_url.port
            still = next(server for server in cluster.servers if server.port == port)
            still.process.send_signal(signal.SIGSTOP)
            await until(lambda: line.client.is_connected and line.client.connected_url.port != port)
            asks = line.client.options
            assert asks["ping_interval"] * (asks["max_outstanding_pings"] + 1) <= 6
        finally:
            await line.close()

    on_loop(steps)
