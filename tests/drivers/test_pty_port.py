"""The emulated serial port."""

import os

from drivers.emulators.pty_port import PtyPort
from tests.patience import eventually


def test_a_port_counts_the_bytes_that_no_host_has_read(tmp_path):
    port = PtyPort(tmp_path / "shoe")
    assert port.unread == 0
    port.plug()
    try:
        host = os.open(port.link, os.O_RDWR | os.O_NOCTTY)
        port.write(b"12345")
        eventually(lambda: port.unread == 5)
        assert os.read(host, 3) == b"123"
        assert port.unread == 2
        os.close(host)
    finally:
        port.unplug()
    assert port.unread == 0
