"""Pytest plugin that reports files which a test run leaves in the tree, also files that git ignores.

In CI such a run fails. Elsewhere its last lines only name the files, as a person may have made them meanwhile.
"""

import os
import subprocess
from pathlib import Path

import pytest

# Made by pytest, the linters, the installers and the build, in any folder.
KNOWN = frozenset(
    {".benchmarks", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", "__pycache__", "dist", "node_modules"}
)
KNOWN_ENDS = (".egg-info", ".mo")
STATUS = ("git", "status", "--porcelain", "--ignored=matching", "--untracked-files=all", "--no-renames", "-z")
NEW = ("??", "!!")  # git's codes for an untracked file and for an ignored one


def unknown_files(root: Path) -> set[str] | None:
    """Return the paths that git does not track, except known caches; None if the folder has no `.git`."""
    ran = subprocess.run(STATUS, cwd=root, capture_output=True, text=True, check=False)
    if ran.returncode or not (root / ".git").exists():
        return None
    rows = [(row[:2], row[3:]) for row in ran.stdout.split("\0")]
    return {path for status, path in rows if status in NEW and not is_known(Path(path))}


def is_known(path: Path) -> bool:
    """Return whether the path is, or lies in, a cache, a virtual environment or a build result."""
    top = path.parts[0]
    return not KNOWN.isdisjoint(path.parts) or path.name.endswith(KNOWN_ENDS) or top.startswith(".venv")


class Leftovers:
    """Pytest plugin: compares the tree before the first test with the tree after the last one."""

    def __init__(self, root: Path) -> None:
        self._root, self._before = root, unknown_files(root)
        self.found: list[str] = []

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Find the new files when all workers have ended; in CI, fail the run if there are any."""
        after = unknown_files(self._root)
        if self._before is not None and after is not None:
            self.found = sorted(after - self._before)
        if self.found and os.environ.get("CI") and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the paths of the new files."""
        if self.found:
            terminalreporter.section("new files in the tree since the tests began", red=True)
            for path in self.found:
                terminalreporter.line(path)


def register(config: pytest.Config, root: Path) -> None:
    """Register the plugin, except in a worker of pytest-xdist: the process that started it does this."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Leftovers(root), "leftovers")
