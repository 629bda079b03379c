"""Heartbeats of tables: a table counts as heard only while its status follows its record."""

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.bus.names import TableNames
from controller.core.clock import SECOND
from controller.floor.live.heartbeats import LATE, Beat, Beats, beat_in
from controller.text.pc_texts import PC
from tests.bus.cluster import Cluster
from tests.bus.tables import run_table
from tests.floor.bare_floor import BareFloor, FloorViewer, run_bare_floor
from tests.floor.statuses import START, status
from tests.patience import PATIENCE, PAUSE, on_loop, until


def beat(seq: int, epoch: str = "e1") -> Beat:
    return beat_in(b'{"epoch":"%s","seq":%d}' % (epoch.encode(), seq))


@pytest.mark.parametrize(("seq", "epoch"), [(11, "e1"), (1, "e2")])
def test_a_status_behind_the_record_makes_its_table_unheard(seq, epoch):
    """Heartbeats name a later record than the status: after two seconds the table counts as not heard."""
    beats, last_status = Beats(), status(seq=10)
    results = [beats.is_heard("t1", beat(seq, epoch), last_status, START + n * SECOND) for n in range(5)]
    assert results == [True, True, True, False, False]
    assert beats.is_heard("t1", beat(seq, epoch), status(seq=seq, epoch=epoch), START + 5 * SECOND)
    assert beats.is_heard("t1", beat(seq + 1, epoch), status(seq=seq, epoch=epoch), START + 6 * SECOND)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=50))
def test_beats_ahead_of_an_arriving_status_keep_a_table_heard(steps):
    """The status is at most one record behind the heartbeat and follows it: the table stays heard."""
    beats, seq, now = Beats(), 10, START
    for step in steps:
        seq, now = seq + step, now + LATE
        assert beats.is_heard("t1", beat(seq + 1 if step else seq), status(seq=seq), now)


@pytest.mark.parametrize("said", [b"", b"{}", b"\xff", b'{"epoch":1,"seq":"x"}'])
def test_a_malformed_heartbeat_is_ignored(said):
    assert beat_in(said) is None


def test_a_clock_put_right_hides_no_beat(bus, tmp_path):
    """A table's clock was ten minutes ahead until a restart: later heartbeats count, an old one only once."""
    subject, body = TableNames("main", "t1").subject("beat"), b'{"epoch":"e1","seq":1}'
    ahead, heartbeats = bus.seals("tables", "t1"), []
    ahead.sign_after(round(time.time() * 1000) + 600_000)

    async def steps():
        async with bus.client("tables", "t1") as client, run_bare_floor(bus) as floor:
            floor.live.heard = lambda *heartbeat: heartbeats.append(heartbeat)
            while not heartbeats:
                headers = ahead.seal(subject, body)
                await client.publish(subject, body, headers=headers)
                await client.flush(timeout=PATIENCE)
                await asyncio.sleep(PAUSE)
            async with run_table(tmp_path / "t.journal", bus.section()) as table:
                await until(lambda: any(heartbeat.epoch == table.epoch for _, heartbeat in heartbeats))
                await client.publish(subject, body, headers=headers)
                last = len(heartbeats)
                await until(lambda: len(heartbeats) > last)
                assert heartbeats[last][1].epoch == table.epoch

    on_loop(steps)


@pytest.mark.proof
def test_with_one_server_left_a_floor_says_so_and_recovers(tmp_path):
    """With one of three servers left nothing can be stored, so the table counts as not heard."""

    async def steps():
        async with run_table(tmp_path / "t.journal", cluster.section()) as table, run_bare_floor(cluster) as floor:
            await until(lambda: floor.strip() is not None and floor.hall.is_heard("t1"))
            await until(lambda: table.bus.trouble is None)
            for server in cluster.servers[:2]:
                server.kill()
            table.play()
            await until(lambda: PC["too_few_servers"] in line(floor) or floor.strip().heard is not None)
            assert not floor.hall.is_heard("t1")
            for server in cluster.servers[:2]:
                server.launch()
            await until(lambda: floor.hall.is_heard("t1"))
            await until(lambda: floor.hall.status_of("t1").seq == table.table.state.seq)

    def line(floor: BareFloor) -> str:
        return floor.hall.picture(FloorViewer(), "en").head.line or ""

    with Cluster(tmp_path / "bus") as cluster:
        on_loop(steps)
