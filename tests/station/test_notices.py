"""Notices of a device in the log: the same one a few times, then its number."""

import asyncio
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from controller.core.bounds import FOLDED_SECONDS, NOTICES
from controller.station import notices
from controller.station.notices import Notices
from tests.clocks import ManualClock
from tests.patience import on_loop


@pytest.fixture
def clock(monkeypatch) -> ManualClock:
    """Monotonic clock of the notices."""
    clock = ManualClock()
    monkeypatch.setattr(notices, "time", SimpleNamespace(monotonic=clock))
    return clock


def test_a_repeated_notice_is_counted_after_five_lines(clock, monkeypatch):
    """Each notice has its own five lines a minute and its own number; the fields are those of each line."""
    timers = []

    async def steps() -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "call_later", lambda seconds, tell, *said: timers.append((seconds, tell, *said)))
        device = Notices("shoe", "t1")
        for number in range(NOTICES + 2):
            device.tell("Garbage", number=str(number))
        device.tell("ShoeError")
        clock.now += FOLDED_SECONDS
        for _ in range(NOTICES + 3):
            device.tell("ShoeError")
        assert [(seconds, said) for seconds, _, said in timers] == [
            (FOLDED_SECONDS, "Garbage"), (FOLDED_SECONDS, "ShoeError"),
        ]  # fmt: skip
        for _, tell, said in timers:
            tell(said)
        clock.now += 0.1
        device.tell("Garbage")

    with capture_logs() as lines:
        on_loop(steps)
    assert {(line["event"], line["table"], line["device"]) for line in lines} == {("shoe_notice", "t1", "shoe")}
    said = [(line["said"], line.get("number"), line.get("repeated")) for line in lines]
    assert said[:NOTICES] == [("Garbage", str(number), None) for number in range(NOTICES)]
    assert said[NOTICES:-3] == [("ShoeError", None, None)] * NOTICES
    assert said[-3:] == [("Garbage", None, "2 times"), ("ShoeError", None, "4 times"), ("Garbage", None, None)]
