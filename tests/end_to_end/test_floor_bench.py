"""The floor's bench (`tests.bench.floor`) runs with 5 tables for 10 seconds and misses no fault."""

import re
import subprocess
import sys

import pytest

from tests.end_to_end.rig import ROOT

SHORT = ("--tables", "5", "--seconds", "10", "--warm", "2", "--outage", "60")


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_every_fault_reaches_the_floors_disk_and_screen(tmp_path):
    command = [sys.executable, "-m", "tests.bench.floor", *SHORT, "--folder", tmp_path]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=590, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    row = r"%s .* {2,}(\S+) +(\S+) +(\S+) +(\d+)$"
    _, _, longest, durable = re.search(row % "durable at the floor", ended.stdout, re.M).groups()
    usual, _, _, painted = re.search(row % "strip painted", ended.stdout, re.M).groups()
    assert "inf" not in (usual, longest), ended.stdout
    assert int(durable) == int(painted) > 5
    (missed,) = re.findall(r"missed (\d+) events answers .* has them all", ended.stdout)
    assert int(missed) >= 5 * 60
