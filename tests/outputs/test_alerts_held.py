"""Faults left to a floor that calls: the table sends no alert for them while it hears that floor.

When floors fall silent, the table sends the open fault, and none that has ended.
"""

import asyncio
import threading
from contextlib import closing
from pathlib import Path

import pytest

from controller.config.alerts import Target
from controller.core.clock import from_text
from controller.journal import Journal
from controller.journal.outbox import DeliveryPace, TargetPlaces
from controller.outputs import alerts as module
from controller.outputs.alert_text import ENDS, FAULTS
from controller.outputs.alerts import Alerts, alerts_to_send
from controller.outputs.hold import SILENT, Hold, last_without_alert
from tests.clocks import ManualClock
from tests.core.bench import Bench
from tests.core.chance import Judge
from tests.folders import in_memory
from tests.patience import PATIENCE, on_loop, turns, until

CALL = "open; close; press manager"
RULED = "rule resume by eva because seen"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def hold(clock) -> Hold:
    """Return a hold whose waiting time after the start is over."""
    result = Hold(clock)
    clock.now += SILENT
    return result


# ── whether floors call ──────────────────────────────────────────────────────────────────────────────────────────


def test_alerts_are_held_5_s_after_a_calling_floors_heartbeat(hold, clock):
    assert hold.seconds_left == 0
    hold.take_heartbeat("main", calls=True)
    clock.now += 4
    assert hold.seconds_left == 1
    hold.take_heartbeat("main", calls=True)
    clock.now += SILENT
    assert hold.seconds_left == 0


def test_only_floors_that_reach_somebody_hold_alerts(hold, clock):
    hold.take_heartbeat("main", calls=True)
    hold.take_heartbeat("main", calls=False)
    assert hold.seconds_left == 0
    hold.take_heartbeat("annex", calls=True)
    hold.take_heartbeat("main", calls=False)
    assert hold.seconds_left == SILENT


def test_a_start_holds_alerts_until_floors_can_be_heard(clock):
    """After a start the table waits as long as a floor may be silent."""
    assert Hold(clock).seconds_left == SILENT


# ── faults that are skipped ──────────────────────────────────────────────────────────────────────────────────────


def journal(tmp_path, says):
    """Write a journal of this script; return its path and the numbers of its faults and their ends."""
    bench = Bench()
    bench.says(says)
    with closing(Journal(tmp_path / "t.journal")) as book:
        book.append(bench.records)
    return tmp_path / "t.journal", [one.seq for one in bench.records if one.kind in FAULTS]


def test_held_alerts_skip_ended_faults_and_keep_open_ones(tmp_path):
    """`last_without_alert` moves a target's place past faults that have ended, and stops before the open one."""
    path, (fault, ruled, resumed, open_) = journal(tmp_path, f"{CALL}; {RULED}; press manager")
    assert last_without_alert(path, 0, fault) == resumed
    assert last_without_alert(path, 0, resumed) == resumed
    assert last_without_alert(path, 0, open_) == open_ - 1
    assert last_without_alert(path, 0, open_ + 50) == open_ - 1
    assert last_without_alert(path, open_, open_ + 50) == open_
    assert last_without_alert(path, 9, 7) == 9
    assert ruled < resumed


def test_a_fault_after_floors_fell_silent_is_kept(tmp_path):
    """`last_without_alert` stops before a fault recorded after the floors fell silent, so that the table sends it."""
    path, (fault, *_) = journal(tmp_path, f"{CALL}; {RULED}; press manager")
    assert last_without_alert(path, 0, fault - 1) == fault - 1


def test_the_end_of_an_alerted_fault_is_alerted_after_floors(tmp_path):
    """The table sent the fault itself, so its end is sent, too, once no floor calls."""
    path, (fault, _, resumed) = journal(tmp_path, f"{CALL}; {RULED}")
    assert last_without_alert(path, fault, fault + 1) == fault + 1
    assert last_without_alert(path, fault, resumed) == resumed


