"""A whole table on emulated devices: a real pty under real pyserial, a panel behind a real pyusb backend.

The dealer deals what the screen says, makes the errors of the plan, and a scripted shift manager rules on them. The
one rule: they act only through the devices and through rulings, as people would; nobody reaches into the table.
"""

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24

from .config import Config, JournalSection, PanelSection, ShoeSection, TableSection, TimersSection
from .core import events as e
from .core.life import RESTING
from .core.records import Record
from .core.state import State
from .journal import Journal
from .procedure import Deal
from .station import Station
from .table import Table

PATIENCE = 20.0  # seconds after which a step of the demo that nothing answers is a bug
CUT_AT = 60  # cards left when the cut card comes out
MANAGER, DEALER = "manager", "dealer"

Errors = tuple[str, ...]
ERRORS: Errors = ("unread", "early", "misread", "overdraw")


class Plan(Struct, frozen=True):
    """What the demo is to show."""

    rounds: int | None = None  # endless, when null
    speed: float = 1.0
    seed: int | None = None
    faults: bool = False

    def errors(self) -> Iterator[str | None]:
        """The dealer's error in each round. With faults the first rounds hold a card unread and one too early."""
        dice = random.Random(self.seed)  # noqa: S311 - a show, no game
        first: list[str | None] = ["unread", "early", *[None] * max(0, min(5, self.rounds or 5) - 2)]
        dice.shuffle(first)
        while self.faults:
            yield from first
            first = [dice.choice((None, None, *ERRORS))]
        while True:
            yield None


class StuckDemo(Exception):
    """The table did not answer what the dealer did."""


