"""One server for all that do it no harm."""

from collections.abc import Iterator

import pytest

from tests.bus.conftest import server
from tests.bus.rig import Server
from tests.floor.service import WHO

__all__ = ["server"]


@pytest.fixture
def bus(tmp_path) -> Iterator[Server]:
    with Server(tmp_path / "bus", WHO) as one:
        yield one
