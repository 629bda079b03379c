"""Tests of `packaging/progress.sh`: a long step of a build or an installation prints its progress."""

import subprocess
from pathlib import Path

import pytest

from tests.patience import PATIENCE

SCRIPT = Path(__file__).parents[2] / "packaging" / "progress.sh"
SHELLS = ("sh", "bash")
HURRY = 'sleep() { [ "$1" = 4 ] || kill $$; command sleep 0.01; }'  # four seconds pass at once; no other sleep occurs


def shell(name: str, command: str, **streams: int) -> "subprocess.Popen[str]":
    return subprocess.Popen([name, "-ec", f". {SCRIPT}\n{HURRY}\n{command}"], text=True, **streams)


@pytest.mark.parametrize("name", SHELLS)
def test_a_step_is_announced_at_once_and_repeated(name, tmp_path):
    go = tmp_path / "go"
    waits = f"until [ -e '{go}' ]; do command sleep 0.01; done"
    running = shell(name, f"work() {{ {waits}; }}\nmeanwhile 'packing it' work", stdout=subprocess.PIPE)
    with running:
        assert running.stdout.readline() == "tablectl: packing it\n"
        assert [running.stdout.readline() for _ in range(2)] == [
            f"tablectl: packing it: {seconds} s so far\n" for seconds in (4, 8)
        ]
        go.touch()
        assert running.wait(PATIENCE) == 0


@pytest.mark.parametrize("name", SHELLS)
@pytest.mark.parametrize(("work", "code"), [("true", 0), ("(exit 3)", 3), ("no-such-command", 127)])
def test_a_step_ends_as_its_command_does(name, work, code):
    work = "work() { " + work + "; }"
    ended = subprocess.run(
        [name, "-ec", f". {SCRIPT}\n{work}\nmeanwhile 'packing it' work\necho on"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (code, "tablectl: packing it\n" + ("on\n" if code == 0 else ""))


@pytest.mark.parametrize("name", SHELLS)
def test_the_progress_lines_end_when_their_script_is_killed(name):
    """The test can read to the end of the pipe, because all processes that hold it open have ended."""
    command = "work() { exec sleep 1000 >/dev/null 2>&1; }\nmeanwhile 'packing it' work"
    running = shell(name, command, stdout=subprocess.PIPE)
    with running:
        assert running.stdout.readline() == "tablectl: packing it\n"
        running.kill()
        running.wait(PATIENCE)
        running.stdout.read()
