"""Tests of a table with the panel and beacon of the package `examples/key_strip`."""

import asyncio

import pytest
from msgspec.structs import replace

from controller.config.devices import ShoeSection
from controller.config.mistakes import BadConfig
from controller.config.table_file import check, load
from controller.core import events as e
from controller.journal import Journal, read
from controller.station.plugged_devices import usable_devices
from controller.station.station import Station
from drivers.emulators.pluggable import Pluggable
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity
from tests.patience import until
from tests.plugins.site import ROOT

CONFIG = ROOT / "examples/key_strip/key_strip.toml"
GREEN = bytes([3, 0, 0, 1, 0, 0, 0])
CALLING = bytes([3, 2, 0, 0, 0, 0, 1])
OPEN, MANAGER = 0, 7
LIT, FLASHES = 1, 2


@pytest.fixture(autouse=True)
def installed(site, monkeypatch):
    monkeypatch.syspath_prepend(site)


class MakerDevice(Pluggable):
    """Emulated USB device of the package's maker that keeps the received reports."""

    def __init__(self, bus: EmulatedUsbBus, product: int) -> None:
        super().__init__(bus, UsbIdentity(0x1209, product, ("Maker", "device", f"M{product}")))
        self.told: list[bytes] = []

    def power_on(self) -> None:
        self.told = []

    def _obey(self, report: bytes) -> None:
        self.told.append(report)

    def says(self, *report: int) -> None:
        self._bus.report(self, bytes(report))


class StripTable:
    """Table with the panel and the beacon, and its record."""

    def __init__(self, folder) -> None:
        self.path, self.bus = folder / "t.journal", EmulatedUsbBus()
        self.strip, self.tower = MakerDevice(self.bus, 0x7A11), MakerDevice(self.bus, 0x7A12)
        settings = replace(load(CONFIG), shoe=ShoeSection())  # this test deals no cards
        self.station = Station(settings, settings.house("dealer"), Journal(self.path), self.bus)

    async def __aenter__(self):
        self.station.start()
        self.station.table.take(e.OpenTable("manager"))
        self.station.table.take(e.DealerOn("d1"))
        self.station.table.take(e.LoadShoe())
        return self

    async def __aexit__(self, *_):
        await self.station.stop()

    def found(self) -> list[str]:
        return [record.what.device for record in read(self.path, kinds=("device_found",))]

    def lamp(self, key: int, colour: int) -> int:
        """Return the last light sent to a lamp; 0 if none was sent."""
        return next((report[3] for report in reversed(self.strip.told) if report[1:3] == bytes([key, colour])), 0)

    async def press(self, key: int) -> None:
        self.strip.says(1, 1 << key)
        self.strip.says(1, 0)


def test_a_round_opens_at_the_strip(tmp_path):
    async def play():
        async with StripTable(tmp_path) as table:
            table.strip.plug()
            table.tower.plug()
            await until(lambda: set(table.found()) == {"panel", "beacon"})
            await until(lambda: table.lamp(OPEN, 0) == LIT)
            table.strip.says(1, 0)
            await table.press(OPEN)
            await until(lambda: table.station.table.state.life == "betting" and table.tower.told[-1] == GREEN)
            await table.press(MANAGER)
            await until(lambda: table.station.table.state.life == "paused" and table.tower.told[-1] == CALLING)
            await until(lambda: table.lamp(MANAGER, 1) == FLASHES)
            assert table.strip.strange == table.tower.strange == []

    asyncio.run(play())


def test_a_strip_plugged_in_again_is_lit_again(tmp_path):
    async def play():
        async with StripTable(tmp_path) as table:
            table.strip.plug()
            await until(lambda: table.lamp(OPEN, 0) == LIT)
            table.strip.says(1, 0)
            table.strip.unplug()
            await until(lambda: "device_lost" in {record.kind for record in read(table.path)})
            table.strip.plug()
            await until(lambda: table.found().count("panel") == 2 and table.lamp(OPEN, 0) == LIT)
            table.strip.says(1, 1 << OPEN)  # a key held down while the strip was found
            await table.press(MANAGER)
            await until(lambda: table.station.table.state.life == "paused")
            assert "opened" not in {record.kind for record in read(table.path)}

    asyncio.run(play())


def test_plugged_in_devices_of_packages_are_listed(tmp_path):
    table = StripTable(tmp_path)
    table.strip.plug()
    table.tower.plug()
    listed = {(one.kind, one.config) for one in usable_devices(tmp_path, tmp_path, table.bus)}
    assert listed == {("panel", 'model = "key_strip"'), ("beacon", 'model = "light_tower"')}


def test_keys_that_the_strip_does_not_have_are_refused():
    with pytest.raises(BadConfig, match=r"panel\.keys\.dropped: expected a key of the key_strip, one of 0, 1"):
        check({"game": {"name": "baccarat"}, "panel": {"model": "key_strip"}})
