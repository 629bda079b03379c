"""Files that a test run leaves in the tree: git names what is new since it began, whether git ignores it or not.

In CI a run that leaves something fails; elsewhere its last lines name it, as a person may have made it meanwhile.
"""

import os
import subprocess
from pathlib import Path

import pytest

# What pytest, the linters, the installers and the build make, wherever it lies.
KNOWN = frozenset(
    {".benchmarks", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", "__pycache__", "dist", "node_modules"}
)
KNOWN_ENDS = (".egg-info", ".mo")
STATUS = ("git", "status", "--porcelain", "--ignored=matching", "--untracked-files=all", "--no-renames", "-z")
NEW = ("??", "!!")  # what git says of a file that it does not know, and of one that it ignores


def unknown_files(root: Path) -> set[str] | None:
    """Paths in the tree that git does not have, except known caches. None if the folder is no git tree of its own."""
    ran = subprocess.run(STATUS, cwd=root, capture_output=True, text=True, check=False)
    if ran.returncode or not (root / ".git").exists():
        return None
    rows = [(row[:2], row[3:]) for row in ran.stdout.split("\0")]
    return {path for status, path in rows if status in NEW and not is_known(Path(path))}


def is_known(path: Path) -> bool:
    """Whether this is a cache, an environment or something built, or lies in one."""
    top = path.parts[0]
    return not KNOWN.isdisjoint(path.parts) or path.name.endswith(KNOWN_ENDS) or top.startswith(".venv")


class Leftovers:
    """Plugin of pytest: looks at the tree before the first test and after the last one."""

    def __init__(self, root: Path) -> None:
        self._root, self._before = root, unknown_files(root)
        self.found: list[str] = []

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Called once, when all workers have ended."""
        after = unknown_files(self._root)
        if self._before is not None and after is not None:
            self.found = sorted(after - self._before)
        if self.found and os.environ.get("CI") and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name what was left."""
        if self.found:
            terminalreporter.section("new files in the tree since the tests began", red=True)
            for path in self.found:
                terminalreporter.line(path)


def watch(config: pytest.Config, root: Path) -> None:
    """Watch the tree during this run; a worker of pytest-xdist leaves that to the process that started it."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Leftovers(root), "leftovers")