def test_of_two_faults_in_a_pause_the_open_one_alerts(tmp_path):
    path, seqs = journal(tmp_path, "open; close; card 9C; press manager; press dropped; rule resume by eva because ok")
    assert last_without_alert(path, 0, seqs[-1]) == seqs[-1] - 1


class PassedOver(Judge):
    """When floors fall silent, the open fault is sent, and none that has ended."""

    def end(self):
        records, written, fault, is_open = self.bench.records, 0, 0, False
        with in_memory() as folder, closing(Journal(Path(folder) / "t.journal")) as book:
            for place, one in enumerate(records, 1):
                fault = one.seq if one.kind == "faulted" else fault
                is_open = one.kind == "faulted" or (is_open and one.kind not in ENDS)
                if one.kind in FAULTS and one.seq % 3 == 0:  # one in three: each append is a transaction
                    book.append(records[written:place])
                    written = place
                    assert last_without_alert(book.path, 0, one.seq) == (fault - 1 if is_open else one.seq)


# ── running alerts ───────────────────────────────────────────────────────────────────────────────────────────────


class AlertedJournal:
    """Journal with its alerts. `told`: titles of the sent alerts; `waited`: seconds that each may take."""

    def __init__(self, path, hold, monkeypatch, look=0.01):
        self.told, self.waited, self.bench, self.hold = [], set(), Bench(), hold
        self.book = Journal(path)
        self.book.append(self.bench.records)
        monkeypatch.setattr(module, "send", self._send)
        monkeypatch.setattr(module, "LOOK", look)
        now = from_text("2026-01-01T00:00:00.000000Z")
        end, pace = self.book.head.seq, DeliveryPace(first=0.01, patience=7.0)
        self.alerts = Alerts({"duty": Target(url="json://x")}, path, end, lambda: now, pace, hold)

    async def _send(self, message, patience):
        self.told.append(message.title)
        self.waited.add(patience)

    def says(self, text):
        """Do what the script says, and give the new records to the alerts."""
        records = self.bench.says(text)
        self.book.append(records)
        self.alerts.hear(self.bench, records)

    @property
    def outbox(self):
        """Outbox for alerts that a floor may send instead."""
        return self.alerts._outboxes[0][1]

    async def __aenter__(self):
        self.alerts.start()
        return self

    async def __aexit__(self, *_):
        await self.alerts.stop()
        self.book.close()


def test_while_a_floor_calls_only_fault_alerts_are_held(tmp_path, hold, clock, monkeypatch):
    async def steps():
        hold.take_heartbeat("main", calls=True)
        async with AlertedJournal(tmp_path / "t.journal", hold, monkeypatch) as table:
            table.says(f"{CALL}; {RULED}; press manager; signing refused 9 0 9 0")
            await until(lambda: table.told)
            fault = [one.seq for one in table.bench.records if one.kind == "faulted"][-1]
            await until(lambda: table.outbox.place == fault - 1)  # checked, and left to the floor
            assert table.alerts.count_queued() == {"duty": 0}

            def waiting():
                path = tmp_path / "t.journal"
                return list(alerts_to_send(path, Target(), TargetPlaces(path).read(), "duty"))

            await until(lambda: len(waiting()) == 1)  # the sent alert is no longer in it
            (waits,) = waiting()
            clock.now += SILENT
            await until(lambda: len(table.told) > 1)
        assert (table.told[1:], table.waited) == ([waits.subject], {7.0})
        return table.told

    guessing, fault = on_loop(steps)
    assert "guesses" in guessing
    assert "dealer_call" in fault


def test_a_warning_that_waits_is_counted_while_a_floor_calls(tmp_path, hold, monkeypatch):
    hold.take_heartbeat("main", calls=True)
    table = AlertedJournal(tmp_path / "t.journal", hold, monkeypatch)
    table.says("signing refused 9 0 9 0")
    assert table.alerts.count_queued() == {"duty": 1}
    table.book.close()


