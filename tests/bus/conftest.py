"""One server for all that do it no harm."""

from collections.abc import Iterator

import pytest

from tests.bus.rig import Server


@pytest.fixture
def server(tmp_path) -> Iterator[Server]:
    with Server(tmp_path / "bus") as one:
        yield one
