"""Fixture that makes addresses of this PC, 127.1 to 127.255, appear as other networks."""

import pytest

from controller.web.net import connection

SIX = 9  # 127.9.N.M is 2001:db8:0:N::M; 127.N for another N is 10.N


def seen_address(host: str) -> str:
    """Return the address that a server sees in place of this address of its own PC."""
    _, first, second, third = host.split(".")
    if int(first) == 0:
        return host
    return f"2001:db8:0:{int(second):x}::{int(third):x}" if int(first) == SIX else f"10.{first}.{second}.{third}"


@pytest.fixture
def routed(monkeypatch) -> None:
    original = connection._endpoint

    def place(address: object) -> tuple[str, int] | None:
        peer = original(address)
        return peer if peer is None or ":" in peer[0] else (seen_address(peer[0]), peer[1])

    monkeypatch.setattr(connection, "_endpoint", place)
