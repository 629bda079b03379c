"""One bus for a worker: each test finds it as new."""

import pytest

from tests.bus.conftest import one_server, server
from tests.bus.rig import Server

__all__ = ["one_server", "server"]


@pytest.fixture
def bus(server) -> Server:
    return server
