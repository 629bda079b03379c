"""One server for a worker: each test finds it as new."""

from collections.abc import Iterator

import pytest

from tests.bus.rig import Server


@pytest.fixture(scope="session")
def one_server(tmp_path_factory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("bus")) as one:
        yield one


@pytest.fixture
def server(one_server) -> Server:
    one_server.empty()
    return one_server
