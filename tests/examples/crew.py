"""Simulated people at a table: a dealer with a shoe, and a shift manager at the table's own socket.

Players connect over the network; this module does not know them.
"""

import random
import time
from collections.abc import Sequence
from itertools import count
from typing import Any

from drivers.emulators.bee_tek import EmulatedBeeTek
from tests.examples.table import ExampleTable
from tests.patience import eventually

DECKS = {"casino_holdem": 1, "blackjack": 8, "baccarat": 6}
RESTING = ("idle", "settled", "cancelled")


class Crew:
    """Dealer and shift manager of a table.

    `plan`: the error of each round, repeated from its beginning; the moment of an error is random, from `dice`.
    """

    def __init__(self, table: ExampleTable, dice: random.Random, plan: Sequence[str] = ()) -> None:
        self._table, self._dice, self._plan, self._ids = table, dice, plan, count()
        self._shoe = EmulatedBeeTek(table.shoe_port, decks=DECKS[table.game])
        self._shoe.plug()
        self._dealt: list[str] = []  # since the shoe was filled, as people saw the cards
        self._error: str | None = None  # error still to be made in this round
        self._misread: int | None = None  # index of a misread card, which the dealer notices later
        self._asked = False  # whether a player was asked for a decision since then
        self.rounds, self.went_wrong = 0, set[str]()

    def leave(self) -> None:
        self._shoe.unplug()

    def close(self) -> None:
        """Close the table for the day."""
        assert self.does(command="table", do="close", by="anna")

    def step(self, rounds: int) -> bool:
        """Do the next step that the table needs; return whether there was one. `rounds`: rounds to play."""
        state = self.look()
        self._asked |= state["life"] == "deciding"
        match state:
            case {"life": "paused"}:
                return self._rule(state)
            case {"life": "complete" | "dealing"} if self._calls_for_the_manager(state):
                return self.does(command="press", key="manager")
            case {"life": "complete"}:
                return self.does(command="press", key="finish")
            case {"life": "dealing", "due": {"to": str()}}:
                return self._deal(state)
            case {"life": life} if life in RESTING and self.rounds < rounds:
                return self.begin()
        return False

    def over(self, rounds: int) -> bool:
        """Return whether this number of rounds has ended."""
        return self.rounds == rounds and self.look()["life"] in RESTING

    @property
    def first(self) -> str:
        """Card that was dealt first."""
        return self._dealt[0]

    def look(self) -> Any:
        """Return the state of the table."""
        return self._table.ask("GET", "state")

    def begin(self) -> bool:
        """Change and shuffle the shoe, and open a round; return whether it was opened."""
        self.does(command="shoe", do="change")
        self._shoe.change_shoe(seed=self._dice.randrange(2**32))
        self.does(command="shoe", do="ready")
        self._dealt, self._misread = [], None
        self._error = self._plan[self.rounds % len(self._plan)] if self._plan else None
        self.does(command="shuffled")
        opened = self.does(command="open")
        self.rounds += opened
        if self._error == "early":
            self._draw_early()
        return opened

    def _draw_early(self) -> None:
        """Draw a card while bets are open."""
        time.sleep(self._dice.uniform(0, 0.02))
        state = self.look()
        if state["life"] == "betting":
            self.went_wrong.add("early")
            self._draw(state)

    def _deal(self, state: dict[str, Any]) -> bool:
        if self._goes_wrong("unread"):
            return self._draw(state, unreadable=True)
        if state["due"]["face_up"] and self._goes_wrong("misread"):
            self._misread, self._asked = len(self._dealt), False
            return self._draw(state, misread=True)
        return self._draw(state)

    def _draw(self, state: dict[str, Any], **how: bool) -> bool:
        """Draw a card and wait until the table has received it."""
        self._dealt.append(self._shoe.draw(**how) or "")
        eventually(lambda: self.look()["shoe"]["left"] < state["shoe"]["left"])
        return True

    def deals_unheard(self, state: dict[str, Any]) -> None:
        """Draw the card that was due, if any, while the table is down."""
        match state:
            case {"life": "dealing", "due": {"to": str()}}:
                self._dealt.append(self._shoe.draw() or "")

    def _calls_for_the_manager(self, state: dict[str, Any]) -> bool:
        """Return whether the dealer calls the manager now.

        For a misread card after a later decision or at the end of the round; for the error "cancel" at random.
        """
        if self._misread is not None:
            return state["life"] == "complete" or self._asked
        return self._goes_wrong("cancel")

    def _goes_wrong(self, what: str) -> bool:
        """Return whether to make this error now: at random, and once a round."""
        if self._error != what or self._dice.random() > 0.4:
            return False
        self._error = None
        self.went_wrong.add(what)
        return True

    # ── the shift manager ────────────────────────────────────────────────────────────────────────────────────────

    def _rule(self, state: dict[str, Any]) -> bool:
        fault = state["fault"]
        cards_out = 52 * DECKS[self._table.game] - state["shoe"]["left"]
        return self.rules(**self._ruling(fault, len(self._dealt) - cards_out)) or self.rules("cancel")

    def rules(self, ruling: str, **how: Any) -> bool:
        """Rule on the open fault; return whether the ruling was done."""
        fault = self.look()["fault"]["seq"]
        return self.does(command="rule", by="anna", fault=fault, because="seen on camera", ruling=ruling, **how)

    def _ruling(self, fault: dict[str, Any], unheard: int) -> dict[str, Any]:
        """Return the ruling that corrects a fault. `unheard`: cards drawn while the table was down."""
        match fault["code"]:
            case "unread_card":
                return {"ruling": "enter", "card": self._dealt[-1]}
            case "restarted" if unheard:
                return {"ruling": "enter", "card": self._dealt[-unheard]}
            case "dealer_call" | "duplicate_card" if self._misread is not None:
                draw, self._misread = self._misread, None
                return {"ruling": "correct", "draw": draw + 1, "card": self._dealt[draw]}
            case "dealer_call":
                return {"ruling": "cancel"}
            case "card_before_close":
                return {"ruling": "burn", "draw": fault["draw"]}
        return {"ruling": "resume"}

    def does(self, **command: Any) -> bool:
        """Send a command; return whether it was done."""
        (verdict,) = self._table.ask("POST", "commands", {"id": f"crew-{next(self._ids)}", **command})["verdicts"]
        return verdict["verdict"] == "done"
