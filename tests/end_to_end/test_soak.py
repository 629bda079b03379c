"""A table does not grow while its devices are unplugged again and again (see `tests.bench.soak`)."""

import random
import subprocess
import sys

import pytest

from tests.bench.growth import Use, grown, slope
from tests.chance import SEED
from tests.end_to_end.rig import ROOT


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_a_table_whose_devices_are_pulled_does_not_grow(tmp_path):
    command = [sys.executable, "-m", "tests.bench.soak", "--rounds", "60", "--after", "20", "--pulls", "0.6"]
    command += ["--seed", str(SEED), "--folder", tmp_path]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=590, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "nothing grew, the record stands" in ended.stdout


def looked_at(rate: float, full: int = 1000) -> list[tuple[int, Use]]:
    """Return noisy measurements of a program of 45 MB that grows by `rate` KiB a round.

    It gains 2 MB more until its caches are full, at round `full`.
    """
    dice = random.Random(1)
    return [
        (number, Use(round(45_000 + 2 * min(number, full) + rate * number + dice.gauss(0, 60)), 6, 19))
        for number in range(250, 5001, 250)
    ]


def test_a_leak_far_below_five_percent_is_seen_as_slope():
    leak, last = looked_at(0.18), looked_at(0.18)[-1][1].memory
    assert last < leak[3][1].memory * 1.05
    (finding,) = grown(leak)
    found = slope(leak)
    assert finding == f"memory grows by {found}"
    assert abs(found.rate - 0.18) < 3 * found.error


def test_noise_and_caches_that_fill_are_no_growth():
    assert grown(looked_at(0)) == []
    assert grown(looked_at(-0.2)) == []
    found = slope(looked_at(0))
    assert abs(found.rate) < 3 * found.error


@pytest.mark.parametrize("at", [1250, 2000, 3000, 4750])
def test_one_step_of_memory_is_no_growth_and_hides_none(at):
    for rate, grows in ((0, False), (0.18, True)):
        uses = [(number, one._replace(memory=one.memory + 960 * (number >= at))) for number, one in looked_at(rate)]
        assert bool(grown(uses)) is grows, slope(uses)


def test_a_run_without_a_slope_is_held_to_five_percent():
    short = looked_at(0)[:2]
    assert slope(short) is None
    assert grown([short[0], (500, Use(48_000, 6, 19))]) == [f"memory grew from {short[0][1].memory} to 48000 KiB"]
    assert grown([short[0], (500, Use(46_000, 6, 20))]) == ["descriptors grew from 19 to 20"]
