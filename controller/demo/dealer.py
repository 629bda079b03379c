"""The emulated dealer: deals what the table says, presses its keys, and makes the errors of the plan.

The dealer acts only on the shoe and the panel, one step after the other; the table must follow each.
"""

import random
from collections.abc import Callable

from ..core import events as e
from ..core.life import RESTING
from ..rules.cards import Deck
from ..rules.dealing import CardTo, Dealing
from ..rules.game import Game
from ..rules.procedure import Deal, Participants, Settings
from .pace import Pace
from .players import Players
from .shoes import Shoe

DEALER = "dealer"


class Dealer:
    """`key`: press one of the panel's. `last_card` is the card laid last, as a person sees it."""

    def __init__(
        self,
        shoe: Shoe,
        players: Players,
        pace: Pace,
        key: Callable[[e.Key], None],
        dice: random.Random,
        *,
        hides: bool,
    ) -> None:
        self.last_card = ""
        self._shoe, self._players, self._pace, self._key, self._dice = shoe, players, pace, key, dice
        self._hides = hides
        self._error: str | None = None  # that is still to be made in this round
        self._wrong = 0  # the draw it is made with
        self._wrong_face_down = False

    async def play_round(self, error: str | None) -> None:
        """One round, to its end."""
        self._error, self._wrong = error, self._dice.randint(1, 4)
        self._wrong_face_down = self._hides and self._dice.random() < 0.5
        await self._pace.pause(1.2)
        await self._shoe.make_ready()
        self._key("open")
        await self._pace.until(lambda state: state.life == "betting")
        while self._pace.state.life not in RESTING:
            await self._step()
        self._players.come_back()
        self._shoe.round_over()

    async def _step(self) -> None:
        """What the table waits for."""
        match self._pace.state.life:
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
        if self._makes("early"):
            self._shoe.device.draw()
            await self._pace.until(lambda state: state.life == "paused")
        else:
            self._key("close")
            await self._pace.until(lambda state: state.life != "betting")
            self._players.closed()

    async def _deal(self) -> None:
        await self._pace.pause(0.9)
        dealt = len(self._pace.state.round.draws)
        unreadable, misread = self._goes_wrong("unread", dealt + 1), self._goes_wrong("misread", dealt + 1)
        self.last_card = self._shoe.device.draw(unreadable=unreadable, misread=misread) or ""
        await self._pace.until(lambda state: len(state.round.draws) > dealt)
        if unreadable:
            await self._pace.until(lambda state: state.fault is not None)
            await self._pace.pause(1.5)
            if self._pace.state.fault is not None:  # the shift manager has not seen to it in another way
                self._shoe.device.redraw()
        elif misread and self._pace.state.life != "paused":  # it is, if the card it was read as has been dealt already
            self._key("manager")
            await self._pace.until(lambda state: state.life == "paused")

    async def _end(self) -> None:
        await self._pace.pause(0.6)
        if self._makes("overdraw"):
            self._shoe.device.draw()
            await self._pace.until(lambda state: state.life == "paused")
        else:
            self._key("finish")
            await self._pace.until(lambda state: state.life != "complete")

    async def _ruled_on(self) -> None:
        """Wait for the shift manager, who has a limit of their own unless it is a person."""
        await self._pace.whenever(lambda state: state.life != "paused")

    def _goes_wrong(self, error: str, number: int) -> bool:
        """Whether this draw is the one. Nobody at the table can see that a face-down card was misread."""
        due = self._pace.due
        face_down = isinstance(due, Deal) and not due.face_up
        if error == "unread" and self._wrong_face_down:
            return face_down and self._makes(error)
        return number >= self._wrong and (error == "unread" or not face_down) and self._makes(error)

    def _makes(self, error: str) -> bool:
        """Whether this error is due; it is made once."""
        due = self._error == error
        if due:
            self._error = None
        return due


def hides_cards(game: Game, settings: Settings, deck: Deck) -> bool:
    """Whether any of the cards that come before the first decision lies face down."""
    dealing = Dealing(game.procedure(settings, Participants(("p1",), game.seats[:1])))
    for card in deck.cards:
        if not isinstance(dealing.due, Deal):
            return False
        if not dealing.due.face_up:
            return True
        dealing.answer(CardTo(card, dealing.due.to))
    return False
