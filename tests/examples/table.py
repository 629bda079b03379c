"""A table of `tablectl run` that is killed and started again, and whoever works at it: a dealer with a shoe on a real
pty, a shift manager at the table's own socket. Who plays comes over the network; nobody here knows of them.
"""

import random
import signal
from itertools import count
from pathlib import Path
from typing import Any

from controller.cli.client import ask
from controller.core.records import Record
from controller.journal import read
from controller.web.access.users import UsersFile
from drivers.emulators.bee_tek import EmulatedBeeTek
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import Running, eventually, run
from tests.services import free_port

DECKS = {"casino_holdem": 1, "blackjack": 8}
RESTING = ("idle", "settled", "cancelled")
LOOK = 0.005  # seconds between two looks at the table
CONFIG = """
[table]
name = "t1"
dealer = "d1"
[game]
name = "{game}"
[shoe]
model = "bee_tek"
port = "{port}"
[panel]
[timers]
betting = 3600
decision = 3600
stall = 3600
[journal]
path = "{journal}"
[api]
socket = "{socket}"
[web]
listen = "127.0.0.1:{web}"
"""


class Table:
    """One table, in a process of its own."""

    def __init__(self, path: Path, game: str) -> None:
        self.game, self.web = game, free_port()
        self.journal, self._socket, self._config = path / "t.journal", path / "t.sock", path / "t.toml"
        self.shoe_port = PtyPort(path / "shoe")
        files = {"port": path / "shoe", "journal": self.journal, "socket": self._socket}
        self._config.write_text(CONFIG.format(game=game, web=self.web, **files), encoding="utf-8")
        self._running: Running | None = None

    def token(self, program: str) -> str:
        """A token for a program, made anew."""
        with UsersFile(self.journal.with_suffix(".users")).changing() as change:
            return change.add_token(program)

    def start(self) -> None:
        """As a process; its shoe is heard when this is done."""
        self._config.with_suffix(".log").unlink(missing_ok=True)
        self._running = running = run(self._config)
        eventually(lambda: "device_found" in running.events() or not running.running)
        assert running.running, running.errors()

    def kill(self) -> None:
        """With -9."""
        assert self._running is not None
        self._running.__exit__()
        assert self._running.process.returncode == -signal.SIGKILL, self._running.errors()

    def ask(self, method: str, target: str, body: object = None) -> Any:
        """The shift manager, at the table's own socket. Raises NoAnswer."""
        reply = ask(self._socket, method, f"/api/{target}", body)
        assert reply.status == 200, reply
        return reply.body

    def records(self) -> list[Record]:
        return list(read(self.journal))


class Crew:
    """The dealer and the shift manager. What goes wrong is chance, with a seed: cards unread, misread, too early."""

    def __init__(self, table: Table, dice: random.Random, faults: float) -> None:
        self._table, self._dice, self._faults, self._ids = table, dice, faults, count()
        self._shoe = EmulatedBeeTek(table.shoe_port, decks=DECKS[table.game])
        self._shoe.plug()
        self._dealt: list[str] = []  # since the shoe was filled, as people see them
        self._misread: int | None = None  # a draw that the dealer has seen to be another card
        self.rounds, self.done = 0, dict.fromkeys(("unread", "misread", "early", "cancel", "restarted"), 0)

    def leave(self) -> None:
        self._shoe.unplug()

    def close(self) -> None:
        """The table, for today."""
        assert self.does(command="table", do="close", by="anna")

    def step(self, rounds: int) -> bool:
        """Look at the table, do what it wants. Whether anything was done; `rounds`: how many there shall be."""
        state = self.look()
        match state:
            case {"life": "paused"}:
                return self._rule(state)
            case {"life": "complete" | "dealing"} if self._sees_a_mistake(state):
                return self.does(command="press", key="manager")
            case {"life": "complete"}:
                return self.does(command="press", key="finish")
            case {"life": "dealing", "due": {"to": str()}}:
                return self._deal(state)
            case {"life": "betting"} if self._chance("early", 0.1):
                return self._draw(state)
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
        """Shuffle, and open a round."""
        self._shoe.change_shoe(seed=self._dice.randrange(2**32))
        self._dealt, self._misread = [], None
        self.does(command="shuffled")
        opened = self.does(command="open")
        self.rounds += opened
        return opened

    def _deal(self, state: dict[str, Any]) -> bool:
        if self._chance("unread", 0.5):
            return self._draw(state, unreadable=True)
        if self._misread is None and state["due"]["face_up"] and self._chance("misread", 1):
            self._misread = len(self._dealt)
            return self._draw(state, misread=True)
        return self._draw(state)

    def _draw(self, state: dict[str, Any], **how: bool) -> bool:
        """A card leaves the shoe, and the table hears it."""
        self._dealt.append(self._shoe.draw(**how) or "")
        eventually(lambda: self._left() < state["shoe"]["left"])
        return True

    def _left(self) -> int:
        left: int = self.look()["shoe"]["left"]
        return left

    def _sees_a_mistake(self, state: dict[str, Any]) -> bool:
        """The dealer notices late, or at the very end."""
        return self._misread is not None and (state["life"] == "complete" or self._dice.random() < 0.2)

    def _chance(self, what: str, share: float) -> bool:
        happens = self._dice.random() < self._faults * share
        self.done[what] += happens
        return happens

    # ── the shift manager ────────────────────────────────────────────────────────────────────────────────────────

    def _rule(self, state: dict[str, Any]) -> bool:
        fault = state["fault"]
        ruling = self._ruling(fault, len(self._dealt) - (52 * DECKS[self._table.game] - state["shoe"]["left"]))
        if "cancel" in fault["rulings"] and self._chance("cancel", 0.5):
            ruling = {"ruling": "cancel"}
        if not self.rules(**ruling):
            self.done["cancel"] += 1
            self.rules("cancel")
        return True

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
            case "extra_card" | "card_before_close" | "duplicate_card":
                return {"ruling": "burn", **({"draw": fault["draw"]} if fault["draw"] else {})}
        return {"ruling": "resume"}

    def does(self, **command: Any) -> bool:
        """Whether it was done."""
        (verdict,) = self._table.ask("POST", "commands", {"id": f"crew-{next(self._ids)}", **command})["verdicts"]
        return verdict["verdict"] == "done"
