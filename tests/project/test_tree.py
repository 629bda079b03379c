"""Tests that git holds only the listed roots and no records, and that test runs leave no files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOTS = """
.ci .git .github .gitignore CHANGELOG.md CONTRIBUTING.md LICENSE Makefile README.md SECURITY.md
config controller docs drivers examples packaging pyproject.toml requirements systemd tests
"""
RECORDS = (".journal", ".journal-wal", ".journal-shm", ".rescued", ".outbox", ".anchor", ".sqlite", ".sqlite3", ".db")
KEPT: frozenset[str] = frozenset()  # records that tests read, by their paths
SQLITE = b"SQLite format 3\0"
TESTS = """
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["tmpab12cd34/t1.journal", "left/t1.sock", "left/__pycache__/one.pyc"])
def test_leaves(name):
    path = Path(__file__).parent / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")


def test_skips():
    pytest.skip("it needs root")
"""
CONFTEST = """
from pathlib import Path

from tests import leftover_files, skipped_tests


def pytest_configure(config):
    skipped_tests.register_in_ci(config)
    leftover_files.register(config, Path(__file__).parent)
"""


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout


def kept_by_git() -> list[str]:
    """Return the paths of all files that git tracks or would add."""
    return list(filter(None, git(ROOT, "ls-files", "-co", "--exclude-standard", "-z").split("\0")))


def test_git_holds_the_listed_roots_and_no_others():
    assert {Path(path).parts[0] for path in kept_by_git()} == set(ROOTS.split()) - {".git"}


def test_git_holds_no_record_that_is_not_named():
    paths = [path for path in kept_by_git() if (ROOT / path).is_file()]
    assert len(paths) > 1000
    named = {path for path in paths if path.endswith(RECORDS)}
    databases = {path for path in paths if begins(ROOT / path, SQLITE)}
    assert named | databases == KEPT


def begins(path: Path, first: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(first)) == first


@pytest.fixture
def tree(tmp_path) -> Path:
    """Make a git tree with tests that leave files and skip, checked by the same plugins as this tree."""
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("__pycache__/\n.pytest_cache/\n/tmp????????/\n*.pyc\n")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_one.py").write_text(TESTS)
    return tmp_path


def run(folder: Path, *options: str, ci: str) -> tuple[int, list[str]]:
    """Run the tests of a folder, without other plugins; return the exit code and the lines of output."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    own |= {"PYTHONPATH": str(ROOT), "CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", *options]
    ran = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout.splitlines()


def left(lines: list[str]) -> list[str]:
    """Return the first two files that a run names as left in the tree."""
    titles = [number for number, line in enumerate(lines) if "new files in the tree" in line]
    return lines[titles[0] + 1 : titles[0] + 3] if titles else []


def test_a_run_that_leaves_files_fails_in_ci(tree):
    ended, lines = run(tree, "-k", "leaves", ci="")
    assert (ended, left(lines)) == (0, ["left/t1.sock", "tmpab12cd34/"])
    ended, lines = run(tree, "-k", "leaves", ci="true")  # files from before the run do not count
    assert (ended, left(lines)) == (0, [])
    for folder in ("left", "tmpab12cd34"):
        shutil.rmtree(tree / folder)
    ended, lines = run(tree, "-k", "leaves", "-p", "xdist", "-n", "2", ci="true")
    assert (ended, left(lines)) == (1, ["left/t1.sock", "tmpab12cd34/"])
    assert sum("new files in the tree" in line for line in lines) == 1


def test_a_skipped_test_fails_in_ci_with_its_reason(tree):
    (tree / "test_two.py").write_text('import pytest\n\npytest.skip("no libusb", allow_module_level=True)\n')
    assert run(tree, "-k", "skips", ci="")[0] == 0
    for options in ((), ("-p", "xdist", "-n", "2")):
        ended, lines = run(tree, "-k", "skips", "--continue-on-collection-errors", *options, ci="true")
        assert ended == 1
        for reason in ("it needs root", "no libusb"):
            assert f"left out, and in CI nothing may be: {reason}" in lines
