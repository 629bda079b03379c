"""A table whose devices are pulled all the time does not grow (see `tests.bench.soak`, which takes longer)."""

import subprocess
import sys

import pytest

from tests.chance import SEED
from tests.end_to_end.rig import ROOT


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_a_table_whose_devices_are_pulled_does_not_grow(tmp_path):
    command = [sys.executable, "-m", "tests.bench.soak", "--rounds", "60", "--after", "20"]
    command += ["--seed", str(SEED), "--folder", tmp_path]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=590, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "nothing grew, the record stands" in ended.stdout
