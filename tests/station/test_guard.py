"""Guard: a device that sends too much is cut off until a person takes it back.

Also repeated losses of a device, and doubts about the record.
"""

from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from controller.core import events as e
from controller.core import records as r
from controller.core.bounds import BURST, STEADY, TELEGRAM
from controller.core.coded_message import coded
from controller.core.mark import Mark
from controller.core.witness import Contradiction
from controller.station import anchoring, verifying
from controller.station.absent_devices import AbsentDevices
from controller.station.custody import Custody
from controller.station.device_events import UsbEvents, fields_of
from controller.station.guard import Guard, Meter
from controller.station.verifying import Verifying
from controller.text.coded import render
from drivers import events as d
from tests.clocks import ManualClock

BUS = coded("the_bus")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(100.0)


class RecordingLink:
    """Stand-in for a device's link that keeps the calls it gets."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def cut_off(self) -> None:
        self.told.append("cut off")

    def take_back(self) -> None:
        self.told.append("taken back")


class ListeningTable:
    """Stand-in for a table that keeps events it takes and passes records to listeners."""

    def __init__(self, *cut_off: str) -> None:
        self.is_full, self.taken, self._listeners = False, [], []
        self.state = SimpleNamespace(cut_off=[SimpleNamespace(device=device) for device in cut_off])
        self.take, self.subscribe = self.taken.append, self._listeners.append

    def records(self, *whats: r.What) -> None:
        for listener in self._listeners:
            listener(self, [SimpleNamespace(what=what) for what in whats])


def guarded(
    *devices: str, cut_off: tuple[str, ...] = ()
) -> tuple[ListeningTable, dict[str, Guard], dict[str, RecordingLink]]:
    table = ListeningTable(*cut_off)
    guards = {device: Guard(device, table, 1.0) for device in devices}
    links = {device: RecordingLink() for device in devices}
    for device, guard in guards.items():
        guard.watch(links[device])
    return table, guards, links


def cut(device: str) -> r.DeviceCutOff:
    return r.DeviceCutOff(device, 700, 1)


# ── how much a device may send ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("pace", "times"), [(1.0, 1), (0.1, 1), (5.0, 5)])
def test_a_device_may_send_its_burst_and_no_more(clock, pace, times):
    meter = Meter("shoe", pace, clock)
    assert all(meter.take(1) for _ in range(BURST * times))
    assert not meter.take(1)


def test_after_a_burst_only_the_steady_rate_is_allowed(clock):
    meter = Meter("shoe", now=clock)
    assert meter.take(BURST)
    for _ in range(5):
        clock.now += 1
        assert meter.take(STEADY)
    assert not meter.take(1)


def test_however_long_a_device_is_silent_it_gains_one_burst(clock):
    meter = Meter("shoe", now=clock)
    assert meter.take(1)
    clock.now += 10 * BURST / STEADY
    assert meter.take(BURST)
    assert not meter.take(1)
    assert (meter.event.heard, meter.event.seconds) == (BURST + 1, 1)


# ── devices that are cut off ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("size", "events"), [(0, BURST + 1), ((BURST + 1) * TELEGRAM, 0)])
def test_a_device_that_sends_too_much_is_cut_off_once(size, events):
    table, guards, links = guarded("shoe", "panel")
    for _ in range(3):
        guards["shoe"].weigh(size, events)
    assert [type(event) for event in table.taken] == [e.Babbles]
    assert table.taken[0].device == "shoe"
    assert (links["shoe"].told, links["panel"].told) == (["cut off"], [])


def test_a_device_is_cut_off_when_the_queue_is_full():
    table, guards, links = guarded("shoe")
    table.is_full = True
    guards["shoe"].weigh(1, 1)
    assert (guards["shoe"].cut, links["shoe"].told) == (True, ["cut off"])


def test_only_the_recorded_device_is_cut_off_or_taken_back():
    table, guards, links = guarded("shoe", "panel")
    table.records(cut("shoe"), cut("panel"))
    assert [guard.cut for guard in guards.values()] == [True, True]
    table.records(r.DeviceTakenBack("panel", "eva"))
    assert [guard.cut for guard in guards.values()] == [True, False]
    assert (links["shoe"].told, links["panel"].told) == (["cut off"], ["cut off", "taken back"])


def test_a_device_taken_back_has_its_burst_again():
    table, guards, links = guarded("shoe")
    for _ in range(2):
        guards["shoe"].weigh(0, BURST + 1)
        table.records(r.DeviceTakenBack("shoe", "eva"))
        guards["shoe"].weigh(0, BURST)
        assert not guards["shoe"].cut
        guards["shoe"].weigh(0, 2)
        table.records(r.DeviceTakenBack("shoe", "eva"))
    assert len(table.taken) == 4
    assert links["shoe"].told == ["cut off", "taken back"] * 4


def test_a_device_cut_off_before_a_restart_stays_cut_off():
    _, guards, links = guarded("shoe", "panel", cut_off=("panel", "beacon"))
    assert [guard.cut for guard in guards.values()] == [False, True]
    assert (links["shoe"].told, links["panel"].told) == ([], ["cut off"])


def test_a_start_finds_only_devices_that_the_config_lacks():
    """The game server has a line of its own, and devices that were cut off wait for their ruling."""
    table = ListeningTable("panel", "beacon")
    table.state.lost, table.house = ("shoe", "panel", "beacon", "badge_reader", "server"), SimpleNamespace(table="t1")
    with capture_logs() as logs:
        AbsentDevices(table).start(["shoe"])
    assert table.taken == [e.FoundDevice("badge_reader")]
    about = {"table": "t1", "device": "badge_reader"}
    assert logs == [{"event": "device_not_waited_for", "log_level": "info", **about}]


# ── lost and found ───────────────────────────────────────────────────────────────────────────────────────────────


def test_each_loss_is_reported_once_until_the_device_returns():
    took: list[e.Event] = []
    ear = UsbEvents(took.append, "t", {})
    for _ in range(2):
        ear(d.Found("usb at 1-1"))
        ear(d.Lost("unplugged"))
        ear(d.DeviceUnusable("no permission"))
        ear.report_if_missing()
    assert took == [e.FoundDevice("panel", "usb at 1-1"), e.LostDevice("panel", "unplugged")] * 2


def test_of_bytes_from_a_device_only_their_number_is_logged():
    assert fields_of(d.Garbage(b"5H", "no frame")) == {"raw": "2 bytes", "reason": "no frame"}


# ── the record ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("doubts", [{"chain": 9, "anchor": 4}, {"anchor": 4, "chain": 9, "witness": 7}])
def test_of_several_doubts_the_first_damaged_record_is_reported(doubts):
    custody = Custody.__new__(Custody)
    custody._table = SimpleNamespace(state=SimpleNamespace(doubts=doubts))
    custody._anchoring = None
    custody._verifying = SimpleNamespace(verdict=None, at=None, trouble=None)
    assert custody.progress.damaged == 4
    assert custody.messages == (coded("record_doubted", first=4),)


def test_a_record_is_verified_from_behind_the_last_accepted_loss(tmp_path, monkeypatch):
    starts: list[int] = []
    monkeypatch.setattr(verifying, "verify_in_steps", lambda _, after: starts.append(after) or iter(()))
    for stands in ((), (10,), (10, 25)):
        losses = [SimpleNamespace(stands=one) for one in stands]
        table = SimpleNamespace(state=SimpleNamespace(losses=losses), house=None)
        Verifying(tmp_path / "t.journal", table)._verify()
    assert starts == [0, 10, 25]


@pytest.mark.parametrize("doubted", [None, 4])
@pytest.mark.parametrize(
    "found",
    [
        None,
        Contradiction(4, coded("older_copy", seq=4, where=BUS)),
        Contradiction(7, coded("record_missing", seq=7, where=BUS)),
    ],
)
def test_the_anchors_doubt_follows_what_it_remembers(tmp_path, monkeypatch, doubted, found):
    """A new contradiction raises the doubt, its end withdraws the doubt, a known one is not sent again."""
    monkeypatch.setattr(anchoring, "find_contradiction", lambda *_: found)
    state = SimpleNamespace(doubts={} if doubted is None else {"anchor": doubted})
    table, calls = SimpleNamespace(state=state, take="take"), []
    one = anchoring.Anchoring(tmp_path / "t.anchor", tmp_path / "t.journal", table)
    one._loop = SimpleNamespace(call_soon_threadsafe=lambda take, event: calls.append((take, event)))
    assert one._contradiction(Mark("e1", 9, "aa", "t1"), state) is found
    first = found and found.first
    event = e.Checked("anchor", found.first, render(found.message), found.message) if found else e.Checked("anchor")
    assert calls == ([] if first == doubted else [("take", event)])


def test_an_anchor_written_again_is_no_trouble_any_more(tmp_path):
    one = anchoring.Anchoring(tmp_path / "t.anchor", tmp_path / "t.journal", None)
    for problem in ("the disk is full", "the disk is gone", None, "the disk is full", None):
        one._tell(problem)
        assert (one.trouble is None) is (problem is None)
        assert problem is None or problem in render(one.trouble)
