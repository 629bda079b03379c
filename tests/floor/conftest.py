"""One server for all that do it no harm."""

from tests.bus.conftest import server

__all__ = ["server"]
