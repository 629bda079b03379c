"""A folder for a table; and machines with the service installed, for the proofs that need one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.end_to_end.rig import ROOT, Folder
from tests.machine import Machine, NoMachine


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@contextmanager
def installed() -> Iterator[Machine]:
    try:
        booted = Machine()
    except NoMachine as reason:
        pytest.skip(str(reason))
    with booted:
        booted.run("make", "-C", ROOT, "service")
        yield booted


@pytest.fixture(scope="session")
def machine() -> Iterator[Machine]:
    """One for all tests, which leave the installation as it is."""
    with installed() as booted:
        yield booted


@pytest.fixture
def another_machine() -> Iterator[Machine]:
    """One for a test that does not."""
    with installed() as booted:
        yield booted
