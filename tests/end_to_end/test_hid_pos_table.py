"""A table with a HID-POS scanner as its shoe: rounds, unplugging, endless input and config errors."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.config.devices import ShoeSection
from controller.config.mistakes import BadConfig
from controller.config.table_file import check
from controller.core import events as e
from controller.core.bounds import BURST
from controller.journal import Journal, read
from controller.station.attendance import find_shoe
from controller.station.device_figures import devices_of
from controller.station.own_devices import OwnDevices
from controller.station.plugged_devices import usable_devices
from controller.station.station import Station
from drivers.emulators.hid_pos import EmulatedHidPos, UsbLine
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.patience import DeviceCannotServe
from tests.drivers.hid_pos_forms import FORMS, FormLine, ReportForm
from tests.patience import until

SHOE = {"model": "hid_pos"}


class ScannerTable:
    """Station, and the emulated scanner on its USB bus."""

    def __init__(self, folder: Path, form: ReportForm | None = None) -> None:
        settings = check({"table": {"dealer": "d1"}, "game": {"name": "baccarat"}, "shoe": SHOE})
        self.path, self.bus = folder / "t.journal", EmulatedUsbBus()
        self.line = FormLine(self.bus, form) if form else UsbLine(self.bus)
        self.scanner = EmulatedHidPos(self.line, cards=["9C", "2D", "TH", "6S", "AS"])
        self.station = Station(settings, settings.house("dealer"), Journal(self.path), self.bus)
        self.names = [device.name for device in devices_of(settings)]

    def kinds(self) -> list[str]:
        return [record.kind for record in read(self.path)]

    async def until(self, kind: str, times: int = 1) -> None:
        await until(lambda: self.kinds().count(kind) >= times)


@asynccontextmanager
async def running(folder: Path, form: ReportForm | None = None) -> AsyncIterator[ScannerTable]:
    table = ScannerTable(folder, form)
    table.station.start()
    try:
        yield table
    finally:
        await table.station.stop()


def test_a_pulled_scanner_pauses_the_round_dealt_under_it(tmp_path):
    async def play():
        async with running(tmp_path) as table:
            assert table.names == ["shoe"]
            table.scanner.plug()
            await table.until("device_found")
            for key in ("open", "close", "close"):
                table.station.table.take(e.KeyPressed(key))
            for number in range(1, 4):
                table.scanner.draw()
                await table.until("dealt", number)
            table.scanner.unplug()
            await table.until("device_lost")
            await until(lambda: table.station.table.state.life == "paused")
            table.scanner.plug()
            await table.until("device_found", 2)
            table.station.table.take(e.Rule("resume", "anna", "it is plugged in"))
            table.scanner.draw()
            await table.until("dealt", 4)

    asyncio.run(play())


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_round_is_dealt_under_scanners_of_other_makers(tmp_path, form):
    async def play():
        async with running(tmp_path, form) as table:
            table.scanner.plug()
            await table.until("device_found")
            for key in ("open", "close", "close"):
                table.station.table.take(e.KeyPressed(key))
            for number, card in enumerate(("9C", "2D", "TH", "6S"), 1):
                assert table.scanner.draw() == card
                await table.until("dealt", number)
            await table.until("completed")
            assert "faulted" not in table.kinds()
            assert [record.what.card for record in read(table.path, kinds=("dealt",))] == ["9C", "2D", "TH", "6S"]

    asyncio.run(play())


def test_an_absent_scanner_is_recorded_as_lost(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.station.station.ABSENT", 0.01)

    async def play():
        async with running(tmp_path) as table:
            await table.until("device_lost")

    asyncio.run(play())


def test_a_scanner_that_never_falls_silent_is_cut_off(tmp_path):
    async def play():
        async with running(tmp_path) as table:
            table.scanner.plug()
            await table.until("device_found")

            def babbled():
                for _ in range(BURST):
                    table.line.write(b"no card")
                return "device_cut_off" in table.kinds()

            await until(babbled)

    asyncio.run(play())


def test_a_scanner_is_named_where_it_is_or_missing():
    bus, section = EmulatedUsbBus(), check({"game": {"name": "baccarat"}, "shoe": SHOE}).shoe
    with pytest.raises(DeviceCannotServe, match="no HID-POS scanner is plugged in"):
        find_shoe(section, OwnDevices(None), runs=False, usb=bus)
    UsbLine(bus).plug()
    assert find_shoe(section, OwnDevices(None), runs=False, usb=bus) == "usb 1-1"
    (one,) = usable_devices(Path("/nowhere"), Path("/nowhere"), bus)
    assert (one.kind, one.config, one.trouble) == ("shoe", 'model = "hid_pos"', "")


def test_a_hid_pos_config_refuses_ports_commands_and_settings():
    with pytest.raises(BadConfig, match="a hid_pos is found on USB, got '/dev/ttyACM0'"):
        ShoeSection(model="hid_pos", port="/dev/ttyACM0").check()
    with pytest.raises(BadConfig, match="a hid_pos takes no commands"):
        ShoeSection(model="hid_pos", allow=("lock",)).check()
    with pytest.raises(BadConfig, match=r"shoe\.settings\.usb"):
        ShoeSection(model="hid_pos", settings={"usb": "honeywell"}).check()


def test_a_shoe_on_usb_confirms_no_results():
    with pytest.raises(BadConfig, match="a hid_pos knows no result"):
        check({"game": {"name": "baccarat"}, "shoe": SHOE, "table": {"confirm": "shoe"}})
