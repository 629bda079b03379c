"""Shoe of a demo table and its cards: it stays for many rounds, or its deck is shuffled before each.

The table learns what the shoe does from its line; a change of the cards is reported by people.
"""

import random
from collections.abc import Callable
from pathlib import Path

from drivers.emulators.pty_port import PtyPort
from drivers.emulators.shoes import EMULATED, EmulatedShoe, RoundKeeping
from drivers.shoes.angel_eye import ANGEL_EYE

from ...config.devices import ShoeSection
from ...core import events as e
from ...rules.cards import Deck
from ...rules.game import Game
from ...table.loop import Table
from .manager import MANAGER
from .pace import TablePace

CUT_AT = 60  # cards left when the cut card comes out


def shoe_section(game: Game, port: Path) -> ShoeSection:
    """Shoe for a game: the Angel Eye if the game has the places it names, else a plain shoe."""
    if set(ANGEL_EYE.places) <= set(game.places):
        return ShoeSection(port=str(port), allow=("cancel_error",))
    return ShoeSection(model="bee_tek", port=str(port))


def emulated_shoe(section: ShoeSection, deck: Deck, seed: int | None) -> EmulatedShoe:
    """Make the emulated device with its cards in it."""
    port = PtyPort(Path(section.port or ""))
    return EMULATED[section.model](port, deck=deck.cards, decks=deck.copies, seed=seed)


class DemoShoe:
    """Shoe at the table, and the dealer's keys. `key`: called to press a key of the panel."""

    def __init__(
        self, device: EmulatedShoe, table: Table, pace: TablePace, key: Callable[[e.Key], None], dice: random.Random
    ) -> None:
        self.device = device
        self._table, self._pace, self._key, self._dice = table, pace, key, dice
        self._deck = table.house.deck

    def plug(self) -> None:
        """Connect the shoe to its line."""
        self.device.plug()
        if isinstance(self.device, RoundKeeping):
            self.device.watch()

    async def switch_on(self) -> None:
        """Switch the full shoe on; record a shoe change first if the record of an earlier demo says otherwise."""
        if self._pace.state.shoe.out or self._pace.state.shoe.size != self._deck.size:
            await self._change()
        if isinstance(self.device, RoundKeeping):
            self.device.start()
            self.device.stand_by()

    async def press(self, key: e.Key) -> None:
        """Press a key of the panel; the key that closes the bets is pressed twice, as their time is not over yet."""
        for _ in range(2 if key == "close" else 1):
            self._key(key)

    async def open_round(self) -> None:
        """Prepare the cards of the next round and open it; returns when betting is open."""
        await self._make_ready()
        self._key("open")
        await self._pace.wait_until(lambda: self._pace.state.life == "betting")

    async def _make_ready(self) -> None:
        if self._deck.every_round:
            await self._shuffle()
        elif self.device.cards_left < CUT_AT or self._pace.state.shoe.cut:
            await self._change()

    def continue_after_ruling(self) -> None:
        """Do nothing: the table itself may cancel an error of the shoe."""

    def round_over(self) -> None:
        """End the round in a shoe that counts rounds itself, if the shoe cannot follow after a ruling."""
        if isinstance(self.device, RoundKeeping) and self._pace.state.shoe.advisory:
            self.device.force_quit()

    async def _shuffle(self) -> None:
        self.device.change_shoe(seed=self._dice.randrange(2**32))
        self._key("shuffled")
        await self._pace.wait_until(lambda: self._pace.state.shoe.shuffled)

    async def _change(self) -> None:
        if isinstance(self.device, RoundKeeping):
            self.device.cut_card()
            await self._pace.wait_until(lambda: self._pace.state.shoe.cut)
        self._table.take(e.ChangeShoe(MANAGER))
        self._table.take(e.CutShoe(MANAGER))
        before = self._pace.state.seq
        self.device.change_shoe(seed=self._dice.randrange(2**32))
        if isinstance(self.device, RoundKeeping):
            self.device.stand_by()
            await self._pace.wait_until(lambda: self._pace.state.seq > before)
        await self._pace.pause(1.0)
        self._table.take(e.LoadShoe(MANAGER))
