"""A table killed at any moment loses no announced record and announces none twice."""

import random
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from controller.core.fold import fold
from controller.core.records import Record
from controller.core.state import State
from controller.journal import Head, JournalUnbegun, head_of, recall, verify
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.chance import SEED
from tests.end_to_end.rig import Folder, StationProcess
from tests.patience import eventually

Line = dict[str, Any]
Start = Callable[[Path], StationProcess]
CHANGE_AT = 60  # cards left


class LastingCrew:
    """Dealer, shift manager and their shoe, which stay while the table's program is killed and restarted.

    The dealer does what the table's state asks for. The shift manager enters by hand each card on the table that the
    shoe dealt while the program was down.
    """

    def __init__(self, folder: Folder, seed: int) -> None:
        self.port = PtyPort(folder.port)
        self._seed = seed
        self._new_shoe()
        self.shoe.plug()
        self.dealt: dict[int, list[str]] = defaultdict(list)  # every card that left the shoe, by round

    def _new_shoe(self) -> None:
        self._seed += 1
        self.shoe = EmulatedAngelEye(self.port, decks=6, seed=self._seed)

    def act(self, at: Line, station: StationProcess) -> None:
        """Do the next step in this state of the table; nothing while it is halted."""
        match at:
            case {"halted": str()}:
                pass
            case {"life": "paused"}:
                self._rule(at, station)
            case {"life": "betting"}:
                station.say("press close\npress close")  # one press would wait for the betting time
            case {"due": str()}:
                self.dealt[at["round"]].append(self.shoe.draw() or "")
            case {"life": "complete"}:
                # Let the table read the shoe's own result first, as with a human dealer. A killed table reads no more.
                eventually(lambda: not self.port.unread_bytes or not station.running)
                station.say("press finish")
            case {"changing": True}:
                self._new_shoe()
                station.say("shoe ready")
            case {"left": left} if left < CHANGE_AT:
                station.say("shoe change")
            case _:
                station.say("press open")

    def _rule(self, at: Line, station: StationProcess) -> None:
        cards = self.dealt[at["round"]]
        if at["fault"] not in ("restarted", "journal_failed"):
            raise AssertionError(f"the table paused for another reason: {at}")
        if at["fault"] == "restarted" and at["draws"] < len(cards):
            station.say(f'rule enter {cards[at["draws"]]} by manager1 because "it lies on the table"')
        else:
            station.say('rule resume by manager1 because "all cards are in the record"')


class ProgramRun:
    """One run of the table's program, until it is killed at a random moment."""

    def __init__(self, station: StationProcess, people: LastingCrew, dice: random.Random) -> None:
        self._people, self._dice = people, dice
        self.announced: list[Line] = []
        with station as self._station:
            self._kill_at = dice.random()
            if self._kill_at < 0.2:  # while it starts
                self._kill_in(dice.uniform(0.0, station.STARTS))
            self._live()
        self.ended, self.said = station.process.returncode, station.errors()[-2000:]

    def _kill_in(self, seconds: float) -> None:
        threading.Timer(seconds, self._station.process.kill).start()

    def _live(self) -> None:
        """Play until the program's output ends."""
        left = None
        for state in steps(self._station, self.announced):
            if left is None:
                left = self._dice.randint(1, 40)
                if 0.2 <= self._kill_at < 0.5:
                    self._kill_in(self._dice.uniform(0.0, 0.3))
            self._people.act(state, self._station)
            left -= 1
            if left == 0 and self._kill_at >= 0.5:  # amid the effects of the last step
                time.sleep(self._dice.choice((0, 0, self._dice.uniform(0.0, 0.012))))
                self._station.process.kill()


def steps(station: StationProcess, announced: list[Line]) -> Iterator[Line]:
    """Yield the table's state after each change, once shoe and panel are found.

    Appends every announced event to `announced`.
    """
    missing = {"shoe", "panel"}
    found, before = False, None
    for line in station.hears():
        if "seq" in line:
            announced.append(line)
            found = line["kind"] == "device_found"
        elif found and missing:
            missing.pop()
            if not missing:
                yield line
        elif not missing and line != before:  # an unchanged state may precede the effect of the last step
            yield line
        if "life" in line:
            before = line


def history(records: list[Record]) -> dict[int, list[str]]:
    """Return the cards that left the shoe in each round, by round number, in the order of the record."""
    draws: dict[int, dict[int, str]] = defaultdict(dict)
    for record in records:
        if record.kind in ("dealt", "drawn") and record.round is not None:
            draws[record.round].setdefault(record.what.draw, record.what.card)
    return {number: [card for _, card in sorted(cards.items())] for number, cards in draws.items()}


def check_the_start(before: State, records: list[Record]) -> None:
    """Check the first records of a program's run: `configured`, then a pause if a round was running.

    After the pause the next record must be a ruling.
    """
    if not records:
        return
    assert records[0].kind == "configured", records[0]
    own = [record for record in records[1:] if record.kind not in ("device_found", "device_lost")]
    if not before.live:
        return
    if before.life == "paused":
        assert own[0].kind == "restarted", own[0]  # the fault's time limits start anew
    else:
        assert (own[0].kind, own[0].what.code) == ("faulted", "restarted"), own[0]
    assert len(own) == 1 or own[1].kind == "ruled", own[1]


def kill_again_and_again(folder: Folder, times: int, seed: int, start: Start = StationProcess) -> None:
    """Kill a table at least this many times and until a round is settled; check the journal each time.

    `start` starts the program. Its files are read after the program has ended and `start`'s context is closed.
    """
    dice, people = random.Random(seed), LastingCrew(folder, seed)
    announced: list[Line] = []
    records: list[Record] = []
    folder.write_config(journal=f'anchor = "{folder.anchor}"')
    try:
        for number in count(1):
            where = f"kill {number} of seed {seed}"
            life = ProgramRun(start(folder.config), people, dice)
            assert life.ended == -signal.SIGKILL, f"{where}: {life.said}"  # killed, not ended by an error of its own
            before, offset = fold(State(), records), len(records)
            records = folder.records()
            announced += life.announced
            if folder.journal.exists() and folder.journal.stat().st_size:
                try:
                    verdict = verify(folder.journal)
                    assert verdict == (len(records), head_of(folder.journal), None), where
                except JournalUnbegun:
                    assert not announced, where
            written = {record.seq: record for record in records}
            assert len(written) == len(records), where
            for event in life.announced:
                record = written[event["seq"]]
                assert (record.kind, getattr(record.what, "card", None)) == (event["kind"], event["card"]), where
            check_the_start(before, records[offset:])
            if number >= times and "settled" in {record.kind for record in records}:
                break
        seqs = [event["seq"] for event in announced]
        assert seqs == sorted(set(seqs))  # nothing announced twice or out of order
        recorded = history(records)
        last = max(people.dealt)
        for number, cards in people.dealt.items():
            journal_cards = recorded.get(number, [])
            assert journal_cards == cards or (number == last and journal_cards == cards[:-1]), f"round {number}"
        anchor = recall(folder.anchor)
        assert anchor is not None
        assert verify(folder.journal, Head(anchor.seq, bytes.fromhex(anchor.hash))).finding is None
    finally:
        people.shoe.unplug()


def test_a_killed_table_loses_nothing_and_repeats_nothing(tmp_path):
    kill_again_and_again(Folder(tmp_path), 3, seed=1)


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_a_table_killed_60_times_loses_and_repeats_nothing(tmp_path):
    kill_again_and_again(Folder(tmp_path), 60, seed=SEED)
