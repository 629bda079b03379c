"""Shared documents on three servers: even if a server is killed, only one of two people succeeds."""

import asyncio
from collections.abc import Iterator

import msgspec
import pytest

from controller.bus.names import TableNames
from controller.bus.status import Status
from tests.bus.cluster import Cluster
from tests.floor.bare_floor import FloorViewer
from tests.floor.failures import publish_until_stored
from tests.floor.shared_state.test_claims import Both, claimant, floors
from tests.floor.statuses import calling_status, status
from tests.patience import on_loop, until

pytestmark = pytest.mark.proof
ANNA = FloorViewer("7", "Anna Pop")
TABLES = tuple(f"t{number}" for number in range(2, 11))


@pytest.fixture
def cluster(tmp_path) -> Iterator[Cluster]:
    with Cluster(tmp_path / "bus", tls=True) as three:
        yield three


async def knows(pair: Both, status: Status) -> None:
    """Publish a status, even just after a server was killed, and wait until both floors have it."""
    subject, body = TableNames("main", status.table).status, msgspec.json.encode(status)
    await publish_until_stored(
        pair.admin, subject, body, pair.one.bus.seals("tables", status.table).seal(subject, body)
    )
    await until(lambda: all(floor.hall.status_of(status.table) == status for floor in pair[:2]))


def test_a_confirmed_claim_holds_at_both_floors_despite_killed_servers(cluster):
    async def steps():
        people = [FloorViewer(str(number), f"Person {number}") for number in range(9)]
        async with floors(cluster) as pair:
            both = pair[:2]
            for seq, server in enumerate(cluster.servers, 12):
                await knows(pair, calling_status(seq=seq))
                race = [asyncio.create_task(both[at % 2].shared.claim("t1", seq, one)) for at, one in enumerate(people)]
                await asyncio.sleep(0)
                server.kill()
                outcomes = await asyncio.gather(*race)
                winners = [one.name for one, outcome in zip(people, outcomes, strict=True) if outcome.done]
                assert len(winners) <= 1
                await asyncio.to_thread(server.start)
                while not winners:
                    winners = [ANNA.name] if (await both[0].shared.claim("t1", seq, ANNA)).done else []
                    winners = winners or [name for name in {claimant(floor) for floor in both} if name]
                await until(lambda name=winners[0]: [claimant(floor) for floor in both] == [name, name])

    on_loop(steps)


def test_nobody_has_a_seventh_table_whichever_server_dies_meanwhile(cluster):
    async def steps():
        async with floors(cluster) as pair:
            await pair.know(*map(status, TABLES))
            giving = [
                asyncio.create_task(pair[at % 2].shared.assign(table, "102", 6)) for at, table in enumerate(TABLES)
            ]
            await asyncio.sleep(0)
            leader = await cluster.leader("KV_tablectl_claims")
            leader.kill()
            outcomes = await asyncio.gather(*giving)
            assert sum(outcome.done for outcome in outcomes) <= 6
            await asyncio.to_thread(leader.start)
            for table in TABLES:
                await pair.one.shared.assign(table, "102", 6)
            await until(lambda: all(owned(floor) == 6 for floor in pair[:2]))

    def owned(floor) -> int:
        return sum(floor.hall.owner(table) == "102" for table in TABLES)

    on_loop(steps)