class Demo:
    """The devices, the table and the people around it. `folder` takes the port's path and the journal."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self._dice = random.Random(plan.seed)  # noqa: S311 - a show, no game
        self.shoe = EmulatedAngelEye(PtyPort(folder / "shoe"), decks=6, seed=plan.seed)
        self.bus = EmulatedUsbBus()
        self.panel = EmulatedXK24(self.bus)
        self.config = Config(
            table=TableSection(name="demo", dealer=DEALER, confirm="dealer"),
            game={"name": "baccarat"},
            shoe=ShoeSection(port=str(folder / "shoe"), allow=("cancel_error",)),
            panel=PanelSection(model="xk24"),
            timers=TimersSection(betting=3600),  # the dealer closes, at any speed
            journal=JournalSection(path=str(folder / "demo.journal")),
        )
        self.journal = Journal(folder / "demo.journal")
        self._left_off = self.journal.head.seq + 1  # the fault that a restart raises is the next record
        self.station = Station(self.config, self.config.house("dealer"), self.journal, self.bus)
        self.table = self.station.table
        self._changed = asyncio.Event()
        self.table.tell(self._wake)

    def _wake(self, _table: Table, _records: Sequence[Record]) -> None:
        self._changed.set()

    async def run(self) -> None:
        """Deal the rounds of the plan. Raises StuckDemo if the table does not follow."""
        self.shoe.plug()
        self.shoe.watch()
        self.panel.plug()
        self.station.start()
        manager = asyncio.create_task(self._manage())
        try:
            await self._until(self._equipped)
            await self._until(lambda state: state.life in RESTING)  # a round that a crash left behind is ruled on first
            self.shoe.start()
            self.shoe.stand_by()
            await self._deal_rounds(manager)
        finally:
            manager.cancel()
            await self.station.stop()
            self.panel.unplug()
            self.shoe.unplug()

    async def _deal_rounds(self, manager: "asyncio.Task[None]") -> None:
        errors = self.plan.errors()
        number = 0
        while self.plan.rounds is None or number < self.plan.rounds:
            number += 1
            await self._round(next(errors))
            if manager.done():
                manager.result()

    def _equipped(self, _: State) -> bool:
        return self.station.shoe is not None and self.station.shoe.present and self.bus.port(self.panel).claimed

    # ── the dealer ───────────────────────────────────────────────────────────────────────────────────────────────

    async def _round(self, error: str | None) -> None:
        await self._pause(1.2)
        if self.shoe.cards_left < CUT_AT or self.table.state.shoe.cut:
            await self._change_shoe()
        self._key("open")
        await self._until(lambda state: state.life == "betting")
        await self._pause(2.0)
        if error == "early":
            self.shoe.draw()
            await self._until(lambda state: state.life == "cancelled")
            self.shoe.force_quit()  # the shoe counts a round of its own: the dealer ends it there too
            return
        self._key("close")
        await self._until(lambda state: state.life == "dealing")
        await self._cards(error)
        await self._end(error)

    async def _cards(self, error: str | None) -> None:
        wrong = self._dice.randint(1, 4)
        while isinstance(self.table.due, Deal):
            await self._pause(0.9)
            before = len(self.table.state.round.draws)
            unreadable = error == "unread" and before + 1 == wrong
            self.shoe.draw(unreadable=unreadable)
            await self._until(lambda state, before=before: len(state.round.draws) > before)  # type: ignore[misc]
            if unreadable:
                await self._slide_again()
            elif error == "misread" and before + 1 == wrong:
                self._key("manager")
                await self._until(lambda state: state.life == "paused")
                await self._until(lambda state: state.life != "paused")

    async def _slide_again(self) -> None:
        await self._until(lambda state: state.fault is not None)
        await self._pause(1.5)
        self.shoe.redraw()
        await self._until(lambda state: state.life != "paused")

    async def _end(self, error: str | None) -> None:
        await self._pause(0.6)
        if error == "overdraw":
            self.shoe.draw()
            await self._until(lambda state: state.life == "paused")
            await self._until(lambda state: state.life != "paused")
            self.shoe.force_quit()  # the shoe took the card for the first of a round
        if self.table.state.life == "complete":
            self._key("finish")
        await self._until(lambda state: state.life == "settled")

    async def _change_shoe(self) -> None:
        self.shoe.cut_card()
        await self._until(lambda state: state.shoe.cut)
        self.table.take(e.ChangeShoe(MANAGER))
        before = self.table.state.seq
        self.shoe.change_shoe(seed=self._dice.randrange(2**32))
        self.shoe.stand_by()
        await self._until(lambda state: state.seq > before)
        await self._pause(1.0)
        self.table.take(e.ShoeReady(MANAGER))

    def _key(self, meaning: str) -> None:
        self.panel.tap(self.config.panel.bindings[meaning])

    # ── the shift manager ────────────────────────────────────────────────────────────────────────────────────────

    async def _manage(self) -> None:
        while True:
            await self._until(lambda state: state.fault is not None, patience=None)
            fault = self.table.state.fault
            assert fault is not None  # noqa: S101 - just awaited
            await self._pause(2.5)
            if fault.code == "unread_card" and fault.seq > self._left_off:
                await self._until(lambda state: any(draw.card for draw in state.loose))
            self.table.take(self._ruling(fault.code, fault.seq))
            await self._until(lambda state, seq=fault.seq: state.fault is None or state.fault.seq != seq)  # type: ignore[misc]

    def _ruling(self, code: str, fault: int) -> e.Rule:
        if fault <= self._left_off:
            rulings = self.table.state.fault.rulings if self.table.state.fault else ()
            ruling = next(name for name in ("cancel", "burn", "resume") if name in rulings)
            return e.Rule(ruling, MANAGER, "the table was restarted", fault=fault)
        if code == "unread_card":
            return e.Rule("rescan", MANAGER, "slid again, read", fault=fault)
        if code == "card_before_close":
            return e.Rule("cancel", MANAGER, "card dealt while bets were open", fault=fault)
        if code == "dealer_call":
            draw = self.table.state.round.draws[-1]
            return e.Rule(
                "correct", MANAGER, "the suit was misread", draw.number, _other_suit(draw.card or ""), fault=fault
            )
        if code == "extra_card":
            return e.Rule("burn", MANAGER, "one card too many", fault=fault)
        return e.Rule("resume", MANAGER, "nothing is wrong", fault=fault)

    # ── waiting ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.plan.speed)

    async def _until(self, holds: Callable[[State], bool], patience: float | None = PATIENCE) -> None:
        async with asyncio.timeout(patience):
            while not holds(self.table.state):
                self._changed.clear()
                await self._changed.wait()


def _other_suit(card: str) -> str:
    suits = "CDHS"
    return card[0] + suits[(suits.index(card[1]) + 1) % 4]
