"""Drivers of third-party packages: an error names the driver and costs the table only one device."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.config.badge_reader import BadgeReaderSection
from controller.config.mistakes import BadConfig
from controller.config.table_file import Config, check
from controller.journal import Journal, read
from controller.station.station import Station
from drivers.badge_readers import TypedBadges
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.patlite import EmulatedLR6
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.events import BadgeRead
from tests.patience import until

ENTRY_POINTS = """
[tablectl.shoes]
vendors = vendor:Shoe
[tablectl.panels]
vendors = vendor:Panel
[tablectl.beacons]
vendors = vendor:Beacon
[tablectl.badge_readers]
vendors = vendor:Reader
typing = vendor:TYPING
"""
DRIVERS = """
from drivers.shoes.angel_eye import AngelEye
from drivers.panels.xkeys import XK24
from drivers.beacons.patlite import LR6USB
from drivers.badge_readers import BadgeReaderModel, SerialBadges, TypedBadges

class Shoe(AngelEye): pass
class Panel(XK24): pass
class Beacon(LR6USB): pass
class Reader(SerialBadges): pass
TYPING = BadgeReaderModel(TypedBadges, keyboard=True)

def wrong(*_, **__): raise KeyError("the card KH")
"""
WORDS, PLACE = "KeyError: 'the card KH'", "KeyError in vendor.py, line 13"
SHOE, PANEL, BEACON = "shoe", "panel", "beacon"


@pytest.fixture
def vendor(tmp_path, monkeypatch) -> Callable[[str], None]:
    """Return a function that installs the package `vendor` with this code at its end."""
    info = tmp_path / "vendor-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vendor\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)

    def install(mistake: str) -> None:
        (tmp_path / "vendor.py").write_text(DRIVERS + mistake)
        monkeypatch.delitem(sys.modules, "vendor", raising=False)

    return install


def config(folder: Path) -> Config:
    return check({
        "table": {"dealer": "d1"},
        "game": {"name": "baccarat"},
        "shoe": {"model": "vendors", "port": str(folder / "port"), "allow": []},
        "panel": {"model": "vendors"},
        "beacon": {"model": "vendors"},
    })  # fmt: skip


class VendorTable:
    """Table with shoe, panel and beacon of the vendor's drivers, all plugged in."""

    def __init__(self, folder: Path) -> None:
        settings, self.path = config(folder), folder / "t.journal"
        self.bus = EmulatedUsbBus()
        self.panel, beacon = EmulatedXK24(self.bus), EmulatedLR6(self.bus)
        self.panel.plug()
        beacon.plug()
        self.shoe = EmulatedAngelEye(PtyPort(folder / "port"), cards=["9C", "2D", "KD", "3H"])
        self.station = Station(settings, settings.house("dealer"), Journal(self.path), self.bus)

    async def __aenter__(self):
        self.shoe.plug()
        self.station.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.station.stop()
        self.shoe.unplug()

    def news(self, kind: str) -> dict[str, str]:
        """Return the reason in the last record of this kind, for each device."""
        records = [record.what for record in read(self.path) if record.kind == kind]
        return {what.device: getattr(what, "reason", "") for what in records}

    async def plays_on_without(self, *devices: str) -> dict[str, str]:
        """Wait until only these devices are lost, play on, and return the reason for each loss."""
        others = {SHOE, PANEL, BEACON} - set(devices)
        await until(lambda: set(self.news("device_lost")) == set(devices))
        await until(lambda: others <= set(self.news("device_found")))
        if PANEL in others:
            self.panel.tap(5)  # CALL MANAGER
            await until(lambda: self.station.table.state.fault)
        assert set(self.station.table.state.lost) == set(devices)
        return self.news("device_lost")


@pytest.mark.parametrize(
    "mistakes",
    [
        {SHOE: ("Shoe.__init__ = wrong", WORDS), PANEL: ("Panel.keys = property(wrong)", PLACE)},
        {SHOE: ("Shoe.reset = wrong", PLACE), BEACON: ("Beacon.show = wrong", PLACE)},
        {PANEL: ("Panel.backlight = wrong", PLACE)},
    ],
)
def test_a_failing_vendor_driver_loses_only_its_device(tmp_path, vendor, mistakes):
    async def play():
        vendor("\n".join(mistake for mistake, _ in mistakes.values()))
        async with VendorTable(tmp_path) as table:
            reasons = await table.plays_on_without(*mistakes)
            for device, (_, reason) in mistakes.items():
                assert reasons[device].startswith(f"the driver vendor.{device.capitalize()} failed ({reason}): have it")

    asyncio.run(play())


