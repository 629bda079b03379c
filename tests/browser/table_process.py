"""Running table for browser tests: `tablectl run` as a process, with an emulated shoe on a real pty.

Tests act as game server and dealer over the table's socket. Browsers reach the pages over the network alone.
"""

import json
from collections.abc import Iterable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.cli.client import ask
from controller.core.records import Record
from controller.web.access.kiosk import offer
from controller.web.access.users import UsersFile
from drivers.emulators.bee_tek import EmulatedBeeTek
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import Folder, RunningProgram, start_table
from tests.patience import eventually

DEALT = ("9C", "2D", "KD", "3H")  # baccarat: Player 9, Banker 5: nobody draws
OVERDRAWN = (*DEALT, "5S")  # one too many
HANDS = ("TC", "8C", "9C", "2D", "5H", "6H", "6S", "TH")  # seat1 18, seat2 and seat3 11; the dealer shows a six
ON_A_SIX = (*HANDS, "TD", "3D")  # then a card on seat2's double and one on seat3's hit
NAMES = {"bet": "round", "unbet": "round", "decide": "question"}  # field of the table's state that each must name
PINS = {"anna": "2580", "bea": "1379", "d1": "7531"}  # d1 deals, and is a shift manager on other days


@cache
def managers() -> bytes:
    """Return the content of a users file with the PINs; hashed once, since that is slow."""
    with TemporaryDirectory() as folder:
        file = UsersFile(Path(folder) / "users")
        with file.change() as change:
            for name, pin in PINS.items():
                change.set_pin(name, pin)
        return file.path.read_bytes()


class TableProcess:
    """Table that runs until the context manager's end. `cards`: the cards in the shoe, first card first."""

    def __init__(
        self,
        folder: Path,
        game: str = "baccarat",
        cards: Iterable[str] = (),
        table: str = "",
        web: str = "",
        timers: str = "",
    ) -> None:
        self.files = Folder(folder)
        self.shoe = EmulatedBeeTek(PtyPort(self.files.port), cards=cards or None)
        self._number = 0
        self.files.config.write_text(
            f"""
[table]
name = "t1"
dealer = "d1"
{table}
[game]
name = "{game}"
[shoe]
model = "bee_tek"
port = "{self.files.port}"
[timers]
betting = 3600
decision = 3600
stall = 3600
{timers}
[journal]
path = "{self.files.journal}"
[api]
socket = "{self.files.socket}"
[web]
listen = "127.0.0.1:0"
{web}
""",
            encoding="utf-8",
        )
        self._users = UsersFile(self.files.journal.with_suffix(".users"))
        self._users.path.touch(0o600)
        self._users.path.write_bytes(managers())

    def __enter__(self):
        self.shoe.plug()
        self._start(1)
        return self

    def restart(self) -> None:
        """Kill the program and start it again; its pages may get another address."""
        self.program.__exit__()
        self._start(self._starts + 1)

    def _start(self, number: int) -> None:
        self._starts = number
        self.program: RunningProgram = start_table(self.files.config).__enter__()
        with ExitStack() as started:
            started.push(self.program)  # the program holds the shoe until it ends
            self.url = eventually(self._url)
            eventually(lambda: self.files.count("device_found", device="shoe") >= number)
            started.pop_all()

    def __exit__(self, *_: object) -> None:
        self.program.__exit__()
        self.shoe.unplug()
        assert "crashed" not in self.program.events()
        assert "request_failed" not in self.program.events()

    def _url(self) -> str | None:
        lines = [json.loads(line) for line in self.program.errors().splitlines() if line.startswith("{")]
        started = [line["web"] for line in lines if line["event"] == "started"]
        return started[-1] if len(started) == self._starts else None

    def path(self, page: str) -> str:
        """Return a page's path; the dealer's is a kiosk offer, which makes a browser the dealer's screen."""
        return f"/kiosk/{offer(self._users)}" if page == "dealer" else f"/{page}"

    def page(self, page: str) -> str:
        """Address of a page, with its host."""
        return f"{self.url}{self.path(page)}"

    def draw(self, *cards: str) -> None:
        """Draw one card for each of these, and check that the shoe gives them in this order."""
        for card in cards:
            assert self.shoe.draw() == card

    def say(self, command: str, role: str = "server", **fields: Any) -> dict[str, Any]:
        """Send a command over the socket, as the game server or in another role; return the verdict, `done`."""
        self._number += 1
        if command in NAMES:
            fields[NAMES[command]] = ask(self.files.socket, "GET", "/api/state").body[NAMES[command]]
        body = {"command": command, "id": f"h{self._number}", **fields}
        reply = ask(self.files.socket, "POST", f"/api/commands?role={role}", body)
        assert reply.status == 200, reply
        (verdict,) = reply.body["verdicts"]
        assert verdict["verdict"] == "done", verdict
        return verdict

    def decides_on_a_six(self) -> None:
        """Play blackjack with three seats; the dealer calls the shift manager while the last may still decide."""
        self.say("shuffled", role="dealer")
        self.say("open")
        for number in (1, 2, 3):
            self.say("bet", player=f"p{number}", market=f"seat{number} main", stake=1000)
        self.say("close")
        self.draw(*HANDS)
        self.comes("asked")
        self.say("decide", who="seat1", decision="stand")
        self.say("decide", who="seat2", decision="double")
        self.draw("TD")
        self.comes("asked", 3)
        self.say("decide", who="seat3", decision="hit")
        self.draw("3D")
        self.comes("asked", 4)
        self.say("press", role="dealer", key="manager")

    def records(self, kind: str) -> list[Record]:
        return [record for record in self.files.records() if record.kind == kind]

    def comes(self, kind: str, count: int = 1) -> Record:
        """Wait until this many records of a kind are recorded; return the last of them."""
        return eventually(lambda: self.records(kind)[count - 1 : count])[0]

    @property
    def life(self) -> str:
        return ask(self.files.socket, "GET", "/api/state?role=manager").body["life"]
