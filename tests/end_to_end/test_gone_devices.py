"""Devices that are unplugged while cut off or while the table is stopped are found lost afterwards."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.config.table_file import check
from controller.core import events as e
from controller.core.records import Record
from controller.journal import Journal, read
from controller.station.own_devices import OwnDevices
from controller.station.station import Station
from drivers.emulators.patlite import EmulatedLR6
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.models import DriverFailed
from tests.patience import until

DEVICES = ("shoe", "panel")
BURST = 40  # telegrams that a device may send at once
RESUME = e.Rule("resume", "anna", "it was seen to")


class LastingDevices:
    """Shoe on a pty, panel and beacon on an emulated bus; they outlive the tables of a test."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.journal = folder, folder / "t.journal"
        self.bus, self.port = EmulatedUsbBus(), PtyPort(folder / "port")
        self.panel, self.beacon = EmulatedXK24(self.bus), EmulatedLR6(self.bus)

    def plug(self, device: str) -> None:
        {"shoe": self.port, "panel": self.panel, "beacon": self.beacon}[device].plug()

    def unplug(self, device: str) -> None:
        {"shoe": self.port, "panel": self.panel, "beacon": self.beacon}[device].unplug()

    def babble(self, device: str) -> None:
        if device == "shoe":
            self.port.write(b"<W0x01>\r\n" * 2 * BURST)
        else:
            for _ in range(BURST):
                self.panel.tap(29)  # a key without a function

    def records(self) -> list[Record]:
        return list(read(self.journal))

    def told(self, device: str) -> list[str]:
        """Return the kinds of the records about this device, in order."""
        return [record.kind for record in self.records() if getattr(record.what, "device", None) == device]

    @asynccontextmanager
    async def table(self, *names: str) -> AsyncIterator[Station]:
        """Run a table whose config names these devices."""
        sections = {
            "shoe": {"model": "bee_tek", "port": str(self.port.link)},
            "panel": {"model": "xk24"},
            "beacon": {"model": "lr6_usb"},
        }
        named = {name: sections[name] for name in names}
        config = check({"game": {"name": "baccarat"}, "timers": {"betting": 3600}, "table": {"dealer": "d1"}, **named})
        station = Station(config, config.house("dealer"), Journal(self.journal), self.bus)
        station.start()
        try:
            yield station
        finally:
            await station.stop()

    async def lost_once(self, station: Station, device: str) -> None:
        """Plug the device in, out and in again, so that its link has reported a loss before."""
        for act, lost in ((self.plug, False), (self.unplug, True), (self.plug, False)):
            act(device)
            await until(lambda: self.told(device) and (device in station.table.state.lost) is lost)  # noqa: B023 - awaited here
        assert self.told(device)[-3:] == ["device_found", "device_lost", "device_found"]

    async def cut_off(self, station: Station, device: str) -> None:
        """Make the device send without pause until the table cuts it off and closes it."""
        self.babble(device)
        await until(lambda: any(one.device == device for one in station.table.state.cut_off))
        if device == "panel":
            await until(lambda: not self.bus.port(self.panel).claimed)


