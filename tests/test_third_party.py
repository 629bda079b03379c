"""Drivers that packages of other people add: what they get wrong is told by name, and costs the table one device."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.config import Config, check
from controller.journal import Journal, read
from controller.station import Station
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.patlite import EmulatedLR6
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24

ENTRY_POINTS = """
[tablectl.shoes]
vendors = vendor:Shoe
[tablectl.panels]
vendors = vendor:Panel
[tablectl.beacons]
vendors = vendor:Beacon
"""
DRIVERS = """
from drivers.shoes.angel_eye import AngelEye
from drivers.panels.xkeys import XK24
from drivers.beacons.patlite import LR6USB

class Shoe(AngelEye): pass
class Panel(XK24): pass
class Beacon(LR6USB): pass

def wrong(*_, **__): raise KeyError("the card KH")
"""
SHOE, PANEL, BEACON = "shoe", "panel", "beacon"


@pytest.fixture
def vendor(tmp_path, monkeypatch) -> Callable[[str], None]:
    """Installs the package `vendor`, with this at its end."""
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


class Table:
    """A table whose devices are all the vendor's, and plugged in."""

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
        """The last of this kind for each device."""
        records = [record.what for record in read(self.path) if record.kind == kind]
        return {what.device: getattr(what, "reason", "") for what in records}

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(10):
            while not holds():
                await asyncio.sleep(0.005)

    async def plays_on_without(self, device: str) -> str:
        """Once that device is lost, and the others are there; why it is."""
        others = {SHOE, PANEL, BEACON} - {device}
        await self.until(lambda: device in self.news("device_lost") and others <= set(self.news("device_found")))
        if device != PANEL:
            self.panel.tap(5)  # CALL MANAGER
            await self.until(lambda: self.station.table.state.fault)
        assert self.station.table.state.lost == (device,)
        return self.news("device_lost")[device]


@pytest.mark.parametrize(
    ("device", "mistake", "said"),
    [
        (SHOE, "Shoe.__init__ = wrong", "the driver vendor.Shoe failed (KeyError: 'the card KH')"),
        (PANEL, "Panel.keys = property(wrong)", "the driver vendor.Panel failed (KeyError in vendor.py, line 10)"),
        (
            PANEL,
            "del Panel; del XK24",
            "the driver vendor:Panel failed (AttributeError: module 'vendor' has",
        ),
        (SHOE, "Shoe.reset = wrong", "the driver vendor.Shoe failed (KeyError in vendor.py, line 10)"),
        (PANEL, "Panel.backlight = wrong", "the driver vendor.Panel failed (KeyError in vendor.py, line 10)"),
        (BEACON, "Beacon.show = wrong", "the driver vendor.Beacon failed (KeyError in vendor.py, line 10)"),
    ],
)
def test_what_a_driver_gets_wrong_is_the_loss_of_its_device_and_no_more(tmp_path, vendor, device, mistake, said):
    async def play():
        vendor(mistake)
        async with Table(tmp_path) as table:
            assert (await table.plays_on_without(device)).startswith(said)

    asyncio.run(play())


def test_a_shoe_whose_driver_fails_over_a_card_is_lost_and_the_card_is_in_no_reason(tmp_path, vendor):
    async def play():
        vendor("Shoe.feed = wrong")
        async with Table(tmp_path) as table:
            await table.until(lambda: len(table.news("device_found")) == 3)
            table.shoe.draw()
            reason = await table.plays_on_without(SHOE)
            assert reason.startswith("the driver vendor.Shoe failed (KeyError in vendor.py, line 10)")
            assert "KH" not in reason

    asyncio.run(play())


def test_a_driver_that_names_a_card_by_what_is_no_text_has_not_read_it(tmp_path, vendor):
    async def play():
        vendor("from drivers.events import CardRead\nShoe.feed = lambda *_: [CardRead(None)]")
        async with Table(tmp_path) as table:
            await table.until(lambda: len(table.news("device_found")) == 3)
            table.shoe.draw()
            await table.until(lambda: table.station.table.state.fault)
            assert table.station.table.state.fault.code == "extra_card"

    asyncio.run(play())


def test_check_names_a_driver_that_fails_in_one_line(tmp_path, vendor):
    vendor("Panel.__init__ = wrong")
    path = tmp_path / "t.toml"
    path.write_text('[game]\nname = "baccarat"\n[panel]\nmodel = "vendors"\n', encoding="utf-8")
    said = CliRunner().invoke(main, ["check", str(path)], catch_exceptions=False)
    wrong = "the driver vendor.Panel failed (KeyError: 'the card KH'): have it mended, then start the table again"
    assert (said.exit_code, said.stderr) == (2, f"tablectl: {path}: {wrong}\n")
