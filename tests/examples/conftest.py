"""Fixtures of a bus with a key for each example client: one for a worker, emptied before each test."""

from collections.abc import Iterator

import pytest

from tests.bus.rig import BusServer
from tests.examples.clients import PLAYS


@pytest.fixture(scope="session")
def one_bus(tmp_path_factory) -> Iterator[BusServer]:
    with BusServer(tmp_path_factory.mktemp("bus"), {"tables": ("t1",), "platforms": tuple(PLAYS)}) as one:
        yield one


@pytest.fixture
def bus(one_bus) -> BusServer:
    one_bus.empty()
    return one_bus
