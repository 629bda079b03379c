"""Demo of a whole table on emulated devices: a pty under pyserial, a panel behind pyusb.

The dealer deals by the screen and makes the errors of the plan, players bet and decide, a scripted shift manager rules.
They act only as people and the game server could: through devices, commands and rulings.
"""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24

from ...config.devices import PanelSection
from ...config.people import PeopleFile
from ...config.table_file import Config, JournalSection, TableSection, TimersSection
from ...core.events import Key
from ...core.life import RESTING
from ...core.records import DeviceFound, Record
from ...games import GAMES
from ...journal import Journal
from ...station.station import Station
from ...table.loop import Table
from ...web.listeners import TableDoors
from ...web.net.listening import NetListening
from ...web.net.sockets import Listening
from ...web.screens.equipment import equipment_of
from .dealer import DEALER, DemoDealer, hides_cards
from .manager import Manager
from .pace import StuckDemo, TablePace
from .plan import Plan
from .players import Players
from .shoes import DemoShoe, emulated_shoe, shoe_section

__all__ = ["JOURNAL", "TABLE", "Demo", "Plan", "StuckDemo"]

TABLE, JOURNAL = "demo", "demo.journal"
LINGER = 3.0  # seconds at the end, so that people can see the last result


class Demo:
    """Demo of one table with its devices and emulated people.

    The shoe's port lies beside the journal. `config`: use this table in place of the plan's; `people`: its registry.
    """

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        net: NetListening | None = None,
        local: Listening | None = None,
        config: Config | None = None,
        people: PeopleFile | None = None,
    ) -> None:
        self.plan = plan
        self.config = config or config_of(plan, journal.path)
        house = self.config.house("dealer")
        self.bus = EmulatedUsbBus()
        self.panel = EmulatedXK24(self.bus)
        self.journal = journal
        left_off = journal.head.seq + 2  # a start adds `configured` and, during a round, the fault of a restart
        who = None if people is None else people.people()
        self.station = Station(self.config, house, journal, self.bus, plan.speed, who)
        self.table = self.station.table
        self._found = set[str]()  # devices found since the start
        equipped = equipment_of(self.config), self.station.gear, self.station.metrics, self.station.custody
        self.doors = TableDoors(self.table, journal.path, local, net, *equipped, people)

        dice = random.Random(plan.seed)  # noqa: S311 - a show, no game
        pace = self._pace = TablePace(self.table, plan.speed, plan.patience)
        self.shoe = DemoShoe(emulated_shoe(self.config.shoe, house.deck, plan.seed), self.table, pace, self._key, dice)
        self.players = Players(self.table, pace, random.Random(dice.randrange(2**32)))  # noqa: S311 - a show, no game
        hides = hides_cards(house.game, house.settings, house.deck)
        self.dealer = DemoDealer(self.shoe, self.players, pace, dice, hides=hides)
        self.manager = Manager(self.table, pace, lambda: self.dealer.last_card, left_off, plan.attend)

    async def run(self) -> None:
        """Deal the rounds of the plan. Raises StuckDemo if the table does not follow."""
        self.open()
        at_work = [asyncio.create_task(self._deal_rounds())]
        if not self.plan.by_hand:
            at_work.append(asyncio.create_task(self.manager.watch()))
        try:
            ended, _ = await asyncio.wait(at_work, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            for task in at_work:
                task.cancel()
            await self.close()

    def open(self) -> None:
        """Plug in the devices, and start the table and its pages."""
        self.table.subscribe(self._note)
        self.shoe.plug()
        self.panel.plug()
        self.station.start()
        self.doors.start()

    async def close(self) -> None:
        """Stop the pages and the table, and unplug the devices."""
        await self.doors.stop()
        await self.station.stop()
        self.panel.unplug()
        self.shoe.device.unplug()

    async def play(self, error: str | None) -> None:
        """Play one round, with this error of the dealer. Raises StuckDemo if the table does not follow."""
        await self.dealer.play_round(error)

    async def _deal_rounds(self) -> None:
        await self._pace.wait_until(self._has_devices)
        await self._pace.wait_without_limit(
            lambda: self._pace.state.life in RESTING
        )  # after a crash a ruling must come first
        self.players.come_back()
        await self.shoe.switch_on()
        errors = self.plan.errors()
        number = 0
        while self.plan.rounds is None or number < self.plan.rounds:
            number += 1
            await self.play(next(errors))
        await self._pace.pause(LINGER)

    def _has_devices(self) -> bool:
        """True once the table has found shoe and panel; it ignores keys that are down when it finds the panel."""
        return {"shoe", "panel"} <= self._found

    def _note(self, _table: Table, records: Sequence[Record]) -> None:
        self._found |= {record.what.device for record in records if isinstance(record.what, DeviceFound)}

    def _key(self, meaning: Key) -> None:
        self.panel.tap(self.config.panel.bindings[meaning])


def config_of(plan: Plan, journal: Path) -> Config:
    """Config of a demo's table, equal to one read from a file."""
    return Config(
        table=TableSection(name=TABLE, dealer=DEALER, confirm="dealer"),
        game={"name": plan.game},
        shoe=shoe_section(GAMES[plan.game], journal.with_name("shoe")),
        panel=PanelSection(model="xk24"),
        timers=TimersSection(betting=plan.betting_seconds, decision=plan.decision_seconds),
        journal=JournalSection(path=str(journal)),
    )
