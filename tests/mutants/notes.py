"""Pytest plugin that notes of each test its outcome, its cost, and the sources that it reads as text.

Copied into the project under test as `mutants_notes.py`. Appends JSON lines to a file per process in $MUTANTS_NOTES:
`{"begun": TEST}` when a test begins, and its figures when it has ended.
"""

import json
import os
import resource
import sys
import time
from functools import _lru_cache_wrapper
from pathlib import Path

import pytest

ROOT = f"{Path(__file__).parent}{os.sep}"
SOURCES = (f"{ROOT}controller{os.sep}", f"{ROOT}drivers{os.sep}")
UNREAD = ("<frozen importlib", "linecache.py")  # these read sources to run or to quote them
ONCE = "tests.processes"  # its cache holds the fork server, which serves all tests of a process


class NotesPlugin:
    """Pytest plugin that writes the notes of one process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = ""
        self._failed, self._fixtures, self._reads = False, 0.0, set()
        sys.addaudithook(self._audit)

    def _audit(self, event: str, arguments: tuple) -> None:
        if event == "open" and isinstance(arguments[0], (str, Path)):
            path = str(arguments[0])
            if path.endswith(".py") and path.startswith(SOURCES) and not _imports(sys._getframe(1)):
                self._reads.add(path.removeprefix(ROOT))

    def write(self, **what: object) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(what) + "\n")

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        self._reads = set()
        report = yield
        if self._reads:
            self.write(collected=collector.nodeid, reads=sorted(self._reads))
        if report.failed:
            self.write(uncollected=collector.nodeid)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item, nextitem):
        self._failed, self._fixtures, self._reads = False, 0.0, set()
        self._begin_file(item.nodeid.partition("::")[0])
        self.write(begun=item.nodeid)
        seconds, began = _seconds(), time.monotonic()
        result = yield
        figures = {"seconds": _seconds() - seconds, "wall": time.monotonic() - began, "fixtures": self._fixtures}
        rounded = {name: round(value, 4) for name, value in figures.items()}
        self.write(test=item.nodeid, failed=self._failed, reads=sorted(self._reads), **rounded)
        return result

    def _begin_file(self, file: str) -> None:
        """Clear the caches of tests before each file, so that its tests run and read all that their results need."""
        if file == self._file:
            return
        self._file = file
        modules = [vars(module) for name, module in sys.modules.items() if name.startswith("tests.") and name != ONCE]
        for one in [one for module in modules for one in module.values() if isinstance(one, _lru_cache_wrapper)]:
            if one.__module__.startswith("tests.") and one.__module__ != ONCE:
                one.cache_clear()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item):
        return (yield from self._timed())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item, nextitem):
        return (yield from self._timed())

    def _timed(self):
        seconds = _seconds()
        try:
            return (yield)
        finally:
            self._fixtures += _seconds() - seconds

    def pytest_runtest_logreport(self, report) -> None:
        self._failed |= report.failed


def _imports(frame) -> bool:
    """Return whether a file is opened by the import system or for a traceback."""
    frames = (frame, frame.f_back)
    return any(one is not None and any(part in one.f_code.co_filename for part in UNREAD) for one in frames)


def _seconds() -> float:
    """Return the processor seconds of this process and its ended children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def pytest_configure(config) -> None:
    if folder := os.environ.get("MUTANTS_NOTES"):
        config.pluginmanager.register(NotesPlugin(Path(folder) / f"{os.getpid()}.tests"))
