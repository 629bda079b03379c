"""Beacon: its lamps and sounder follow the state of the table, up to the device at a running table."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from controller.config.devices import BeaconSection
from controller.config.table_file import Config, JournalSection, TableSection
from controller.core import events as e
from controller.core.life import STATES
from controller.core.open_fault import Fault
from controller.core.state import State
from controller.journal import Journal, read
from controller.outputs.beacon import CALLING, ESCALATED, HALTED, SEEN, Beacon, signal
from controller.station.station import Station
from drivers.beacons import DARK, Light, Signal, Sound, beacon_codec
from drivers.beacons.blink1 import SILENCE_S, Blink1
from drivers.beacons.ne_usb import AskingNEUSB
from drivers.emulators.blink1 import EmulatedBlink1, PatternLine
from drivers.emulators.ne_usb import EmulatedNE
from drivers.emulators.patlite import EmulatedLR6
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.events import Found, Lost
from tests.clocks import ManualClock
from tests.drivers.test_blink1 import CALLING as CALLING_LAMP
from tests.drivers.test_blink1 import NOBODY
from tests.patience import PATIENCE, turns, until

OPEN = State(open=True, dealer="d")
FAULT = Fault(5, "stalled", "card to player", "nothing", ("resume",))
LR6 = beacon_codec("lr6_usb")
WHITE, GREEN, YELLOW = Signal(white=Light.ON), Signal(green=Light.ON), Signal(yellow=Light.ON)


@pytest.mark.parametrize(
    ("life", "shown"),
    [("idle", WHITE), ("settled", WHITE), ("cancelled", WHITE), ("betting", GREEN), ("dealing", YELLOW),
     ("deciding", YELLOW), ("complete", YELLOW), ("paused", Signal(red=Light.FLASH, sound=Sound.CALL))],
)  # fmt: skip
def test_the_beacon_shows_the_state_of_the_round(life, shown):
    assert signal(table_state(life)) == shown


def table_state(life: str) -> State:
    """Return the state of an open table in this state of the round."""
    return replace(OPEN, life=life, fault=FAULT if life == "paused" else None)


@pytest.mark.parametrize("life", STATES)
def test_red_and_the_buzzer_show_only_when_paused(life):
    shown = signal(table_state(life))
    assert (shown.red is not Light.OFF) == (shown.sound is not Sound.OFF) == (life == "paused")


def test_a_closed_table_is_dark_once_its_round_is_over():
    assert signal(replace(OPEN, open=False)) == DARK
    assert signal(replace(OPEN, open=False, life="dealing")) == YELLOW


def test_a_lost_device_other_than_the_beacon_flashes_yellow():
    assert signal(replace(OPEN, lost=("panel",))) == Signal(yellow=Light.FLASH)
    assert signal(replace(OPEN, lost=("beacon",))) == WHITE
    assert signal(replace(table_state("paused"), lost=("shoe",))) == CALLING


def test_an_acknowledged_fault_is_silent_an_escalated_one_urgent():
    paused = table_state("paused")
    assert signal(replace(paused, fault=replace(FAULT, seen_by="maria", escalations=2))) == SEEN
    assert signal(replace(paused, fault=replace(FAULT, escalations=1))) == ESCALATED


def test_escalated_faults_and_halts_sound_urgent():
    assert [one.sound for one in (CALLING, ESCALATED, HALTED)] == [Sound.CALL, Sound.URGENT, Sound.URGENT]


@pytest.mark.parametrize("life", STATES)
def test_a_halt_shows_in_every_state_of_the_round(life):
    assert signal(table_state(life), halted=True) == HALTED


def test_signals_are_distinct_on_a_red_yellow_green_tower():
    """A tower may have been bought with these three tiers only."""
    shown = [
        CALLING,
        SEEN,
        ESCALATED,
        HALTED,
        signal(replace(OPEN, life="betting")),
        signal(replace(OPEN, life="dealing")),
    ]
    shown.append(signal(replace(OPEN, lost=("shoe",))))
    assert len({(one.red, one.yellow, one.green, one.sound) for one in shown}) == len(shown)


# ── sent commands ────────────────────────────────────────────────────────────────────────────────────────────────────


class RecordingSender:
    """Beacon that keeps its sent commands."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.beacon = Beacon(LR6, self.sent.append)

    def shows(self, state: State, halted: str | None = None) -> None:
        self.beacon.show(SimpleNamespace(state=state, halted=halted), ())

    def took(self) -> list[bytes]:
        """Return the commands sent since the last call."""
        sent, self.sent[:] = self.sent[:], []
        return sent


