"""Repeated halts and the stop of a table: times, lost events, timers, and the dealer's id."""

import asyncio
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

import controller.table.loop
from controller.core import events as e
from controller.core.clock import SECOND
from controller.table.recorder import RecordClock
from tests.patience import on_loop
from tests.table.test_table import JournaledTable, started


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.journal"


@pytest.fixture(autouse=True)
def impatient(monkeypatch) -> None:
    monkeypatch.setattr(controller.table.loop, "RETRY", 0.001)


async def healed(rig: JournaledTable) -> None:
    rig.journal.broken = None
    await rig.until(lambda: rig.table.halted is None)


def test_each_halt_has_the_time_at_which_it_began(path):
    async def steps():
        rig = await started(path)
        began = []
        for reason in ("the disk is full", "the disk is gone"):
            rig.clock.ahead += 3600 * SECOND
            rig.journal.broken = reason
            rig.take(e.LostDevice("panel"))
            assert rig.table.halted == reason
            began.append(rig.table.halted_at)
            rig.clock.ahead += 60 * SECOND
            rig.journal.broken = "something else"
            await rig.until(lambda: rig.table.halted == "something else")
            assert rig.table.halted_at == began[-1]
            await healed(rig)
        assert began[1] - began[0] >= 3600 * SECOND
        rig.close()

    on_loop(steps)


def test_each_halt_counts_only_the_events_it_has_lost(path, monkeypatch):
    monkeypatch.setattr(controller.table.loop, "MOST_WAITING", 2)

    async def steps():
        rig = await started(path)
        for lost in (3, 1):
            rig.journal.broken = "the disk is full"
            rig.take(*(e.LostDevice("beacon") for _ in range(2)))
            part = controller.table.loop.GroupPart(e.LostDevice("beacon"))
            assert rig.table.is_full
            assert rig.table.take_all([part] * lost) == 0
            with capture_logs() as logs:
                await healed(rig)
            (line,) = (log for log in logs if log["event"] == "healed")
            assert (line["table"], line["waiting"], line["dropped"]) == ("table", 2, lost)
            backs = [record.input.event for record in rig.recorded() if record.input]
            back = [event for event in backs if isinstance(event, e.JournalBack)][-1]
            assert back.dropped == lost
        rig.close()

    on_loop(steps)


def test_a_babbling_device_is_recorded_though_no_event_can_wait(path, monkeypatch):
    monkeypatch.setattr(controller.table.loop, "MOST_WAITING", 1)

    async def steps():
        rig = await started(path)
        rig.journal.broken = "the disk is full"
        rig.take(e.LostDevice("beacon"), e.LostDevice("panel"), e.Babbles("panel", 700, 1))
        await healed(rig)
        await rig.until(lambda: "device_cut_off" in rig.kinds())
        assert [one.device for one in rig.table.state.cut_off] == ["panel"]
        rig.close()

    on_loop(steps)


async def started_halted(path, *events) -> JournaledTable:
    """Kill a table after these events; start it again while nothing can be written."""
    before = await started(path)
    before.take(e.Open(), e.Close(), e.CardOut("9C"), *events)
    before.close()
    rig = JournaledTable(path)
    rig.journal.broken = "the disk is full"
    rig.table.start("d1")
    return rig


def test_a_start_while_halted_is_recorded_as_a_restart(path):
    async def steps():
        rig = await started_halted(path)
        rig.take(e.LostDevice("panel"))
        await healed(rig)
        assert rig.kinds() == ["configured", "faulted", "device_lost"]
        assert (rig.table.state.fault.code, rig.table.state.waiting) == ("restarted", ())
        assert "enter" in rig.table.state.fault.rulings
        rig.close()

    on_loop(steps)


def test_events_lost_during_a_halted_start_are_counted(path, monkeypatch):
    monkeypatch.setattr(controller.table.loop, "MOST_WAITING", 1)

    async def steps():
        rig = await started_halted(path)
        rig.take(e.CardOut("2D"), e.CardOut("3D"))
        await healed(rig)
        (report,) = rig.table.state.waiting
        assert (rig.table.state.fault.code, report.came) == ("restarted", e.JournalBack("the disk is full", 2))
        rig.close()

    on_loop(steps)


def test_a_stopped_table_announces_nothing_and_has_no_timers(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open())
        timers = rig.table._timer, rig.table._next_look
        rig.table.stop()
        before = len(rig.calls)
        assert [timer.cancelled() for timer in timers] == [True, True]
        assert rig.table.take_all([controller.table.loop.GroupPart(e.Close())]) == 0
        assert rig.table.take_soon([controller.table.loop.GroupPart(e.Close())]) == 0
        rig.table._announce(())
        assert len(rig.calls) == before
        rig.close()

    on_loop(steps)


def test_a_new_deadline_replaces_the_timer_of_the_one_before(path):
    async def steps():
        rig = await started(path)
        rig.take(e.Open())
        timers = []
        for _ in range(3):
            timers.append(rig.table._timer)
            rig.take(e.FoundDevice("beacon"))
        assert [timer.cancelled() for timer in timers] == [True] * 3
        assert not rig.table._timer.cancelled()
        rig.close()

    on_loop(steps)


def test_a_dealer_with_the_same_name_signs_on_by_id(path):
    async def steps():
        for number in ("7", "8", "8"):
            rig = JournaledTable(path)
            rig.table.start("Ana Pop", dealer_id=number)
            assert rig.table.state.dealer_id == number
            await asyncio.sleep(0)
            rig.close()
        changes = [record.what for record in rig.recorded() if record.kind == "dealer_changed"]
        assert [(change.before, change.to) for change in changes] == [(None, "Ana Pop"), ("Ana Pop", "Ana Pop")]

    on_loop(steps)


@pytest.mark.parametrize("behind", [-1, 1])
@pytest.mark.parametrize(("off", "followed"), [(0.999, False), (1.0, True), (1.001, True)])
def test_a_set_clock_is_followed_in_either_direction(path, behind, off, followed):
    async def steps():
        rig = await started(path)
        step = SimpleNamespace(now=rig.clock.now, behind=behind * round(off * controller.table.loop.STEP))
        step.follow = lambda: setattr(step, "behind", 0)
        rig.table._clock = RecordClock(step)
        rig.table._follow_clock()
        assert ("clock_set" in rig.kinds()) is followed
        assert (step.behind == 0) is followed
        rig.close()

    on_loop(steps)
