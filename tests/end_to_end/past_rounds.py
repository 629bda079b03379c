"""Run a table with finished rounds, and settle them anew as two shift managers over its socket."""

import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from controller.cli.client import NoAnswer
from controller.config.paths import users_of
from controller.core.records import Record
from controller.web.access.users import UsersFile
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import Folder
from tests.end_to_end.test_kill_lists import KilledTable
from tests.needs import strace
from tests.patience import PATIENCE, eventually
from tests.pins import hashed_quickly

CARDS = ("9C", "2D", "KC", "3D")  # the player wins with 9 to 5
BETS = {"p1": "player", "p2": "banker", "p3": "tie"}
TIE, WON = ({"ruling": "correct", "draw": 2, "card": card} for card in ("6D", "2D"))  # banker has 9, a tie; 5 again
VOID = {"ruling": "cancel"}
PIN = "1379"


class PastRounds(KilledTable):
    """Table of a folder with two shift managers: anna at its socket, and bea with a PIN."""

    def __init__(self, folder: Folder, *, rounds: int = 1) -> None:
        super().__init__(folder)
        self.shoe = EmulatedAngelEye(PtyPort(folder.port), cards=CARDS * rounds)
        self.shoe.plug()
        with hashed_quickly(), UsersFile(users_of(folder.journal)).change() as change:
            change.set_pin("bea", PIN)

    def takes_over(self, other: "PastRounds") -> None:
        """Continue the table of another PC; its record has been copied to this PC."""
        self._starts, self._said = self.folder.count("device_found", device="shoe"), other._said

    def plays(self) -> int:
        """Play a round with three bets of 1.00 to its end; return its number. The table must be running."""
        self.does(command="open")
        number = int(self.asks("GET", "state")["round"])
        bets = [
            {"command": "bet", "id": f"{player}-{number}", "player": player, "market": market, "stake": 100}
            for player, market in BETS.items()
        ]
        assert {one["verdict"] for one in self.sends([{**one, "round": number} for one in bets])} == {"done"}
        self.deals()
        return number

    def deals(self) -> None:
        """Close the open round, deal its cards and confirm its result."""
        self.does(command="close")
        before = self.folder.count("dealt")
        for drawn in range(1, len(CARDS) + 1):
            self._draw(before + drawn)
        self.does(command="press", key="finish")

    def _draw(self, dealt: int) -> None:
        """Draw the next card, and wait until this many cards are recorded as dealt."""
        self.shoe.draw()
        eventually(lambda: self.folder.count("dealt") == dealt)

    def settles_anew(self, number: int, corrections: Sequence[object], key: str, revision: int) -> dict[str, Any]:
        """Settle a round anew as both shift managers; return the verdict.

        `key`: id of the command. `revision`: the round's last revision that they have seen.
        """
        ruling = {"command": "resettle", "id": key, "by": "anna", "round": number, "because": "misread"}
        ruling |= {"amendments": corrections, "revision": revision}
        two = {"ruling": ruling, "second": {"name": "bea", "pin": PIN}}
        (verdict,) = self.asks("POST", "rulings?role=manager", two)["verdicts"]
        return dict(verdict)

    def is_killed_over_settling_anew(self, call: str, nth: int, *about: Any) -> bool:
        """Settle a round anew, killing the table at a system call of it. Returns False if the table survived."""
        answered = list[dict[str, Any]]()

        def ask() -> None:
            with suppress(NoAnswer):
                answered.append(self.settles_anew(*about))

        with self.running() as program:
            with killing(program.process.pid, call, nth):
                asking = threading.Thread(target=ask)
                asking.start()
                asking.join(PATIENCE)
            return not answered and program.ends() != 0

    def settled_anew(self, number: int) -> list[Record]:
        """Return the records of a round's resettlements."""
        return [one for one in self.folder.records() if one.kind == "resettled" and one.round == number]


@contextmanager
def killing(process: int, call: str, nth: int) -> Iterator[None]:
    """Kill a process at the nth system call of this name that one of its threads makes from now on.

    strace is killed at the end: if it is only asked to end while its process dies, it may hang.
    """
    command = strace("-f", "-o", os.devnull, "-p", process, "-e", f"trace={call}")
    command += ["-e", f"inject={call}:signal=KILL:when={nth}"]
    with subprocess.Popen([str(word) for word in command], stderr=subprocess.PIPE, text=True) as tracer:
        assert tracer.stderr is not None
        assert "attached" in tracer.stderr.readline()
        try:
            yield
        finally:
            tracer.kill()
