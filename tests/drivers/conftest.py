"""Fixture of the driver tests: an emulated serial port in a temporary folder."""

import pytest

from drivers.emulators.pty_port import PtyPort


@pytest.fixture
def port(tmp_path):
    port = PtyPort(tmp_path / "shoe")
    yield port
    port.unplug()
