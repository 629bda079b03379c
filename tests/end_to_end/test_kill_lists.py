"""A table killed amid a list of bets has accepted each bet once after the list is sent again."""

import random
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import pytest

from controller.cli.client import NoAnswer, ask
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.chance import SEED
from tests.end_to_end.rig import Folder, RunningProgram, start_table
from tests.patience import eventually

MANY = 500
MARKETS = ("player", "banker", "tie")


class KilledTable:
    """Table with its shoe, and a shift manager who lets the round continue after each start."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        folder.write_config(panel=None)
        self._starts = self._said = 0

    @contextmanager
    def running(self) -> Iterator[RunningProgram]:
        """Run the table; wait for its shoe, and rule that a paused round continues."""
        self._starts += 1
        with start_table(self.folder.config) as program:
            eventually(lambda: self.folder.count("device_found", device="shoe") == self._starts)
            if fault := self.asks("GET", "state")["fault"]:
                self.does(command="rule", fault=fault["seq"], ruling="resume", because="nothing was dealt")
            yield program

    def asks(self, method: str, what: str, body: object = None) -> Any:
        return ask(self.folder.socket, method, f"/api/v1/{what}", body).body

    def does(self, **command: Any) -> None:
        """Send a command as the shift manager."""
        self._said += 1
        (verdict,) = self.asks("POST", "commands", {"id": f"m{self._said}", "by": "anna", **command})["verdicts"]
        assert verdict["verdict"] == "done", verdict

    def cancels(self) -> None:
        """Cancel the current round: call the shift manager by the panel's key, and rule."""
        self.does(command="press", key="manager")
        self.does(command="rule", fault=self.asks("GET", "state")["fault"]["seq"], ruling="cancel", because="a test")

    def sends(self, bets: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Send bets as the game server; return their verdicts."""
        verdicts: list[dict[str, Any]] = self.asks("POST", "commands?role=server", bets)["verdicts"]
        return verdicts

    def is_killed_over(self, bets: list[dict[str, Any]], records: int) -> None:
        """Send bets, and kill the table once this many more records are on disk; the answer may be lost."""

        def send() -> None:
            with suppress(NoAnswer):
                self.sends(bets)

        sending = threading.Thread(target=send)
        with self.running() as program, closing(sqlite3.connect(f"file:{self.folder.journal}?mode=ro", uri=True)) as db:
            last = self._last(db)
            sending.start()
            eventually(lambda: self._last(db) >= last + records or not sending.is_alive())
            program.process.kill()
            program.ends()
        sending.join()

    def _last(self, db: sqlite3.Connection) -> int:
        (last,) = db.execute("SELECT max(seq) FROM records").fetchone()
        return int(last)


def bets_of(round_: int) -> list[dict[str, Any]]:
    about = [(f"b{round_}-{n}", f"p{n}", MARKETS[n % 3], 100 + n) for n in range(MANY)]
    names = ("id", "player", "market", "stake")
    return [{"command": "bet", "round": round_, **dict(zip(names, one, strict=True))} for one in about]


def is_done_once(hall: KilledTable, round_: int, kills: int, dice: random.Random) -> None:
    """Send a list of bets in a new round, killing the table this often; check that each bet counts once."""
    bets, staked = bets_of(round_), sum(100 + n for n in range(MANY))
    with hall.running():
        hall.does(command="open")
    for _ in range(kills):
        hall.is_killed_over(bets, dice.randint(1, MANY // kills))
    with hall.running():
        verdicts = hall.sends(bets)
        assert [one["verdict"] for one in verdicts] == ["done"] * MANY
        assert hall.sends(bets) == verdicts
        hall.cancels()
    records = [record for record in hall.folder.records() if record.round == round_]
    accepted = [record for record in records if record.kind == "bet_accepted"]
    assert Counter(one.input.origin.command for one in accepted) == Counter(bet["id"] for bet in bets)
    assert [kind for kind in {record.kind for record in records} if kind in ("bet_refused", "ignored")] == []
    assert sum(one.what.stake for one in accepted) == staked
    back = {record.what.bet: record.what.stake for record in records if record.kind == "refunded"}
    assert back == {one.what.bet: one.what.stake for one in accepted}
    (cancelled,) = [record.what for record in records if record.kind == "cancelled"]
    assert (cancelled.bets, cancelled.amount) == (MANY, staked)


@pytest.fixture
def hall(tmp_path) -> Iterator[KilledTable]:
    folder = Folder(tmp_path)
    shoe = EmulatedAngelEye(PtyPort(folder.port), decks=8, seed=1)
    shoe.plug()
    yield KilledTable(folder)
    shoe.unplug()


def test_a_list_of_500_that_is_interrupted_is_done_once(hall):
    is_done_once(hall, 1, 1, random.Random(1))


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_lists_of_500_killed_over_eight_times_are_done_once(hall):
    dice = random.Random(SEED)
    for round_ in range(1, 3):
        is_done_once(hall, round_, 4, dice)
