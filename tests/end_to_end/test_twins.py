"""A table never deals cards from another table's adapter with the same serial number."""

import asyncio
from pathlib import Path

import pytest

from controller.config.table_file import check
from controller.core import events as e
from controller.journal import Journal, read
from controller.station.station import Station
from drivers.emulators.usb_bus import EmulatedUsbBus
from tests.drivers.emulated_pc import EmulatedAdapter, EmulatedPc
from tests.patience import until

CARDS = [f" [Game]<Card:{card}> \r\n".encode() for card in ("9C", "2D", "KH", "3S")]


@pytest.fixture
def pc(tmp_path):
    with EmulatedPc(tmp_path) as one:
        yield one


class TwinPortTable:
    """Baccarat table with a port named by the serial number that both adapters have."""

    def __init__(self, folder: Path, pc: EmulatedPc, **shoe: str) -> None:
        port = str(pc.dev / "shoe-0001")
        config = check({
            "table": {"dealer": "d1"},
            "game": {"name": "baccarat"},
            "timers": {"betting": 3600, "stall": 3600},
            "shoe": {"model": "bee_tek", "port": port, **shoe},
        })  # fmt: skip
        self.path = folder / "t.journal"
        self.station = Station(config, config.house("dealer"), Journal(self.path), EmulatedUsbBus(), sys=pc.sys)
        self.take = self.station.table.take

    async def __aenter__(self) -> "TwinPortTable":
        self.station.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.station.stop()

    @property
    def life(self) -> str:
        return self.station.table.state.life

    @property
    def present(self) -> bool:
        return self.station.shoe.is_present

    def count(self, kind: str) -> int:
        return sum(record.kind == kind for record in read(self.path))

    def opens_a_round(self) -> None:
        for event in (e.NewDeck(), e.Open(), e.PlaceBet("p1", "player", 1000), e.Close()):
            self.take(event)

    async def refuses_what_is_there(self) -> None:
        await until(lambda: "may be another table's" in (self.station.shoe.trouble or ""))


def test_no_card_of_the_twin_adapter_is_dealt(pc, tmp_path):
    ours, twin = EmulatedAdapter("0001"), EmulatedAdapter("0001")

    async def play():
        pc.plug("1", ours)
        async with TwinPortTable(tmp_path, pc) as table:
            await until(lambda: table.present)
            table.opens_a_round()
            ours.says(CARDS[0])
            await until(lambda: table.count("dealt") == 1)
            pc.plug("2", twin)
            pc.unplug("1")
            await table.refuses_what_is_there()
            for card in CARDS:
                twin.says(card)
            table.take(e.Rule("resume", "anna", "it is back"))
            assert (table.life, table.count("resumed")) == ("paused", 0)
            assert 'write [shoe] at = "pci-0000:00:14.0-usb-0:2:1.0"' in table.station.gear.asked["shoe"].trouble
            pc.unplug("2")
            pc.plug("1", ours)
            await until(lambda: table.present)
            assert table.station.gear.asked["shoe"].trouble is None
            table.take(e.Rule("resume", "anna", "it is back"))
            ours.says(CARDS[1])
            await until(lambda: table.count("dealt") == 2)
            assert table.count("drawn") + table.count("dealt") == 2

    asyncio.run(play())


def test_a_restarted_table_does_not_take_the_twin_alone(pc, tmp_path):
    async def play():
        pc.plug("1", EmulatedAdapter("0001"))
        async with TwinPortTable(tmp_path, pc) as table:
            await until(lambda: table.present)
            table.opens_a_round()
        pc.unplug("1")
        pc.plug("2", EmulatedAdapter("0001"))
        async with TwinPortTable(tmp_path, pc) as table:
            await table.refuses_what_is_there()
            assert not table.present
        async with TwinPortTable(tmp_path, pc, at="pci-0000:00:14.0-usb-0:2:1.0") as table:
            await until(lambda: table.present)

    asyncio.run(play())


def test_the_socket_and_the_number_of_the_shoe_are_recorded(pc, tmp_path):
    async def play():
        pc.plug("1", EmulatedAdapter("0001"))
        async with TwinPortTable(tmp_path, pc) as table:
            await until(lambda: table.count("device_found"))
            (found,) = [record.what for record in read(table.path) if record.kind == "device_found"]
            assert found.serial == "0001"
            assert found.address == f"{pc.dev}/shoe-0001 at pci-0000:00:14.0-usb-0:1:1.0"

    asyncio.run(play())
