"""A table whose status does not reach the bus: floors cannot call for it, so it sends its own alerts."""

import time
from types import SimpleNamespace

import pytest

from controller.bus import bus_tasks
from controller.bus.bus_tasks import BusTasks
from controller.bus.floor_beats import beat, subject_of
from controller.bus.keys import new_seed, public_of
from controller.bus.names import TableNames
from controller.outputs.hold import SILENT
from tests.clocks import ManualClock
from tests.patience import on_loop

SEED, SUBJECT = new_seed(), subject_of("main", "hall")


@pytest.fixture
def clock(monkeypatch) -> ManualClock:
    """Monotonic clock of the bus tasks."""
    clock = ManualClock()
    monkeypatch.setattr(bus_tasks, "time", SimpleNamespace(monotonic=clock))
    return clock


@pytest.fixture
def work(clock) -> BusTasks:
    """Bus tasks that send nothing."""
    work = BusTasks.__new__(BusTasks)
    work._status, work._untold, work._names = b"", None, TableNames("main", "t1")
    work._news, work._publisher = SimpleNamespace(set=lambda: None), SimpleNamespace(wake=lambda: None)
    return work


def test_the_first_untold_status_counts_until_one_is_told(work, clock):
    work._take_status(b"one")
    clock.now += SILENT - 1
    work._take_status(b"two")
    assert work._is_told
    clock.now += 1
    assert not work._is_told


def test_floors_that_lack_the_status_send_no_alerts(work, clock):
    heard, callbacks = [], []

    async def subscribe(_: str, cb) -> None:
        callbacks.append(cb)

    async def steps() -> None:
        await work._hear_floors()
        for ahead in (1, 2):  # seconds
            body, headers = beat(SEED, SUBJECT, calls=True, now=time.time() + ahead)
            await callbacks[0](SimpleNamespace(subject=SUBJECT, headers=headers, data=body))
            work._take_status(b"one")
            clock.now += SILENT

    work._line = SimpleNamespace(client=SimpleNamespace(subscribe=subscribe))
    section = SimpleNamespace(floors={"hall": public_of(SEED)})
    work._ends = SimpleNamespace(section=section, floors=lambda *each: heard.append(each))
    on_loop(steps)
    assert heard == [("hall", True), ("hall", False)]