def test_a_fault_during_a_short_floor_call_is_alerted(tmp_path, clock, monkeypatch):
    """A floor calls between two checks of the table only: not before the fault, and no longer after it."""

    async def steps():
        hold = Hold(clock)
        clock.now += SILENT
        async with AlertedJournal(tmp_path / "t.journal", hold, monkeypatch) as table:
            monkeypatch.setattr(module, "LOOK", 0.3)
            await turns()
            hold.take_heartbeat("main", calls=True)
            table.says(CALL)
            fault = next(one.seq for one in table.bench.records if one.kind == "faulted")
            await until(lambda: table.outbox.place == fault - 1)
            assert table.told == []
            hold.take_heartbeat("main", calls=False)
            await until(lambda: table.told)

    on_loop(steps)


def test_a_floor_heard_during_the_read_takes_the_fault_over(tmp_path, hold, monkeypatch):
    """The floor's heartbeat arrives after the table has begun to read: the table sends nothing."""
    read, reads, heartbeat = module.parcel, threading.Event(), threading.Event()

    def slow(*given, **named):
        reads.set()
        assert heartbeat.wait(PATIENCE)
        return read(*given, **named)

    async def steps():
        monkeypatch.setattr(module, "parcel", slow)
        async with AlertedJournal(tmp_path / "t.journal", hold, monkeypatch, look=3600) as table:
            await until(reads.is_set)  # no floor calls: the table has to send
            hold.take_heartbeat("main", calls=True)
            table.says(CALL)
            fault = next(one.seq for one in table.bench.records if one.kind == "faulted")
            heartbeat.set()
            await until(lambda: table.outbox.place == fault - 1)
            assert table.told == []

    on_loop(steps)


def test_no_timer_runs_while_nothing_is_left_to_floors(tmp_path, hold, monkeypatch):
    """A timer would wake a table at rest again and again."""

    def timers():
        return {one for one in asyncio.get_running_loop()._scheduled if not one.cancelled()}

    async def steps():
        others = timers()
        hold.take_heartbeat("main", calls=True)
        async with AlertedJournal(tmp_path / "t.journal", hold, monkeypatch, look=3600) as table:
            table.says("open; close")
            await turns()
            await until(lambda: timers() <= others)
            table.says("press manager")
            await until(lambda: timers() - others)
            assert table.told == []

    on_loop(steps)


def test_a_returning_floor_takes_over_the_next_fault(tmp_path, hold, clock, monkeypatch):
    async def steps():
        async with AlertedJournal(tmp_path / "t.journal", hold, monkeypatch) as table:
            table.says(CALL)
            await until(lambda: len(table.told) == 1)
            hold.take_heartbeat("main", calls=True)
            table.says(f"{RULED}; press manager; {RULED}")
            clock.now += SILENT
            table.says("press manager")
            await until(lambda: len(table.told) == 2)
            assert TargetPlaces(tmp_path / "t.journal").read().keys() == {"duty", "duty (other)"}
        return table.told

    first, second = on_loop(steps)
    assert first != second
    assert "dealer_call" in second


def test_a_start_with_an_open_fault_and_no_floor_alerts(tmp_path, clock, monkeypatch):
    """The fault was left to a floor; table and floor stopped, and the table starts again alone."""

    async def steps():
        hold = Hold(clock)
        async with AlertedJournal(tmp_path / "t.journal", hold, monkeypatch) as table:
            hold.take_heartbeat("main", calls=True)
            table.says(CALL)
        assert table.told == []
        again = Hold(clock)
        with closing(Journal(tmp_path / "t.journal")) as book:
            now, end = from_text("2026-01-01T00:00:00.000000Z"), book.head.seq
            alerts = Alerts(
                {"duty": Target(url="json://x")}, book.path, end, lambda: now, DeliveryPace(first=0.01), again
            )
            alerts.start()
            try:
                clock.now += SILENT
                await until(lambda: table.told)
            finally:
                await alerts.stop()
        return table.told

    assert len(on_loop(steps)) == 1
