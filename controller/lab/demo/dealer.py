"""Emulated dealer: deals the cards the table asks for, presses its keys, makes the plan's errors.

The dealer acts only through the shoe and keys, one step after the other, and the table must follow each. The table may
be in this program or a remote one; the dealer works the same way.
"""

import random
from typing import Protocol

from drivers.emulators.shoes import EmulatedShoe

from ...core import events as e
from ...core.life import RESTING
from ...rules.cards import Deck
from ...rules.dealing import CardTo, Dealing
from ...rules.game import Game
from ...rules.procedure import Deal, Participants, Reveal, Settings
from .pace import DemoPace

DEALER = "dealer"


class DealerGear(Protocol):
    """Equipment of a dealer: the shoe and the keys."""

    @property
    def device(self) -> EmulatedShoe:
        """Emulated shoe of this table."""

    async def press(self, key: e.Key) -> None:
        """Press a key of the panel."""

    async def open_round(self) -> None:
        """Prepare the cards and open the betting; returns when it is open."""

    def continue_after_ruling(self) -> None:
        """Called after a ruling: let the shoe continue."""

    def round_over(self) -> None:
        """Prepare the shoe for another round."""


class AwaitedPlayers(Protocol):
    """Players, as far as the dealer waits for them."""

    async def bet(self) -> None:
        """Place the bets of one betting window."""

    def on_betting_closed(self) -> None:
        """Called when the dealer has closed the betting."""

    async def decide(self) -> None:
        """Answer one decision window."""

    def come_back(self) -> None:
        """Called when the round is over."""


class DemoDealer:
    """Dealer of a demo, who does each step that the table expects.

    `last_card`: true value of the card that was laid last. `hides`: the game has face-down cards.
    """

    def __init__(
        self, gear: DealerGear, players: AwaitedPlayers, pace: DemoPace, dice: random.Random, *, hides: bool
    ) -> None:
        self.last_card = ""
        self._gear, self._players, self._pace, self._dice = gear, players, pace, dice
        self._hides = hides
        self._error: str | None = None  # error that is still to be made in this round
        self._wrong = 0  # number of the draw from which on the error is made
        self._wrong_face_down = False

    async def play_round(self, error: str | None) -> None:
        """Deal one round to its end, with this error if one is given."""
        self._error, self._wrong = error, self._dice.randint(1, 4)
        self._wrong_face_down = self._hides and self._dice.random() < 0.5
        await self._pace.pause(1.2)
        await self._gear.open_round()
        await self.go_on()

    async def go_on(self) -> None:
        """Deal the rest of a live round."""
        while self._pace.sight.life not in RESTING:
            await self._step()
        self._players.come_back()
        self._gear.round_over()

    async def _step(self) -> None:
        """Do the step that the table waits for."""
        match self._pace.sight.life:
            case "betting":
                await self._take_bets()
            case "dealing":
                await self._deal()
            case "deciding":
                await self._players.decide()
            case "complete":
                await self._end()
            case _:
                await self._ruled_on()

    async def _take_bets(self) -> None:
        await self._players.bet()
        await self._pace.pause(1.0)
        if self._pace.sight.life != "betting":  # the table has closed the betting at the deadline
            return
        if self._makes("early"):
            await self._draw_wrongly()
        else:
            await self._gear.press("close")
            await self._wait_while("betting")
            self._players.on_betting_closed()

    async def _deal(self) -> None:
        await self._pace.pause(0.9)
        before = self._pace.sight
        if isinstance(before.due, Reveal):  # the table waits for the dealer to turn the cards over
            await self._gear.press("finish")
            await self._pace.wait_until(lambda: self._pace.sight != before)
            return
        if before.life != "dealing":
            return
        unreadable, misread = self._goes_wrong("unread", before.laid + 1), self._goes_wrong("misread", before.laid + 1)
        self.last_card = self._gear.device.draw(unreadable=unreadable, misread=misread) or ""
        await self._pace.wait_until(lambda: self._pace.sight.laid > before.laid or self._pace.sight.life == "paused")
        if unreadable:
            await self._slide_again(before.seq)
        elif misread and self._pace.sight.life != "paused":  # already paused if the wrong value made a duplicate
            called = self._pace.sight.seq
            await self._gear.press("manager")
            await self._wait_for_pause(called)

    async def _slide_again(self, before: int) -> None:
        await self._pace.wait_until(lambda: self._pace.sight.faulted or self._pace.sight.seq > before + 1)
        await self._pace.pause(1.5)
        if self._pace.sight.faulted:  # the shift manager has not ruled otherwise meanwhile
            self._gear.device.redraw()

    async def _end(self) -> None:
        await self._pace.pause(0.6)
        if self._makes("overdraw"):
            await self._draw_wrongly()
        else:
            await self._gear.press("finish")
            await self._wait_while("complete")

    async def _ruled_on(self) -> None:
        """Wait for a ruling without limit: a person may take long, and a scripted shift manager has a limit."""
        await self._pace.wait_without_limit(lambda: self._pace.sight.life != "paused")
        self._gear.continue_after_ruling()

    async def _draw_wrongly(self) -> None:
        before = self._pace.sight.seq
        self._gear.device.draw()
        await self._wait_for_pause(before)

    async def _wait_for_pause(self, before: int) -> None:
        """Wait until the table has paused; a quick shift manager may have ruled already."""
        await self._pace.wait_until(lambda: self._pace.sight.seq > before)

    async def _wait_while(self, life: str) -> None:
        await self._pace.wait_until(lambda: self._pace.sight.life != life)

    def _goes_wrong(self, error: str, number: int) -> bool:
        """True if the error is due at this draw.

        A face-down card is never misread, as nobody at the table could see it.
        """
        due = self._pace.sight.due
        face_down = isinstance(due, Deal) and not due.face_up
        if error == "unread" and self._wrong_face_down:
            return face_down and self._makes(error)
        return number >= self._wrong and (error == "unread" or not face_down) and self._makes(error)

    def _makes(self, error: str) -> bool:
        """True if this error is due; each error is made once."""
        due = self._error == error
        if due:
            self._error = None
        return due


def hides_cards(game: Game, settings: Settings, deck: Deck) -> bool:
    """True if any of the cards before the first decision lies face down."""
    dealing = Dealing(game.procedure(settings, Participants(("p1",), game.seats[:1])))
    for card in deck.cards:
        if not isinstance(dealing.due, Deal):
            return False
        if not dealing.due.face_up:
            return True
        dealing.answer(CardTo(card, dealing.due.to))
    return False
