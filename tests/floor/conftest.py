"""Bus server that the floor's tests of a worker process share, with long timeouts for answers."""

import pytest

from controller.floor.consoles import table_requests
from controller.floor.shared_state import exchange
from tests.bus.conftest import one_server, server
from tests.bus.rig import BusServer
from tests.patience import PATIENCE

__all__ = ["one_server", "server"]


@pytest.fixture
def bus(server, monkeypatch) -> BusServer:
    """Return the bus server with long timeouts; a test of missing answers sets its own."""
    monkeypatch.setattr(table_requests, "PATIENCE", PATIENCE)
    monkeypatch.setattr(exchange, "PATIENCE", PATIENCE)
    monkeypatch.setattr(exchange, "TIMEOUT", PATIENCE)
    return server
