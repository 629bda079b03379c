"""Periodic checks share one beat, so that an idle program wakes once for all of them."""

import asyncio
import time

import pytest

from controller.journal import Journal
from controller.table import beats, loop
from controller.table.beats import seconds_to_beat
from controller.table.loop import Table
from controller.web.net import lookout
from controller.web.net.lookout import Lookout
from tests.patience import on_loop
from tests.table.test_table import HOUSE

LOOKS = 20


@pytest.mark.parametrize(
    ("since", "wait"), [(0.0, 1.0), (0.4, 0.6), (0.6, 1.4), (0.999, 1.001), (7.0, 1.0), (7.3, 0.7), (86_400.25, 0.75)]
)
def test_a_beat_less_than_half_a_period_away_is_skipped(monkeypatch, since, wait):
    monkeypatch.setattr(beats, "ORIGIN", 1000.0)
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0 + since)
    assert seconds_to_beat(1.0) == pytest.approx(wait, abs=1e-6)


def test_checks_of_two_periods_meet_at_the_longer_one(monkeypatch):
    monkeypatch.setattr(beats, "ORIGIN", 1000.0)
    for since in (0.1, 2.3, 5.45):
        monkeypatch.setattr(time, "monotonic", lambda since=since: 1000.0 + since)
        assert (since + seconds_to_beat(2.0)) % 1.0 == pytest.approx((since + seconds_to_beat(1.0)) % 1.0, abs=1e-6)


class CountingLookout:
    """Checked object that counts how often it is checked."""

    trouble = None

    def __init__(self) -> None:
        self.looks, self.enough = 0, asyncio.Event()

    def look(self) -> None:
        self.looks += 1
        if self.looks >= LOOKS:
            self.enough.set()


def test_a_table_at_rest_wakes_once_for_all_its_checks(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "LOOK", 0.05)
    monkeypatch.setattr(lookout, "EVERY", 0.05)

    async def steps():
        wakes, selector = [], asyncio.get_running_loop()._selector
        select = selector.select

        def counted(timeout=None):
            found = select(timeout)
            wakes.extend([timeout] if timeout is None or timeout > 0 else [])
            return found

        table, looked = Table(HOUSE, Journal(tmp_path / "t.journal")), CountingLookout()
        after = Lookout({"one": looked})
        table.start("d1")
        await asyncio.sleep(loop.LOOK * 0.3)  # its checks begin at another moment than the table's
        monkeypatch.setattr(selector, "select", counted)
        after.start()
        await looked.enough.wait()
        after.stop()
        table.stop()
        table.journal.close()
        return len(wakes)

    assert on_loop(steps) < LOOKS * 1.5  # with separate timers the program would wake twice as often
