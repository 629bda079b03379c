"""Fixtures: a table's folder, and systemd machines on which `make service` has installed the program."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.rig import ROOT, Folder
from tests.machine import Machine, NoMachine
from tests.shared_folders import made_once


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def install(folder: Path) -> None:
    """Make a machine, run `make service` in it and keep the changed files in the folder."""
    try:
        booted = Machine()
    except NoMachine as reason:
        pytest.skip(str(reason))
    with booted:
        booted.run("make", "-C", ROOT, "service")
        booted.keep(folder)


@pytest.fixture(scope="session")
def installed(tmp_path_factory) -> Iterator[Path]:
    """Folder with the files that `make service` has changed on a machine."""
    with made_once(tmp_path_factory, "installed", install) as added:
        yield added


@pytest.fixture(scope="session")
def machine(installed) -> Iterator[Machine]:
    """Machine shared by all tests of a worker, which leave its installation unchanged."""
    with Machine(changed=installed) as booted:
        yield booted


@pytest.fixture
def another_machine(installed) -> Iterator[Machine]:
    """Machine for one test that changes the installation."""
    with Machine(changed=installed) as booted:
        yield booted
