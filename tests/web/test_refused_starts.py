"""A start that is refused again is only counted, without a record, but it gets its answer."""

from controller.core import events as e
from tests.patience import on_loop
from tests.web.rig import Spoken

FIRST, AGAIN = {"command": "open", "id": "o1"}, {"command": "open", "id": "o2"}


def test_a_counted_start_is_answered_with_its_reason(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.LostDevice("server"))
            (first,), (again,) = await table.send(FIRST), await table.send(AGAIN)
            assert [one["reason"] for one in (first, again)] == ["server_lost"] * 2
            assert [len(one.get("records", ())) for one in (first, again)] == [1, 0]

    on_loop(steps)


def test_a_counted_start_sent_again_is_answered_alike(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.LostDevice("server"), e.Open())
            before = await table.send(AGAIN)
            table.rig.take(e.FoundDevice("server"))
            assert await table.send(AGAIN) == before
            assert table.table.state.life == "idle"
            (reused,) = await table.send({"command": "close", "id": AGAIN["id"]})
            assert reused["reason"] == "id_reused"

    on_loop(steps)
