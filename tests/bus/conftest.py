"""Bus server that all tests of a worker process share; it is emptied before each test."""

from collections.abc import Iterator

import pytest

from tests.bus.rig import BusServer


@pytest.fixture(scope="session")
def one_server(tmp_path_factory) -> Iterator[BusServer]:
    """Start one bus server for all tests of this worker process."""
    with BusServer(tmp_path_factory.mktemp("bus")) as one:
        yield one


@pytest.fixture
def server(one_server) -> BusServer:
    """Return the shared bus server with empty streams."""
    one_server.empty()
    return one_server
