"""Who works at a table: a dealer with a shoe, a shift manager at the table's own socket. Who plays comes over the
network; nobody here knows of them.
"""

import random
import time
from collections.abc import Sequence
from itertools import count
from typing import Any

from drivers.emulators.bee_tek import EmulatedBeeTek
from tests.examples.table import Table
from tests.patience import eventually

DECKS = {"casino_holdem": 1, "blackjack": 8, "baccarat": 6}
RESTING = ("idle", "settled", "cancelled")


class Crew:
    """The dealer and the shift manager. `plan`: what goes wrong, round by round and then from the beginning again; at
    which moment is chance, with a seed."""

    def __init__(self, table: Table, dice: random.Random, plan: Sequence[str] = ()) -> None:
        self._table, self._dice, self._plan, self._ids = table, dice, plan, count()
        self._shoe = EmulatedBeeTek(table.shoe_port, decks=DECKS[table.game])
        self._shoe.plug()
        self._dealt: list[str] = []  # since the shoe was filled, as people see them
        self._error: str | None = None  # that is still to come in this round
        self._misread: int | None = None  # a draw that was another card, as the dealer will notice
        self._asked = False  # whether anybody was asked since
        self.rounds, self.went_wrong = 0, set[str]()

    def leave(self) -> None:
        self._shoe.unplug()

    def close(self) -> None:
        """The table, for today."""
        assert self.does(command="table", do="close", by="anna")

    def step(self, rounds: int) -> bool:
        """Look at the table, do what it wants. Whether anything was done; `rounds`: how many there shall be."""
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
        """Whether so many rounds have come to an end."""
        return self.rounds == rounds and self.look()["life"] in RESTING

    @property
    def first(self) -> str:
        """The card that was dealt first."""
        return self._dealt[0]

    def look(self) -> Any:
        """Where the table stands."""
        return self._table.ask("GET", "state")

    def begin(self) -> bool:
        """Shuffle, or change the shoe, and open a round."""
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
        """A card, while people bet."""
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
        """A card leaves the shoe, and the table hears it."""
        self._dealt.append(self._shoe.draw(**how) or "")
        eventually(lambda: self.look()["shoe"]["left"] < state["shoe"]["left"])
        return True

    def deals_unheard(self, state: dict[str, Any]) -> None:
        """The card that was due, where one was: the table is down."""
        match state:
            case {"life": "dealing", "due": {"to": str()}}:
                self._dealt.append(self._shoe.draw() or "")

    def _calls_for_the_manager(self, state: dict[str, Any]) -> bool:
        """For a mistake, which is noticed late: after a decision that was made on it, or at the very end."""
        if self._misread is not None:
            return state["life"] == "complete" or self._asked
        return self._goes_wrong("cancel")

    def _goes_wrong(self, what: str) -> bool:
        """Whether this error is made now; it is made once."""
        if self._error != what or self._dice.random() > 0.4:
            return False
        self._error = None
        self.went_wrong.add(what)
        return True

    # ── the shift manager ────────────────────────────────────────────────────────────────────────────────────────

    def _rule(self, state: dict[str, Any]) -> bool:
        fault = state["fault"]
        heard = 52 * DECKS[self._table.game] - state["shoe"]["left"]
        return self.rules(**self._ruling(fault, len(self._dealt) - heard)) or self.rules("cancel")

    def rules(self, ruling: str, **how: Any) -> bool:
        """On the fault that is open. Whether it was done."""
        fault = self.look()["fault"]["seq"]
        return self.does(command="rule", by="anna", fault=fault, because="seen on camera", ruling=ruling, **how)

    def _ruling(self, fault: dict[str, Any], unheard: int) -> dict[str, Any]:
        """What puts it right. `unheard`: cards that left the shoe while nobody heard it."""
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
        """Whether it was done."""
        (verdict,) = self._table.ask("POST", "commands", {"id": f"crew-{next(self._ids)}", **command})["verdicts"]
        return verdict["verdict"] == "done"
