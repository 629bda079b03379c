"""A table loses no announced record at a power cut, whatever the disk has not yet written."""

import random
import re
from pathlib import Path

import pytest

from tests.chance import SEED
from tests.disk import TRACE, TracedDisk, calls, lay_out
from tests.end_to_end.rig import Folder, StationProcess
from tests.end_to_end.test_kill import kill_again_and_again
from tests.needs import strace
from tests.patience import eventually


class PoweredStation(StationProcess):
    """Table on a disk that, at a power cut, keeps all synced data and some, all or none of the rest."""

    STARTS = 1.0

    def __init__(self, config: Path, disk: Path, dice: random.Random) -> None:
        self._disk, self._folder, self._dice = TracedDisk(disk), disk, dice
        self._trace = config.with_suffix(".trace")
        self._trace.unlink(missing_ok=True)
        super().__init__(config, strace("-D", *TRACE, self._trace))  # -D: the process is the program, not strace
        eventually(lambda: self._trace.exists() and self._trace.stat().st_size)  # the program runs under strace by now

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        end = re.compile(rf"^{self.process.pid} +\+\+\+ killed by SIGKILL", re.MULTILINE)
        eventually(lambda: end.search(self._trace.read_text(encoding="utf-8")))
        for call in calls(self._trace):
            self._disk.do(call)
        share = self._dice.choice((0.0, 0.0, 0.5, 0.9, 1.0))
        lay_out(self._folder, self._disk.left(lambda: self._dice.random() < share))


def cut_the_power(tmp_path: Path, times: int, seed: int) -> None:
    folder, dice = Folder(tmp_path), random.Random(seed)
    folder.journal = tmp_path / "disk" / "table.journal"
    folder.journal.parent.mkdir()
    kill_again_and_again(folder, times, seed, lambda config: PoweredStation(config, folder.journal.parent, dice))


def test_a_table_whose_power_is_cut_loses_and_repeats_nothing(tmp_path):
    cut_the_power(tmp_path, 2, seed=3)


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_a_table_whose_power_is_cut_20_times_loses_nothing(tmp_path):
    cut_the_power(tmp_path, 20, seed=SEED)
