"""A table halts while its disk refuses writes; afterwards every record is there once and in order."""

import os
import shutil
from pathlib import Path

import pytest

from controller.journal import head_of, verify
from tests.end_to_end.rig import Folder, StationProcess
from tests.end_to_end.test_kill import LastingCrew, Line, history, steps
from tests.mounts import shell
from tests.needs import strace


class FailingDiskRounds:
    """Rounds dealt at a table while its disk fails, with the number of states in which it was halted."""

    def __init__(self, folder: Folder, people: LastingCrew, station: StationProcess) -> None:
        self._folder, self._people, self._station = folder, people, station
        self.announced: list[Line] = []
        self.halts = 0

    def play(self, rounds: int) -> None:
        """Deal rounds until this many are settled, then end the program cleanly."""
        for state in steps(self._station, self.announced):
            self.halts += state["halted"] is not None
            if state["halted"] is None and state["life"] == "settled" and self._settled() >= rounds:
                break
            self.halted(state)
            self._people.act(state, self._station)
        self.ended()

    def _settled(self) -> int:
        return sum(event["kind"] == "settled" for event in self.announced)

    def halted(self, state: Line) -> None:
        """Do nothing; a subclass repairs the disk here. Called with each state that is not the last."""

    def ended(self) -> None:
        """End the program, and check that it ends cleanly."""
        self._station.hush()
        self.announced += [line for line in self._station.hears() if "seq" in line]
        assert self._station.ends() == 0

    def check(self) -> None:
        """Check that the journal has exactly the announced records, in order, and every dealt card."""
        records = self._folder.records()
        assert verify(self._folder.journal) == (len(records), head_of(self._folder.journal), None)
        assert [(record.seq, record.kind) for record in records] == [
            (event["seq"], event["kind"]) for event in self.announced
        ]
        assert {number: cards for number, cards in history(records).items() if cards} == self._people.dealt


@pytest.mark.parametrize(
    ("when", "rounds", "halts"), [("20", 3, 1), pytest.param("20+20", 70, 20, marks=pytest.mark.proof)]
)
@pytest.mark.timeout(600)
def test_a_table_halts_while_its_disk_fails_to_sync(tmp_path, when, rounds, halts):
    folder = Folder(tmp_path)
    folder.write_config()
    people = LastingCrew(folder, seed=1)
    inject = f"inject=fsync,fdatasync:error=EIO:when={when}"
    failing = strace("-f", "--seccomp-bpf", "-qq", "-o", os.devnull, "-e", "trace=fsync,fdatasync", "-e", inject)
    try:
        with StationProcess(folder.config, failing) as station:
            played = FailingDiskRounds(folder, people, station)
            played.play(rounds)
        played.check()
        assert played.halts >= halts
    finally:
        people.shoe.unplug()


class FullDisk(FailingDiskRounds):
    """Rounds on a file system of 1 MiB with a ballast file, which is deleted when the table has halted."""

    def __init__(self, folder: Folder, people: LastingCrew, station: StationProcess) -> None:
        super().__init__(folder, people, station)
        # the folder as the program sees it, with mounts of its own
        self._disk = Path(f"/proc/{station.process.pid}/root{folder.journal.parent}")

    def halted(self, state: Line) -> None:
        if state["halted"] is not None:
            assert "full" in state["halted"]
            (self._disk / "ballast").unlink()

    def ended(self) -> None:
        for file in self._disk.iterdir():  # everything is announced and written; the disk vanishes with the program
            shutil.copy(file, self._folder.journal.parent)
        super().ended()


def test_a_table_halts_while_its_disk_is_full(tmp_path):
    folder = Folder(tmp_path)
    folder.journal = tmp_path / "disk" / "table.journal"
    folder.journal.parent.mkdir()
    folder.write_config()
    people = LastingCrew(folder, seed=1)
    small = 'mount -t tmpfs -o size=1m small "$0"; head -c 850k /dev/zero > "$0/ballast"'
    try:
        with StationProcess(folder.config, shell(small, folder.journal.parent, [])) as station:
            played = FullDisk(folder, people, station)
            played.play(25)
        played.check()
        assert played.halts == 1
    finally:
        people.shoe.unplug()
