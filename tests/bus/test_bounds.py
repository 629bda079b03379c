"""Limits of the streams: a flood from one table displaces no message of another, and no newest one."""

import msgspec
import pytest
from nats.errors import Error

from controller.bus.names import EVENT, HEAD, LARGEST, SEQ
from controller.bus.publisher import _event
from controller.bus.stream_reader import read
from controller.bus.streams import Retention, make
from tests.bus.tables import ask, run_table
from tests.patience import PATIENCE, on_loop, until

FEW = Retention("main", events_gb=0.004)
PLACES = {
    "tablectl.main.{}.event.manager": ("EVENTS", EVENT),
    "tablectl.main.{}.head": ("HEADS", HEAD),
    "$KV.tablectl_status.main.{}": ("KV_tablectl_status", LARGEST),
}


@pytest.mark.parametrize("place", PLACES)
def test_one_tables_flood_removes_nothing_of_another(server, place):
    """A message of double the size limit is refused; 300 of full size displace only the table's own."""
    stream, size = PLACES[place]

    async def steps():
        async with (
            server.client("admin") as admin,
            server.client("tables", "t1") as one,
            server.client("tables", "t2") as two,
        ):
            await make(admin, FEW)
            await two.jetstream().publish(place.format("t2"), b"two")
            with pytest.raises(Error, match="maximum"):
                await one.jetstream().publish(place.format("t1"), bytes(2 * size))
            for number in range(300):
                await one.jetstream().publish(place.format("t1"), b"%d" % number + bytes(size - 10))
            info = await admin.jetstream().stream_info(stream, subjects_filter=">")
            assert info.state.subjects[place.format("t2")] == 1
            last = await admin.jetstream(timeout=PATIENCE).get_last_msg(stream, place.format("t1"))
            assert last.data.startswith(b"299")
            assert info.state.bytes < 256 * 1.1 * HEAD if stream == "HEADS" else FEW.events_gb * 10**9

    on_loop(steps)


def test_an_event_too_large_for_the_bus_is_announced(server, tmp_path):
    """The bus gets an empty event with its size in a header; the table answers a missed event on request."""
    assert _event("s", "e", 1, bytes(EVENT)).body == bytes(EVENT)
    large = _event("s", "e", 2, bytes(EVENT + 1))
    assert (large.body, large.more) == (b"", {"Tablectl-Large": str(EVENT + 1)})

    async def steps():
        async with (
            run_table(tmp_path / "t.journal", server.section()) as table,
            server.client("floors", "main") as floor,
        ):
            await until(lambda: table.bus.trouble is None)
            table.play()
            await table.caught_up()
            found = await read(floor, "EVENTS", "tablectl.main.t1.event.manager", 0, 9)
            missed = await ask(floor, f"/api/v1/events?after={int(found[1].headers[SEQ]) - 1}")
            assert missed.body[0] == msgspec.json.decode(found[1].body)

    on_loop(steps)
