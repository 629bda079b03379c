"""A running table for people with browsers: `tablectl run` in a process of its own, an emulated shoe on a real serial
port, a game server on its socket.

The pages are reached over the network door alone, as a browser reaches them.
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
from tests.end_to_end.rig import Folder, Running, run
from tests.patience import eventually

DEALT = ("9C", "2D", "KD", "3H")  # baccarat: Player 9, Banker 5: nobody draws
OVERDRAWN = (*DEALT, "5S")  # one too many
HANDS = ("TC", "8C", "9C", "2D", "5H", "6H", "6S", "TH")  # seat1 18, seat2 and seat3 11; the dealer shows a six
ON_A_SIX = (*HANDS, "TD", "3D")  # and on the double of seat2, on the hit of seat3
NAMES = {"bet": "round", "unbet": "round", "decide": "question"}  # what each has to name of where the table stands
PINS = {"anna": "2580", "bea": "1379", "d1": "7531"}  # d1 deals, and is a shift manager on other days


@cache
def managers() -> bytes:
    """A file with their PINs: a hash of each takes its time, and one is as good as another."""
    with TemporaryDirectory() as folder:
        file = UsersFile(Path(folder) / "users")
        with file.changing() as change:
            for name, pin in PINS.items():
                change.set_pin(name, pin)
        return file.path.read_bytes()


class Hall:
    """One table. A context manager: it runs until the end. `cards`: what is in the shoe, first card first."""

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
        """Kill the program and start it again; it may be found under another address."""
        self.program.__exit__()
        self._start(self._starts + 1)

    def _start(self, number: int) -> None:
        self._starts = number
        self.program: Running = run(self.files.config).__enter__()
        with ExitStack() as started:
            started.push(self.program)  # which holds the shoe until it is ended
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
        """Where a browser finds a page; that of the dealer, as one that becomes the dealer's screen."""
        return f"/kiosk/{offer(self._users)}" if page == "dealer" else f"/{page}"

    def page(self, page: str) -> str:
        """Address of a page, with its host."""
        return f"{self.url}{self.path(page)}"

    def draw(self, *cards: str) -> None:
        """The dealer draws so many: those that are said must be the ones that come."""
        for card in cards:
            assert self.shoe.draw() == card

    def say(self, command: str, role: str = "server", **fields: Any) -> dict[str, Any]:
        """What the game server, or somebody at the socket, says; the verdict."""
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
        """Three seats of blackjack decide, the last still may, when the dealer calls the shift manager."""
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
        """Wait until so many records of a kind are there; the last of them."""
        return eventually(lambda: self.records(kind)[count - 1 : count])[0]

    @property
    def life(self) -> str:
        return ask(self.files.socket, "GET", "/api/state?role=manager").body["life"]
