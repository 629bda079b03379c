"""Three servers, one of which may be gone at any time; and a second site."""

from pathlib import Path

import pytest

from tests.bus.cluster import Cluster
from tests.bus.rig import on_loop, until
from tests.bus.tables import as_over_http, at_work, events, stored


@pytest.mark.proof
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_a_table_on_a_cluster_goes_on_when_the_leader_of_its_events_is_killed(tmp_path, tls):
    path: Path = tmp_path / "t.journal"

    async def steps():
        async with at_work(path, cluster.section()) as table:
            await until(lambda: table.bus.trouble is None)
            table.play()
            await table.caught_up()
            leader = await cluster.leader("EVENTS")
            leader.kill()
            table.play()
            await table.caught_up()
            leader.start()
            async with cluster.client("admin") as admin:
                return await stored(admin, "EVENTS")

    with Cluster(tmp_path / "bus", tls=tls) as cluster:
        told = on_loop(steps)
        assert events(told, "manager") == as_over_http(path, "manager")
