"""A scanner whose cards have codes of their own drops a repeated code, until its card may come again."""

import asyncio
from pathlib import Path

import pytest

from controller.config.table_file import check
from controller.core import events as e
from controller.journal import Journal, read
from controller.station.station import Station
from drivers.emulators.hid_pos import UsbLine
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.usb_bus import EmulatedUsbBus
from tests.patience import until

WINS = ("6C", "7C", "8C", "KC")  # 32 Card: the last hand wins at once
MODELS = ("barcode", "hid_pos")


class ScannedTable:
    """Table of 32 Card with a scanner of unique codes, on a serial line or on USB."""

    def __init__(self, folder: Path, model: str) -> None:
        bus, port = EmulatedUsbBus(), {"port": str(folder / "port")} if model == "barcode" else {}
        self.line = PtyPort(folder / "port") if port else UsbLine(bus)
        settings = check({
            "table": {"dealer": "d1"},
            "game": {"name": "thirty_two"},
            "shoe": {"model": model, "settings": {"unique": True}, **port},
        })  # fmt: skip
        self.path = folder / "t.journal"
        self.station = Station(settings, settings.house("auto"), Journal(self.path), bus)
        self.table, self._end = self.station.table, b"\r\n" if port else b""

    async def __aenter__(self):
        self.line.plug()
        self.station.start()
        await until(lambda: any(record.kind == "device_found" for record in read(self.path)))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.station.stop()
        self.line.unplug()

    def take(self, *events: e.Event) -> None:
        for event in events:
            self.table.take(event)

    async def slide(self, *cards: str) -> list[str]:
        """Slide these cards; return all cards of the round once the last one is there."""
        for card in cards:
            self.line.write(card.encode() + self._end)
        draws = await until(lambda: self.cards()[-1:] == [cards[-1]] and self.cards())
        return list(draws)

    def cards(self) -> list[str]:
        return [draw.card for draw in self.table.state.round.draws]


@pytest.mark.parametrize("model", MODELS)
def test_the_last_card_may_be_first_of_the_next_deck(tmp_path, model):
    async def play():
        async with ScannedTable(tmp_path, model) as table:
            for cards in (WINS, ["KC"]):
                table.take(e.NewDeck(), e.Open(), e.Close())
                assert await table.slide(*cards) == [*cards]

    asyncio.run(play())


@pytest.mark.parametrize("model", MODELS)
def test_a_struck_card_may_still_be_dealt(tmp_path, model):
    async def play():
        async with ScannedTable(tmp_path, model) as table:
            table.take(e.NewDeck(), e.Open())
            await table.slide("6C")
            table.take(e.Rule("void", "anna", "seen by the scanner too early", 1), e.Close())
            assert await table.slide("6C", "6C", "7C", "7C", "8C") == ["6C", "6C", "7C", "8C"]

    asyncio.run(play())
