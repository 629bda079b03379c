"""Repeatedly refused starts of a round: the first is recorded at once, the others as a count."""

from pathlib import Path

from controller.core import events as e
from controller.core.clock import SECOND, to_text
from controller.core.decide.input_groups import GroupPart
from controller.core.records import Record, StartRefused, StartsRefused
from controller.core.refused_starts import TOGETHER
from controller.journal import read
from tests.patience import on_loop, until
from tests.table.test_clock import decided_again
from tests.table.test_table import JournaledTable, path, started

__all__ = ["path"]  # a fixture


def refusals(records: list[Record]) -> list[StartRefused | StartsRefused]:
    return [record.what for record in records if isinstance(record.what, StartRefused | StartsRefused)]


async def away(path: Path) -> JournaledTable:
    """Start a table and lose its game server."""
    rig = await started(path)
    rig.take(e.LostDevice("server"))
    return rig


def count(times: int, first: int, last: int) -> StartsRefused:
    """Return the record of so many refused starts between two times of the rig's clock."""
    return StartsRefused("server_lost", times, to_text(first), to_text(last))


def test_the_first_refused_start_is_recorded_at_once(path):
    async def steps():
        rig = await away(path)
        rig.take(e.Open())
        assert refusals(rig.recorded()) == [StartRefused("server_lost")]
        rig.close()

    on_loop(steps)


def test_a_start_refused_again_is_only_counted(path):
    async def steps():
        rig = await away(path)
        rig.take(e.Open())
        before = rig.table.state
        rig.take(*[e.Open(), e.KeyPressed("open"), e.Open("server")] * 100)
        assert rig.table.state == before
        assert refusals(rig.recorded()) == [StartRefused("server_lost")]
        rig.close()

    on_loop(steps)


def test_a_round_that_opens_is_recorded_after_the_count(path):
    async def steps():
        rig = await away(path)
        rig.take(e.Open())
        first = rig.clock.now() + SECOND
        for _ in range(3):
            rig.clock.ahead += SECOND
            rig.take(e.Open())
        rig.take(e.FoundDevice("server"), e.Open())
        assert rig.kinds()[-4:] == ["start_refused", "device_found", "starts_refused", "opened"]
        assert refusals(rig.recorded())[-1] == count(3, first, first + 2 * SECOND)
        rig.close()

    on_loop(steps)


def test_another_reason_is_recorded_at_once_after_the_count(path):
    async def steps():
        rig = await away(path)
        rig.take(e.Open(), e.Open(), e.DealerOn(None), e.Open(), e.Open())
        now = rig.clock.now()
        counted = count(1, now, now)
        assert refusals(rig.recorded()) == [StartRefused("server_lost"), counted, StartRefused("no_dealer")]
        rig.close()

    on_loop(steps)


def test_the_count_is_recorded_when_a_minute_is_over(path, monkeypatch):
    monkeypatch.setattr("controller.table.loop.LOOK", 0.01)

    async def steps():
        rig = await away(path)
        rig.take(e.Open(), e.Open(), e.Open())
        rig.clock.ahead += TOGETHER
        await until(lambda: len(refusals(rig.recorded())) == 2)
        assert refusals(rig.recorded())[-1].times == 2
        rig.take(e.Open())
        assert len(refusals(rig.recorded())) == 2
        rig.close()

    on_loop(steps)


def test_a_refused_start_after_a_minute_is_recorded_at_once(path):
    async def steps():
        rig = await away(path)
        rig.take(e.Open())
        rig.clock.ahead += TOGETHER
        rig.take(e.Open())
        assert refusals(rig.recorded()) == [StartRefused("server_lost")] * 2
        rig.close()

    on_loop(steps)


def test_a_table_that_stops_records_its_count(path):
    async def steps():
        rig = await away(path)
        rig.take(e.Open(), e.Open())
        rig.close()
        assert [type(one) for one in refusals(list(read(path)))] == [StartRefused, StartsRefused]

    on_loop(steps)


def test_a_table_that_is_killed_loses_the_open_count_alone(path):
    async def steps():
        rig = await away(path)
        rig.take(*[e.Open()] * 5)
        rig.journal.book.close()
        again = await started(path)
        again.take(e.Open())
        assert refusals(again.recorded()) == [StartRefused("server_lost")] * 2
        again.close()

    on_loop(steps)


def test_a_count_waits_for_a_disk_that_takes_nothing(path):
    async def steps():
        rig = await away(path)
        rig.take(e.Open(), e.Open(), e.FoundDevice("server"))
        rig.journal.broken = "disk full"
        rig.take(e.Open())
        assert rig.table.halted
        rig.journal.broken = None
        await until(lambda: rig.table.halted is None)
        kinds = [record.kind for record in rig.recorded()]
        assert [kind for kind in kinds if kind in ("starts_refused", "opened")] == ["starts_refused", "opened"]
        rig.close()

    on_loop(steps)


def test_refused_lists_are_recorded_one_by_one(path):
    async def steps():
        rig = await away(path)
        rig.take(e.Open())
        for _ in range(2):
            rig.table.take_all([GroupPart(e.Open()), GroupPart(e.PlaceBet("p1", "tie", 100))])
        assert [one.reason for one in refusals(rig.recorded())] == ["server_lost"] * 3
        rig.close()

    on_loop(steps)


def test_a_record_with_counts_is_replayed_byte_by_byte(path):
    async def steps():
        rig = await away(path)
        rig.take(*[e.Open()] * 5, e.FoundDevice("server"), e.Open())
        rig.close()

    on_loop(steps)
    assert decided_again(path) == []