def test_a_signal_is_sent_only_when_it_changes():
    sender = RecordingSender()
    sender.shows(OPEN)
    sender.shows(OPEN)
    assert sender.took() == [LR6.show(WHITE)]
    sender.shows(replace(OPEN, life="betting"))
    assert sender.took() == [LR6.show(GREEN)]


def test_after_an_acknowledgement_the_buzzer_waits_for_the_next_fault():
    sender = RecordingSender()
    for state in (
        table_state("paused"),
        replace(table_state("paused"), fault=replace(FAULT, seen_by="maria")),
        OPEN,
        table_state("paused"),
    ):
        sender.shows(state)
    shown = [CALLING, SEEN, WHITE, CALLING]
    assert sender.took() == [LR6.show(one) for one in shown]


def test_a_replugged_beacon_shows_the_signal_during_a_halt():
    sender = RecordingSender()
    sender.shows(OPEN, halted="disk full")
    sender.took()
    sender.beacon.hear(Lost("unplugged"))
    assert sender.took() == []
    sender.beacon.hear(Found("usb at 1-1"))
    assert sender.took() == [LR6.show(HALTED)]


# ── at a running table ───────────────────────────────────────────────────────────────────────────────────────────────


def station(folder: Path, bus: EmulatedUsbBus, model: str = "lr6_usb", *, touch: bool = False) -> Station:
    """Return a station of one table with a beacon of this model."""
    path = folder / "table.journal"
    config = Config(
        table=TableSection(name="t1", dealer="d1"),
        game={"name": "baccarat"},
        beacon=BeaconSection(model=model, touch=touch),
        journal=JournalSection(path=str(path)),
    )
    return Station(config, config.house("dealer"), Journal(path), bus)


def test_the_tower_follows_the_table_and_ends_dark(tmp_path):
    async def play():
        bus = EmulatedUsbBus()
        tower = EmulatedLR6(bus)
        table = station(tmp_path, bus)
        table.start()
        tower.plug()
        await until(lambda: tower.display_state == WHITE)
        table.table.take(e.Open())
        await until(lambda: tower.display_state == GREEN)
        table.table.take(e.KeyPressed("manager"))
        await until(lambda: tower.display_state == CALLING)
        tower.unplug()
        await until(lambda: "beacon" in table.table.state.lost)
        tower.plug()
        await until(lambda: tower.display_state == CALLING)
        table.table.take(e.Acknowledge("manager1"))
        await until(lambda: tower.display_state == SEEN)
        await table.stop()
        assert tower.display_state == DARK
        assert tower.strange == []

    asyncio.run(play())


def test_a_start_corrects_a_tower_left_lit(tmp_path):
    async def play():
        bus = EmulatedUsbBus()
        tower = EmulatedLR6(bus)
        tower.plug()
        tower.take_report(LR6.show(GREEN))
        table = station(tmp_path, bus)
        table.start()
        await until(lambda: tower.display_state == WHITE)
        await table.stop()

    asyncio.run(play())


def test_a_missing_beacon_is_recorded_lost_until_plugged_in(tmp_path):
    async def play():
        bus = EmulatedUsbBus()
        table = station(tmp_path, bus)
        table.start()
        await until(lambda: table.table.state.lost == ("beacon",))
        EmulatedLR6(bus).plug()
        await until(lambda: table.table.state.lost == ())
        await table.stop()

    asyncio.run(play())


# ── lamp that shows by itself that the table is gone ─────────────────────────────────────────────────────────────────


def with_a_lamp(folder: Path) -> tuple[Station, EmulatedBlink1]:
    """Return a station with a plugged-in blink(1) lamp, and the lamp."""
    bus = EmulatedUsbBus()
    lamp = EmulatedBlink1(bus)
    lamp.plug()
    return station(folder, bus, "blink1"), lamp


def test_a_lamp_gets_keep_alives_until_the_table_stops(tmp_path, monkeypatch):
    monkeypatch.setattr(Blink1, "every_s", 0.01)

    async def play():
        table, lamp = with_a_lamp(tmp_path)
        table.start()
        await until(lambda: lamp.waits)
        for _ in range(3):
            before = lamp.waits
            await until(lambda before=before: lamp.waits > before)
        await table.stop()
        assert lamp.display_state == (PatternLine(),)
        assert lamp.waits is None
        assert lamp.strange == []

    asyncio.run(play())


