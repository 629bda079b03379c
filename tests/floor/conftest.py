"""One bus for a worker: each test finds it as new, and its answers count however late they come."""

import pytest

from controller.floor import ask, exchange
from tests.bus.conftest import one_server, server
from tests.bus.rig import Server
from tests.patience import PATIENCE

__all__ = ["one_server", "server"]


@pytest.fixture
def bus(server, monkeypatch) -> Server:
    """Who tests that no answer comes says how long it is waited for."""
    monkeypatch.setattr(ask, "PATIENCE", PATIENCE)
    monkeypatch.setattr(exchange, "PATIENCE", PATIENCE)
    monkeypatch.setattr(exchange, "TIMEOUT", PATIENCE)
    return server
