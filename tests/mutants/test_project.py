"""Tests of a whole mutation run in a small project, from probes to verdicts."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mutants.choose import NEAR, Chooser
from tests.mutants.copies import ProjectCopy
from tests.mutants.mutant import Mutant, MutantPlace, mutant_at
from tests.mutants.suite import Suite, look_up
from tests.mutants.verdict import Examiner

ROOT = Path(__file__).parents[2]
LIMITS = "LIMIT = 3\n"
SUMS = """from controller.core.limits import LIMIT


def double(number):
    return number * 2


def below(number):
    return number <= LIMIT


def unseen(number):
    return number + 1
"""
TESTS = """import subprocess
import sys

from controller.core import sums


def test_double():
    assert sums.double(2) == 4


def test_child():
    code = "from controller.core.sums import below; assert below(2)"
    subprocess.run([sys.executable, "-S", "-c", code], check=True)


def test_source():
    assert "1" in open(sums.__file__, encoding="utf-8").read()


def test_broken():
    assert not sums.double(2)
"""
WALKS = """import pkgutil

import controller


def found():
    return list(pkgutil.iter_modules(controller.__path__))


def test_walk():
    found()
"""
WALKS_TOO = """from tests.core.test_walk import found


def test_walk_too():
    found()
"""
CACHE = """from functools import cache
from pathlib import Path


@cache
def source():
    return (Path(__file__).parents[2] / "controller/core/sums.py").read_text(encoding="utf-8")
"""
READS = """from tests.core.cached import source


def test_cached_source():
    assert source()
"""
TERMINAL = """import os


def test_terminal():
    near, far = os.openpty()
    os.close(os.open(os.ttyname(far), os.O_RDWR))
    os.close(far)
    os.close(near)
"""
IMPORTING = {"test_double", "test_child", "test_source", "test_walk", "test_walk_too"}
READING = {"test_cached_source", "test_again_cached_source"}
FILES = {
    "test_sums.py": TESTS,
    "test_walk.py": WALKS,
    "test_walk_too.py": WALKS_TOO,
    "cached.py": CACHE,
    "test_reads.py": READS,
    "test_a_terminal.py": TERMINAL,
    "test_reads_too.py": READS.replace("test_cached", "test_again_cached"),
}


class Project:
    """Small project: its tree, the map of its tests, and its mutants."""

    def __init__(self, folder: Path) -> None:
        self.tree, self._folder = folder / "tree", folder
        for path, text in {"core/limits.py": LIMITS, "core/sums.py": SUMS}.items():
            _write(self.tree / "controller" / path, text)
        for name, text in FILES.items():
            _write(self.tree / "tests" / "core" / name, text)
        _write(self.tree / "pyproject.toml", "[tool.pytest.ini_options]\n")
        self.suite: Suite = look_up(self.tree, folder, jobs=1, kept=folder / "map.json")
        self.chooser = Chooser(self.tree, self.suite)

    def mutant(self, path: str, was: str, now: str) -> Mutant:
        text = (self.tree / path).read_text(encoding="utf-8")
        return mutant_at(MutantPlace("key", path, 0), text, text.replace(was, now))

    def verdict(self, mutant: Mutant) -> tuple[str, str]:
        examiner = Examiner(ProjectCopy(self.tree, self._folder / mutant.now.replace(" ", "")), self.suite)
        verdict = examiner.verdict(mutant, self.chooser.batches(mutant, 60))
        return verdict.word, verdict.by.partition("::")[2]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Iterator[Project]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # plugins take most of the time
        yield Project(tmp_path_factory.mktemp("mutants"))


def names(tests) -> set[str]:
    return {name.partition("::")[2] for name in tests}


def test_a_probe_finds_the_test_that_runs_a_function(project):
    assert names(project.chooser.running(project.mutant("controller/core/sums.py", "* 2", "* 3"))) == {"test_double"}


def test_a_probe_finds_tests_through_their_child_processes(project):
    assert names(project.chooser.running(project.mutant("controller/core/sums.py", "<=", "<"))) == {"test_child"}


def test_a_module_level_mutant_goes_to_importing_tests(project):
    (batch,) = project.chooser.batches(project.mutant("controller/core/limits.py", "3", "4"), 60)
    assert names(batch) == IMPORTING


def test_a_test_that_imports_and_reads_a_module_is_near(project):
    distances = project.chooser._distances(project.mutant("controller/core/sums.py", "import LIMIT", "import *"))
    assert {distances[f"tests/core/test_sums.py::{name}"] for name in ("test_double", "test_source")} == {NEAR}


def test_a_test_reading_a_module_as_text_gets_its_mutants(project):
    (batch,) = project.chooser.batches(project.mutant("controller/core/sums.py", "number + 1", "number + 2"), 60)
    assert "test_source" in names(batch)


def test_a_test_reading_through_a_cache_gets_mutants_too(project):
    (batch,) = project.chooser.batches(project.mutant("controller/core/sums.py", "number + 1", "number + 2"), 60)
    assert names(batch) >= READING


def test_a_test_failing_on_unchanged_code_is_named(project):
    assert names(project.suite.failing) == {"test_broken"}
    assert names(project.suite.cases) == IMPORTING | READING | {"test_terminal"}


def test_a_terminal_that_a_test_closes_ends_no_run(project, tmp_path):
    """A session leader would get the terminal as its own, and SIGHUP once it is closed."""
    tests = ["tests/core/test_a_terminal.py", "tests/core/test_sums.py::test_double"]
    assert ProjectCopy(project.tree, tmp_path).run(tests, (), 60).passed


def test_a_killer_that_only_a_mutant_has_stays(project, tmp_path):
    killers = ["tests/core/test_sums.py::test_double", "tests/core/test_sums.py::test_double[OTHER]"]
    assert project.suite.leave_out(killers, ProjectCopy(project.tree, tmp_path)) == []


def test_a_map_is_kept_for_the_same_code_and_tests(project):
    suite = Suite.load(project._folder / "map.json")
    assert look_up(project.tree, Path("/nowhere"), 1, project._folder / "map.json") == suite == project.suite


def test_a_budget_bounds_the_tests_of_a_mutant(project):
    mutant = project.mutant("controller/core/sums.py", "* 2", "* 3")
    assert sum(map(len, project.chooser.batches(mutant, 0.001))) == 1


def test_a_mutant_is_killed_by_the_test_that_fails(project):
    assert project.verdict(project.mutant("controller/core/sums.py", "* 2", "* 3")) == ("killed", "test_double")


def test_a_mutant_that_no_test_fails_on_survives(project):
    assert project.verdict(project.mutant("controller/core/sums.py", "<=", "<")) == ("survived", "")


def test_a_copy_of_a_copy_leaves_its_original_alone(project, tmp_path):
    first = ProjectCopy(project.tree, tmp_path / "first")
    imports = "import sys; from pathlib import Path; from tests.mutants.copies import ProjectCopy"
    code = f"{imports}; ProjectCopy(*map(Path, sys.argv[1:]))"
    command = [first.root / ".venv" / "bin" / "python", "-c", code, first.root, tmp_path / "second"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    assert first.run(["tests/core/test_sums.py::test_double"], (), 60).passed
    found = [path.read_text(encoding="utf-8").strip() for path in first.root.glob(".venv/lib/*/site-packages/*.pth")]
    assert str(first.root) in found
