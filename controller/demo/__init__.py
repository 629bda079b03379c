"""A whole table on emulated devices: a real pty under real pyserial, a panel behind a real pyusb backend.

The dealer deals what the screen says, makes the errors of the plan, and a scripted shift manager rules on them. The
one rule: they act only through the devices and through rulings, as people would; nobody reaches into the table.
"""

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
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
from .core.state import Fault, State
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
        self._on_table = ""  # the card laid last, as a person sees it
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
            if self.table.state.shoe.out:  # the emulated shoe is full again
                await self._change_shoe()
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
            await self._ruled_on()
        else:
            self._key("close")
            await self._until(lambda state: state.life == "dealing")
            await self._cards(error)
        if self.table.state.life == "complete":
            await self._end(error)
        await self._until(lambda state: state.life in RESTING)
        if self.table.state.shoe.advisory:
            self.shoe.force_quit()  # the shoe counts a round of its own: the dealer ends it there too

    async def _cards(self, error: str | None) -> None:
        wrong = self._dice.randint(1, 4)
        while self.table.state.life == "dealing" and isinstance(self.table.due, Deal):
            await self._pause(0.9)
            before = len(self.table.state.round.draws)
            unreadable, misread = (error == name and before + 1 == wrong for name in ("unread", "misread"))
            self._on_table = self.shoe.draw(unreadable=unreadable, misread=misread) or ""
            await self._until(partial(_more_draws_than, before))
            if unreadable:
                await self._slide_again()
            elif misread:
                self._key("manager")
            await self._ruled_on(called=misread)

    async def _slide_again(self) -> None:
        await self._until(lambda state: state.fault is not None)
        await self._pause(1.5)
        self.shoe.redraw()

    async def _ruled_on(self, *, called: bool = True) -> None:
        """Wait for the shift manager: `called`, for one who is on the way; else for one who is here."""
        if called:
            await self._until(lambda state: state.life == "paused")
        await self._until(lambda state: state.life != "paused")

    async def _end(self, error: str | None) -> None:
        await self._pause(0.6)
        if error == "overdraw":
            self.shoe.draw()
            await self._ruled_on()
        if self.table.state.life == "complete":
            self._key("finish")

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
            self.table.take(self._ruling(fault))
            if self.table.state.fault == fault:  # refused
                self.table.take(e.Rule("cancel", MANAGER, "cannot be put right here", fault=fault.seq))
            await self._until(partial(_past, fault.seq))

    def _ruling(self, fault: Fault) -> e.Rule:
        rulings = {
            "unread_card": ("rescan", "slid again, read"),
            "card_before_close": ("cancel", "card dealt while bets were open"),
            "extra_card": ("burn", "one card too many"),
            "dealer_call": ("correct", "the suit was misread"),
        }
        ruling, because = rulings.get(fault.code, ("cancel", "cannot be put right here"))
        if fault.seq <= self._left_off or ruling not in fault.rulings:
            ruling = next(name for name in ("cancel", "burn", "resume") if name in fault.rulings)
            because = "the table was restarted"
        if ruling != "correct":
            return e.Rule(ruling, MANAGER, because, fault=fault.seq)
        return e.Rule(ruling, MANAGER, because, len(self.table.state.round.draws), self._on_table, fault=fault.seq)

    # ── waiting ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.plan.speed)

    async def _until(self, holds: Callable[[State], bool], patience: float | None = PATIENCE) -> None:
        try:
            async with asyncio.timeout(patience):
                while not holds(self.table.state):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise StuckDemo(f"the table stays {self.table.state.life}, {self.table.due} due") from None


def _more_draws_than(number: int, state: State) -> bool:
    return len(state.round.draws) > number


def _past(fault: int, state: State) -> bool:
    """Whether that fault is no longer the open one."""
    return state.fault is None or state.fault.seq != fault
