"""Emulated dealer for a table in another process: opens rounds, deals, presses FINISH.

The cards come from an emulated shoe.

It reads the state for the dealer's screen and presses the keys over the table's API. It takes no decisions: a fault
waits for the shift manager, a question for the players. A refused command is reported and tried again.
"""

import asyncio
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from drivers.emulators.shoes import EmulatedShoe, RoundKeeping

from ...core import events as e
from ...core.codes import START
from ...core.life import RESTING
from ...games import GAMES
from ...rules.cards import Deck
from .api_pace import ApiPace, NoTable
from .dealer import DemoDealer, hides_cards
from .pace import DemoPace, StuckDemo
from .plan import ERRORS

AGAIN = 2.0  # seconds before a refused command is tried again
FEW = 20  # cards left in the device below which the shoe is changed; the table may have missed some that left it
BETTING = 8.0  # seconds for which betting is left open
SHUFFLE, CHANGE, FILL = "not_shuffled", ("shoe_low", "cut_card_out", "deck_suspect"), "shoe_missing"
RECEIPT = "emulated"  # receipt of a machine that has counted the cards


class DealtCards(NamedTuple):
    """Cards for the emulated shoe. `given`: the shoe has a fixed list of cards and is never refilled."""

    deck: Deck
    given: bool
    dice: random.Random


class Hands:
    """The dealer's actions: handle the emulated shoe `device`, and press keys over the API (`pace`)."""

    def __init__(self, device: EmulatedShoe, pace: ApiPace, cards: DealtCards) -> None:
        self.device = device
        self._pace, self._cards = pace, cards
        self.empty = False  # True: the given cards are all dealt

    async def begin(self) -> None:
        """Wait until the table has its shoe; change the shoe if the card counts differ."""
        await self._pace.wait_without_limit(lambda: "shoe" not in (self._pace.state["lost"] or ()))
        if isinstance(self.device, RoundKeeping):
            self.device.start()
            self.device.stand_by()
        counts = not (self._cards.given or self._cards.deck.every_round)
        if counts and self._pace.state["shoe"]["left"] != self.device.cards_left:
            await self.change()

    async def press(self, key: e.Key) -> None:
        """Send a key of the dealer's panel to the table; open and close are commands of their own."""
        if key in ("open", "close"):
            await self._pace.act(key)
        else:
            await self._pace.act("press", key=key)

    async def open_round(self) -> None:
        """Open a round, after what it requires.

        Returns once a round is open, or the given cards are all dealt.
        """
        while not self.empty:
            await self._pace.wait_without_limit(lambda: self._pace.sight.life != "paused")
            if self._pace.sight.life not in RESTING:
                return
            if self.device.cards_left < FEW and not self._cards.given and not self._cards.deck.every_round:
                await self.change()
            reason = await self._pace.act("open", (SHUFFLE, *CHANGE))
            if reason is None:
                return
            await self._make_ready(reason)

    async def _make_ready(self, reason: str) -> None:
        """Remove the reason why a round could not open, or wait until the table has changed."""
        if reason == SHUFFLE:
            self._fill()
            await self._pace.act("shuffled")
        elif reason in CHANGE or (reason == FILL and self._pace.state["shoe"]["changing"]):
            await self.change()
        elif reason in START:  # the refusal stays the same until the table records something
            seq = self._pace.sight.seq
            await self._pace.wait_without_limit(lambda: self._pace.sight.seq != seq)
        else:
            await self._pace.pause(AGAIN)

    async def change(self) -> None:
        """Change the shoe: refill it, cut and count the cards, and report it ready with the count and a receipt."""
        await self._pace.act("shoe", do="change")
        self._fill()
        await self._pace.act("shoe", do="cut")
        await self._pace.pause(1.0)
        counted = self.device.cards_left
        await self._pace.act("shoe", do="ready", counted=counted, receipt=RECEIPT)

    def continue_after_ruling(self) -> None:
        """Cancel the shoe's own error state after a ruling, for shoes that count rounds."""
        if isinstance(self.device, RoundKeeping):
            self.device.cancel_error()

    def round_over(self) -> None:
        """End a round that the shoe still counts as live, and note whether the given cards are all dealt."""
        if isinstance(self.device, RoundKeeping) and self.device.in_round:
            self.device.stand_by()
        self.empty = self._cards.given and self.device.cards_left == 0

    def _fill(self) -> None:
        if self._cards.given:
            self.empty = True
            return
        self.device.change_shoe(seed=self._cards.dice.randrange(2**32))
        if isinstance(self.device, RoundKeeping):
            self.device.stand_by()