def test_a_lamp_shows_a_fault_again_after_a_late_tick(tmp_path, monkeypatch):
    """After a late keep-alive the lamp shows by itself that the table is gone; then the fault shows again."""
    monkeypatch.setattr(Blink1, "every_s", 0.01)

    async def play():
        clock, jump = ManualClock(0.0), jumping(monkeypatch)
        bus = EmulatedUsbBus()
        lamp = EmulatedBlink1(bus, now=clock)
        lamp.plug()
        table = station(tmp_path, bus, "blink1")
        table.start()
        await until(lambda: lamp.waits)
        table.table.take(e.KeyPressed("manager"))
        await until(lambda: lamp.display_state == CALLING_LAMP)
        clock.now += SILENCE_S + 1
        assert lamp.display_state == NOBODY
        jump.now += SILENCE_S + 1
        await until(lambda: lamp.display_state == CALLING_LAMP)
        await table.stop()

    asyncio.run(play())


def test_only_a_late_tick_has_the_signal_sent_again(monkeypatch):
    monkeypatch.setattr(Blink1, "every_s", 0.001)

    async def play():
        sent, jump = [], jumping(monkeypatch)
        beacon = Beacon(Blink1(), sent.append)
        beacon.hear(Found("usb at 1-1"))
        for late in (1, 2, 3):
            ticks = len(sent)
            await until(lambda ticks=ticks: len(sent) > ticks + 5)
            assert sent.count(Blink1().show(DARK)) == late
            jump.now += SILENCE_S
            await until(lambda late=late: sent.count(Blink1().show(DARK)) > late)
        beacon.clear()

    asyncio.run(play())


def jumping(monkeypatch) -> ManualClock:
    """Return a clock whose time is added to that of the running loop."""
    loop, ahead = asyncio.get_running_loop(), ManualClock(0.0)
    real = loop.time
    monkeypatch.setattr(loop, "time", lambda: real() + ahead.now)
    return ahead


def test_a_cleared_lamp_gets_no_keep_alive_after_replugging(monkeypatch):
    monkeypatch.setattr(Blink1, "every_s", 0)

    async def play():
        sent = []
        beacon = Beacon(Blink1(), sent.append)
        beacon.hear(Found("usb at 1-1"))
        beacon.hear(Found("usb at 1-1"))
        await until(lambda: sent.count(Blink1().recurring()) > 5)
        beacon.clear()
        sent.clear()
        await turns()
        assert sent == []

    asyncio.run(play())


# ── a beacon with a sensor ───────────────────────────────────────────────────────────────────────────────────────────


async def touch(beacon: EmulatedNE, *, asked: bool = True) -> None:
    """Touch the beacon's sensor and let go; with `asked`, wait each time until the table has asked for it."""
    for finger in (True, False):
        beacon.touched, before = finger, beacon.asked
        if asked:
            await until(lambda before=before: beacon.asked > before + 1)
        else:
            await turns()


@pytest.mark.parametrize("touch_counts", [True, False])
def test_a_beacon_touch_acknowledges_a_fault_only_if_configured(tmp_path, monkeypatch, touch_counts):
    monkeypatch.setattr(AskingNEUSB, "every_s", 0.005)

    async def play():
        bus = EmulatedUsbBus()
        beacon = EmulatedNE(bus)
        beacon.plug()
        table = station(tmp_path, bus, "ne_usb", touch=touch_counts)
        table.start()
        await until(lambda: table.table.state.lost == ())
        await until(lambda: beacon.asked > 2 or not touch_counts)
        await touch(beacon, asked=touch_counts)  # before there is a fault
        head = table.table.journal.head.seq
        table.table.take(e.KeyPressed("manager"))
        await until(lambda: table.table.state.fault)
        async with asyncio.timeout(PATIENCE):
            while touch_counts and not table.table.state.fault.seen_by:
                await touch(beacon)
        await touch(beacon, asked=touch_counts)  # the fault is acknowledged already
        await table.stop()
        assert bool(beacon.asked) == touch_counts
        records = [record for record in read(tmp_path / "table.journal") if record.kind == "acknowledged"]
        assert [record.what.by for record in records] == ["beacon"] * touch_counts
        assert not [record for record in read(tmp_path / "table.journal") if record.kind == "ruling_refused"]
        assert all(record.seq > head for record in records)

    asyncio.run(play())
