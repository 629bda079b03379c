"""What the tests of drivers share."""

import pytest

from drivers.emulators.pty_port import PtyPort


@pytest.fixture
def port(tmp_path):
    port = PtyPort(tmp_path / "shoe")
    yield port
    port.unplug()