def test_a_driver_failing_on_a_card_never_names_it(tmp_path, vendor):
    async def play():
        vendor("Shoe.feed = wrong")
        async with VendorTable(tmp_path) as table:
            await until(lambda: len(table.news("device_found")) == 3)
            table.shoe.draw()
            reason = (await table.plays_on_without(SHOE))[SHOE]
            assert reason.startswith(f"the driver vendor.Shoe failed ({PLACE}): ")
            assert "KH" not in reason

    asyncio.run(play())


def test_a_card_event_without_text_is_an_unread_card(tmp_path, vendor):
    async def play():
        vendor("from drivers.events import CardRead\nShoe.feed = lambda *_: [CardRead(None)]")
        async with VendorTable(tmp_path) as table:
            await until(lambda: len(table.news("device_found")) == 3)
            table.shoe.draw()
            await until(lambda: table.station.table.state.fault)
            assert table.station.table.state.fault.code == "extra_card"

    asyncio.run(play())


def test_check_names_a_driver_that_fails_in_one_line(tmp_path, vendor):
    vendor("del Panel")
    path = tmp_path / "t.toml"
    path.write_text('[game]\nname = "baccarat"\n[panel]\nmodel = "vendors"\n', encoding="utf-8")
    result = CliRunner().invoke(main, ["check", str(path)], catch_exceptions=False)
    mistake = "AttributeError: module 'vendor' has no attribute 'Panel'"
    wrong = f"the driver vendor:Panel failed ({mistake}): have it repaired, then start the table again"
    assert (result.exit_code, result.stderr) == (2, f"tablectl: {path}: {wrong}\n")


def test_a_packages_badge_reader_is_found(vendor):
    vendor("")
    serial, typing = (BadgeReaderSection(model=model, port="/dev/reader") for model in ("vendors", "typing"))
    serial.check("alone")
    assert (serial.is_keyboard, typing.is_keyboard) == (False, True)
    assert serial.codec().feed(b"04A2B9C1F0\r\n") == [BadgeRead("04A2B9C1F0")]
    assert isinstance(typing.codec(), TypedBadges)


def test_an_unknown_badge_reader_is_refused(vendor):
    vendor("")
    reason = "expected one of keyboard, serial, typing, vendors; correct"
    with pytest.raises(BadConfig, match=rf"badge_reader\.model: unknown badge_reader model 'rfid': {reason}"):
        BadgeReaderSection(model="rfid", port="/dev/reader").check("alone")


def reading(folder: Path) -> tuple[Station, Path]:
    """Return a table with a badge reader of the vendor's driver, and the path of its record."""
    reader = {"model": "vendors", "port": str(folder / "reader")}
    people = {"file": str(folder / "people.toml"), "badge": "alone"}
    settings = check({"game": {"name": "baccarat"}, "badge_reader": reader, "people": people})
    return Station(settings, settings.house("dealer"), Journal(folder / "t.journal")), folder / "t.journal"


def test_a_badge_at_a_vendors_reader_is_heard(tmp_path, vendor):
    async def play():
        vendor("")
        station, path = reading(tmp_path)
        badges = []
        station.reader.hears = badges.append
        port = PtyPort(tmp_path / "reader")
        port.plug()
        station.start()
        await until(lambda: "device_found" in {record.kind for record in read(path)})
        port.write(b"04A2B9C1F0\r")
        await until(lambda: badges)
        await station.stop()
        port.unplug()
        assert badges == ["04A2B9C1F0"]

    asyncio.run(play())


def test_a_failing_reader_driver_loses_the_reader_alone(tmp_path, vendor):
    async def play():
        vendor("Reader.__init__ = wrong")
        station, path = reading(tmp_path)
        station.start()
        await until(lambda: "device_lost" in {record.kind for record in read(path)})
        await station.stop()
        (lost,) = [record.what for record in read(path, kinds=("device_lost",))]
        assert lost.device == "badge_reader"
        assert lost.reason.startswith(f"the driver vendor.Reader failed ({WORDS}): have it repaired")

    asyncio.run(play())
