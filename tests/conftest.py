"""What all tests rely on: Ctrl-C is heard. A shell has its background jobs ignore it, and they whatever they start.

A property holds however long the machine takes: no example has a deadline. Proofs draw from the seed of the commit.
And no test sees a table of this PC, none leaves a file in the tree, none begins where packages of others add games or
devices, no line of the log and no message lacks what it says, and in CI none is left out.
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
from tests import left_out, leftovers, others, said
from tests.chance import SEED, VARIABLE

signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

collect_ignore = [] if platform.machine() == "x86_64" else ["rules/test_poker_peer.py"]  # eval7 has no wheels elsewhere


def pytest_configure(config: pytest.Config) -> None:
    left_out.hold(config)
    leftovers.watch(config, Path(__file__).parents[1])
    said.watch(config)
    others.refuse()


def pytest_report_header() -> str:
    return f"seed of the proofs: {SEED} (repeat: {VARIABLE}={SEED})"


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect no garbage among what stays to the end: thousands of tests and the modules they are in."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None):
    """Behind a file collect its garbage, and no more look through what stays: that is more with each file."""
    yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """A proof with hypothesis draws from SEED, also in CI, where hypothesis would draw the same each time."""
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
    """The folders of a PC without tables, for all tests and the programs they start. Nothing may be put there."""
    folder = tmp_path_factory.mktemp("pc")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(ROOT, str(folder))
        environment.setenv("NETRC", os.devnull)  # else the passwords of whoever runs the tests are sent along
        environment.delenv("XDG_RUNTIME_DIR", raising=False)
        yield
    assert list(folder.iterdir()) == []


@pytest.fixture
def own_pc(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folders of a PC of this test's own: a folder in place of /."""
    folder = tmp_path_factory.mktemp("pc")
    monkeypatch.setenv(ROOT, str(folder))
    return folder
