"""Floor and tables on a bus with certificates, and on a bus with JWT accounts: rulings work on both."""

import pytest

from tests.bus.creds import ByJwt
from tests.bus.rig import BusServer, Certificates
from tests.floor.service import paused, studio
from tests.patience import on_loop

WAYS = {
    "certificates": lambda folder: BusServer(folder / "bus", certificates=Certificates(folder / "tls")),
    "creds": lambda folder: ByJwt(folder / "bus"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_fault_is_claimed_and_ruled_on_at_the_floor(tmp_path, way):
    """A shift manager claims the call and burns the card, on each kind of bus."""

    async def steps():
        async with studio(tmp_path, server) as (floor, table):
            maria, fault = await floor.signed_in(), paused(table)
            while (claimed := await maria.act("claim", table="t1", fault=fault)).body.get("done") is not True:
                assert claimed.body["reason"] == "over", claimed  # the floor has not yet received the fault
            rule = {"command": "rule", "id": "r1", "fault": fault, "ruling": "burn", "because": "seen"}
            answer = await maria.command("t1", rule)
            assert [one["verdict"] for one in answer.body["verdicts"]] == ["done"], answer
            assert table.table.state.fault is None

    with WAYS[way](tmp_path) as server:
        on_loop(steps)
