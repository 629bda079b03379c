"""Settings of pytest and hypothesis for all tests, and checks that hold in each run.

Ctrl-C interrupts the tests, although a shell makes background jobs and their programs ignore it. Hypothesis has no
deadline: a property holds however slow the machine is. Proofs draw from the seed of the commit. No test sees a table
of this PC. A run is refused if installed packages add games or devices. A log line or message with an empty field
fails its test. In CI a file left in the tree and a skipped test fail the run.
"""

import gc
import os
import platform
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, seed, settings

from controller.config.paths import ROOT
from tests import empty_fields, foreign_packages, leftover_files, skipped_tests
from tests.chance import SEED, VARIABLE

signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

collect_ignore = [] if platform.machine() == "x86_64" else ["rules/test_poker_peer.py"]  # eval7 has no wheels elsewhere


def pytest_configure(config: pytest.Config) -> None:
    skipped_tests.register_in_ci(config)
    leftover_files.register(config, Path(__file__).parents[1])
    empty_fields.register(config)
    foreign_packages.refuse_foreign_packages()


def pytest_report_header() -> str:
    return f"seed of the proofs: {SEED} (repeat: {VARIABLE}={SEED})"


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Stop garbage collection while tests are collected: their thousands of objects stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None):
    """Collect garbage after the last test of a file; freeze the rest, so that it is not scanned again."""
    yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """Seed hypothesis proofs with SEED, also in CI, where hypothesis would draw the same cases each time."""
    test = getattr(item, "obj", None)
    if item.get_closest_marker("proof") is None or not is_hypothesis_test(test):
        return (yield)
    seed(f"{SEED} {item.nodeid}")(test)
    try:
        return (yield)
    finally:
        seed(None)(test)


@pytest.fixture(scope="session", autouse=True)
def empty_pc(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give all tests and their programs the folders of a PC without tables, which must stay empty."""
    folder = tmp_path_factory.mktemp("pc")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(ROOT, str(folder))
        environment.setenv("NETRC", os.devnull)  # otherwise requests send this person's own passwords
        environment.delenv("XDG_RUNTIME_DIR", raising=False)
        yield
    assert list(folder.iterdir()) == []


@pytest.fixture
def own_pc(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a PC of its own; return the folder that is used in place of /."""
    folder = tmp_path_factory.mktemp("pc")
    monkeypatch.setenv(ROOT, str(folder))
    return folder