@pytest.fixture
def devices(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.station.guard.BURST", BURST)
    devices = LastingDevices(tmp_path)
    yield devices
    devices.port.unplug()


# ── cut off ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("device", DEVICES)
def test_a_device_unplugged_while_cut_off_is_lost_afterwards(devices, device):
    async def steps():
        async with devices.table(device) as station:
            await devices.lost_once(station, device)
            for _ in range(2):
                await devices.cut_off(station, device)
                devices.unplug(device)
                station.table.take(RESUME)
                await until(lambda: device in station.table.state.lost)
                assert devices.told(device)[-3:] == ["device_cut_off", "device_taken_back", "device_lost"]
                devices.plug(device)
                await until(lambda: device not in station.table.state.lost)

    asyncio.run(steps())


def test_a_round_without_its_shoe_is_paused_again(devices):
    async def steps():
        async with devices.table("shoe") as station:
            await devices.lost_once(station, "shoe")
            station.table.take(e.Open())
            station.table.take(e.Close())
            await devices.cut_off(station, "shoe")
            assert station.table.state.fault.code == "shoe_error"
            devices.unplug("shoe")
            station.table.take(RESUME)
            await until(lambda: station.table.state.fault and station.table.state.fault.code == "device_lost")
            devices.plug("shoe")
            await until(lambda: "shoe" not in station.table.state.lost)
            station.table.take(RESUME)
            assert station.table.state.life == "dealing"

    asyncio.run(steps())


@pytest.mark.parametrize("device", DEVICES)
def test_a_device_unplugged_over_a_restart_is_lost_afterwards(devices, device):
    async def steps():
        async with devices.table(device) as station:
            await devices.lost_once(station, device)
            await devices.cut_off(station, device)
        devices.unplug(device)
        async with devices.table(device) as station:
            if device == "panel":
                await until(lambda: station.panel._events.there is False)  # reported, and ignored: the panel is cut off
            station.table.take(RESUME)
            await until(lambda: device in station.table.state.lost)
            assert devices.told(device)[-2:] == ["device_taken_back", "device_lost"]

    asyncio.run(steps())


@pytest.mark.parametrize("replugged", [False, True])
@pytest.mark.parametrize("device", DEVICES)
def test_a_device_there_at_the_ruling_is_never_lost(devices, device, replugged):
    async def steps():
        async with devices.table(device) as station:
            await devices.lost_once(station, device)
            await devices.cut_off(station, device)
            if replugged:
                devices.unplug(device)
                devices.plug(device)
            station.table.take(RESUME)
            await until(lambda: devices.told(device)[-1] == "device_found")
            assert devices.told(device)[-3:] == ["device_cut_off", "device_taken_back", "device_found"]

    asyncio.run(steps())


@pytest.mark.parametrize("device", DEVICES)
def test_a_driver_that_failed_while_cut_off_loses_its_device(devices, device):
    async def steps():
        async with devices.table(device) as station:
            await devices.lost_once(station, device)
            await devices.cut_off(station, device)
            link = station.shoe if device == "shoe" else station.panel._link
            link.fail(DriverFailed(device, "KeyError in vendor.py, line 3"))
            station.table.take(RESUME)
            assert device in station.table.state.lost
            assert "KeyError" in devices.records()[-1].what.reason

    asyncio.run(steps())


def test_a_device_cut_off_whose_driver_is_gone_is_lost(devices, monkeypatch):
    def fails(*_: object) -> None:
        raise DriverFailed("panel", "no such package")

    async def steps():
        async with devices.table("panel") as station:
            await devices.lost_once(station, "panel")
            await devices.cut_off(station, "panel")
        monkeypatch.setattr(Station, "_add_panel", fails)
        async with devices.table("panel") as station:
            station.table.take(RESUME)
            assert station.table.state.lost == ("panel",)
            assert "no such package" in devices.records()[-1].what.reason

    asyncio.run(steps())


# ── removed from the config ──────────────────────────────────────────────────────────────────────────────────────


async def lost_at_the_end(
    devices: LastingDevices, *names: str, meanwhile: Callable[[Station], None] = lambda _: None
) -> None:
    """Run a table with these devices plugged in, call `meanwhile`, and unplug all before the table stops."""
    async with devices.table(*names) as station:
        for name in names:
            devices.plug(name)
        await until(lambda: all(devices.told(name) for name in names) and not station.table.state.lost)
        meanwhile(station)
        for name in names:
            devices.unplug(name)
        await until(lambda: set(station.table.state.lost) == set(names))


def test_a_lost_device_removed_from_config_keeps_no_round_waiting(devices):
    async def steps():
        await lost_at_the_end(devices, "shoe", "panel", "beacon")
        async with devices.table("panel") as station:
            assert station.table.state.lost == ("panel",)
        async with devices.table("panel") as station:
            assert station.table.state.lost == ("panel",)
            station.table.take(e.Open())
            assert station.table.state.life == "betting"

    asyncio.run(steps())
    assert [devices.told(name)[-2:] for name in ("shoe", "beacon")] == [["device_lost", "device_found"]] * 2
    assert devices.told("panel")[-1] == "device_lost"
    shown = CliRunner().invoke(main, ["journal", "show", str(devices.journal)], catch_exceptions=False)
    assert [line.split("  ")[-1] for line in shown.output.splitlines() if line.endswith(" found")] == [
        "shoe found",
        "beacon found",
    ]


def test_a_round_paused_for_a_removed_device_can_be_resumed(devices):
    def deals(station: Station) -> None:
        station.table.take(e.Open())
        station.table.take(e.Close())

    async def steps():
        await lost_at_the_end(devices, "shoe", meanwhile=deals)
        async with devices.table() as station:
            assert (station.table.state.fault.code, station.table.state.lost) == ("device_lost", ())
            station.table.take(RESUME)
            assert station.table.state.life == "dealing"

    asyncio.run(steps())


def test_a_removed_device_comes_back_with_the_config(devices):
    async def steps():
        await lost_at_the_end(devices, "panel")
        async with devices.table():
            pass
        async with devices.table("panel") as station:
            await until(lambda: station.table.state.lost == ("panel",))
            devices.plug("panel")
            await until(lambda: not station.table.state.lost)

    asyncio.run(steps())


def test_the_record_remembers_where_a_removed_device_was(devices):
    async def steps():
        await lost_at_the_end(devices, "panel")
        async with devices.table():
            pass

    asyncio.run(steps())
    assert devices.told("panel") == ["device_found", "device_lost", "device_found"]
    assert OwnDevices(devices.journal).last_device_found("panel").address == "usb at 1-1"


def test_a_device_is_known_however_long_ago_it_was_found(devices):
    async def steps():
        async with devices.table("panel"):
            devices.plug("panel")
            await until(lambda: "device_found" in devices.told("panel"))

    asyncio.run(steps())
    with closing(sqlite3.connect(devices.journal)) as db:
        db.execute("INSERT INTO records SELECT 1000000, record, input, hash FROM records WHERE seq = 1")
        plan = db.execute('EXPLAIN QUERY PLAN SELECT seq FROM records WHERE instr(record, \'"kind":"device_found"\')')
        assert "USING INDEX devices_found" in str(plan.fetchall())
        for change in ("", "DROP INDEX devices_found"):  # a file from before the index
            db.execute(change)
            db.commit()
            assert OwnDevices(devices.journal).last_device_found("panel").address == "usb at 1-1"


def test_a_removed_cut_off_device_waits_for_its_ruling(devices):
    async def steps():
        async with devices.table("panel") as station:
            await devices.lost_once(station, "panel")
            await devices.cut_off(station, "panel")
        before = devices.told("panel")
        async with devices.table() as station:
            assert devices.told("panel") == before
            station.table.take(RESUME)
            assert station.table.state.lost == ()

    asyncio.run(steps())
