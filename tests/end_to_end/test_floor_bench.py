"""The bench of the floor does what it says, with few tables and for a moment: all that it measures is measured."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHORT = ("--tables", "5", "--seconds", "10", "--warm", "2", "--outage", "60")


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_every_fault_of_the_bench_gets_to_the_floors_disk_and_a_floor_that_was_away_gets_all(tmp_path):
    command = [sys.executable, "-m", "tests.bench.floor", *SHORT, "--folder", tmp_path]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr
    rows = dict(re.findall(r"^(card|bare)[^\n]*? (\S+) +(\d+)$", ended.stdout, flags=re.M))
    assert rows, ended.stdout
    (faults,) = map(int, re.findall(r"(\d+) faults in", ended.stdout))
    (durable,) = re.findall(r"durable at the floor +(\S+) +(\S+) +(\S+) +(\d+)$", ended.stdout, flags=re.M)
    assert int(durable[3]) == faults > 5
    assert "inf" not in durable
    missed, speed = map(int, re.findall(r"missed (\d+) events .* (\d+) a second", ended.stdout)[0])
    assert missed >= 300
    assert speed > 0
    assert "the floor" in ended.stdout
