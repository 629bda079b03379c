"""Fields of the 409 answer to a request for events: reason, valid epoch, last valid record."""

from controller.core import events as e
from tests.patience import on_loop
from tests.web.rig import Spoken


async def refused(table: Spoken, after: int, epoch: str | None = None) -> tuple[object, ...]:
    """Request events and expect a 409. Return reason, epoch and last record of the answer."""
    named = "" if epoch is None else f"&epoch={epoch}"
    reply = await table.ask("GET", f"/api/events?role=server&after={after}{named}")
    assert reply.status == 409
    return reply.body["reason"], reply.body["epoch"], reply.body.get("last")


def test_records_that_are_lost_are_answered_with_the_last(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            before, last = table.table.state.identity.epoch, table.table.state.seq
            table.rig.take(e.AcceptLoss("eva", "the disk broke", "e2"))
            assert await refused(table, last + 1, before) == ("epoch_lost", "e2", last)

    on_loop(steps)


def test_an_unknown_epoch_is_answered_without_a_last_record(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            assert await refused(table, 1, "9f") == ("epoch_unknown", table.table.state.identity.epoch, None)

    on_loop(steps)


def test_a_number_beyond_the_end_is_answered_with_the_end(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            state = table.table.state
            expected = "beyond_the_end", state.identity.epoch, state.seq
            assert await refused(table, 4000) == expected
            assert await refused(table, 4000, state.identity.epoch) == expected

    on_loop(steps)