class RemotePlayers:
    """Stand-in for players in other processes, with the interface of `Players`: only waits for the time they have."""

    def __init__(self, pace: DemoPace) -> None:
        self._pace = pace

    async def bet(self) -> None:
        """Leave betting open for `BETTING` seconds."""
        await self._pace.pause(BETTING)

    def on_betting_closed(self) -> None:
        """Called when betting has closed; does nothing."""

    async def decide(self) -> None:
        """Wait until the players have decided, or the table has decided for them at the deadline."""
        await self._pace.wait_without_limit(lambda: self._pace.sight.life != "deciding")

    def come_back(self) -> None:
        """Called to reconnect absent players; does nothing."""


class DescribedDeck(NamedTuple):
    """Deck of a table, as its API describes the game."""

    deck: Deck
    hides: bool  # True: the game has face-down cards


async def deck_of(pace: ApiPace) -> DescribedDeck:
    """Ask the table for its game until it answers; return the deck.

    Raises DealerNotAccepted if the login is refused.
    """
    answer: dict[str, Any] = {}
    await pace.request_patiently("/api/game", answer.update)
    game = GAMES[answer["game"]]
    settings = msgspec.convert(answer["settings"], game.settings)
    deck = game.deck(settings)
    return DescribedDeck(deck, hides_cards(game, settings, deck))


def errors(rate: float, dice: random.Random) -> Iterator[str | None]:
    """Yield the error to make in each round; None: no error. `rate`: chance of each kind of error, 0 to 1."""
    while True:
        kinds = dice.sample(ERRORS, len(ERRORS))
        yield next((kind for kind in kinds if dice.random() < rate), None)


class Shift:
    """A dealer's shift: deals round after round with `hands`."""

    def __init__(self, hands: Hands, pace: ApiPace, dealer: DemoDealer) -> None:
        self._hands, self._pace, self._dealer = hands, pace, dealer

    async def work(self, mistakes: Iterator[str | None], rounds: int | None) -> None:
        """Deal `rounds` rounds (None: no limit), or until the given cards are dealt. Raises DealerNotAccepted."""
        both = [asyncio.create_task(self._pace.watch()), asyncio.create_task(self._deal(mistakes, rounds))]
        try:
            ended, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                task.result()
        finally:
            for task in both:
                task.cancel()
            await asyncio.wait(both)

    async def _deal(self, mistakes: Iterator[str | None], rounds: int | None) -> None:
        await self._pace.wait_without_limit(lambda: bool(self._pace.state))
        await self._begin()
        dealt = 0
        while not self._hands.empty and dealt != rounds:
            await self._deal_round(next(mistakes))
            dealt += 1
        if self._hands.empty:
            self._pace.tell("the cards that were given are dealt")

    async def _begin(self) -> None:
        """Wait until a round that was already live has ended: only the shift manager can cancel it."""
        if self._pace.sight.life not in RESTING:
            self._pace.tell("a round is on that was not begun here: the shift manager has to cancel it")
            await self._pace.wait_without_limit(lambda: self._pace.sight.life in RESTING)
        await self._hands.begin()

    async def _deal_round(self, mistake: str | None) -> None:
        """Deal one round to its end; continue it after an interruption."""
        begun = False
        while True:
            try:
                await (self._dealer.go_on() if begun else self._dealer.play_round(mistake))
            except (StuckDemo, NoTable) as stuck:
                self._pace.tell(str(stuck))
                await self._pace.pause(AGAIN)
                if begun := self._pace.sight.life not in RESTING:
                    continue
                self._hands.round_over()
            else:
                return
