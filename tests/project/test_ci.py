"""Tests of `.ci/run`: what it runs, what its last lines name as left out, and with which Pythons."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / ".ci" / "run"
CLAIMED = "Programming Language :: Python :: "
MAKE = """#!/bin/sh
echo "CI=$CI make $*" >>"$RAN"
[ "$1" != "$FAILS" ]
"""


class MakeOnlyPc:
    """PC on which `make` only notes its arguments, and which has no other Python than that of `.venv`."""

    def __init__(self, folder: Path) -> None:
        self._programs, self._ran = folder / "bin", folder / "ran"
        self._programs.mkdir()
        self._ran.touch()
        for name in ("bash", "dirname"):
            (self._programs / name).symlink_to(shutil.which(name))
        self.add("make", MAKE)

    def add(self, name: str, text: str) -> None:
        (self._programs / name).write_text(text)
        (self._programs / name).chmod(0o755)

    def run(self, fails: str = "") -> tuple[int, list[str]]:
        """Run `.ci/run`; return its exit code and last lines. `fails`: the make target that fails."""
        own = {"PATH": str(self._programs), "PYENV_ROOT": str(self._programs), "RAN": str(self._ran), "FAILS": fails}
        ran = subprocess.run([SCRIPT], env=own, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout.splitlines()[-7:]

    @property
    def ran(self) -> list[str]:
        return self._ran.read_text().splitlines()


@pytest.fixture
def pc(tmp_path) -> MakeOnlyPc:
    return MakeOnlyPc(tmp_path)


@pytest.fixture
def other() -> str:
    """Return the claimed version of Python that `.venv` does not have."""
    command = [ROOT / ".venv" / "bin" / "python", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    here = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    (left,) = claimed() - {here}
    return left


def claimed() -> set[str]:
    """Return the versions of Python that the package's classifiers claim."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {line.removeprefix(CLAIMED) for line in project["classifiers"] if line.startswith(CLAIMED)}


def test_the_last_lines_of_ci_name_what_it_leaves_out(pc, other):
    code, lines = pc.run()
    assert code == 0
    assert lines[0] == "== passed: test, proof, lint"
    assert lines[1] == f"== left out: the tests with Python {other}, which is not here"
    targets = set(re.findall(r"make ([a-z-]+)", " ".join(lines)))
    assert targets == {"test-vm", "mutants", "audit", "bench"}
    assert pc.ran == ["CI=true make test", "CI=true make proof", "CI=true make lint"]


def test_ci_runs_the_other_claimed_python_where_it_is_there(pc, other):
    pc.add(f"python{other}", "#!/bin/sh\n")
    code, lines = pc.run()
    assert code == 0
    assert f"the tests with Python {other}" not in " ".join(lines)
    assert pc.ran[3].startswith(f"CI=true make test PYTHON=python{other} ARGS=tests/core ")


@pytest.mark.parametrize(("fails", "ran"), [("test", 1), ("proof", 2), ("lint", 3)])
def test_ci_fails_at_the_first_failed_target(pc, fails, ran):
    code, lines = pc.run(fails)
    assert (code != 0, len(pc.ran)) == (True, ran)
    assert not any(line.startswith("== passed") for line in lines)


def test_no_python_is_claimed_that_ci_does_not_run():
    assert set(re.findall(r"for version in ([\d. ]+);", SCRIPT.read_text())[0].split()) == claimed()
    assert set(re.findall(r"python(3\.\d+)", (ROOT / "Makefile").read_text())) <= claimed()
    sentence = re.search(r"with a Python ([\d.]+) or ([\d.]+) of", (ROOT / "packaging" / "INSTALL").read_text())
    assert sentence is not None
    assert set(sentence.groups()) == claimed()
