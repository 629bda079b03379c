"""One server of the bus for all that do it no harm."""

from collections.abc import Iterator

import pytest

from tests.bus.rig import Server


@pytest.fixture
def server(tmp_path) -> Iterator[Server]:
    with Server(tmp_path / "bus", {"tables": ("t1", "t2"), "floors": ("main", "second"), "platforms": ("game",)}) as one:
        yield one
