"""Emulated serial port: counts unread bytes, and replaces a dead emulator's link but no live one's."""

import os

import pytest

from drivers.emulators.pty_port import PtyPort
from tests.patience import eventually


def test_a_port_counts_the_bytes_that_no_host_has_read(tmp_path):
    port = PtyPort(tmp_path / "shoe")
    assert port.unread_bytes == 0
    port.plug()
    try:
        host = os.open(port.link, os.O_RDWR | os.O_NOCTTY)
        port.write(b"12345")
        eventually(lambda: port.unread_bytes == 5)
        assert os.read(host, 3) == b"123"
        assert port.unread_bytes == 2
        os.close(host)
    finally:
        port.unplug()
    assert port.unread_bytes == 0


def test_a_killed_emulators_link_to_a_reused_port_is_replaced(tmp_path):
    left, other = tmp_path / "left", PtyPort(tmp_path / "other")
    other.plug()
    left.symlink_to(other.link.readlink())
    os.utime(left, (0, 0), follow_symlinks=False)  # made long before that port
    port = PtyPort(left)
    port.plug()
    assert left.readlink() != other.link.readlink()
    with pytest.raises(FileExistsError):
        PtyPort(other.link).plug()  # a running emulator serves that link
    port.unplug()
    other.unplug()
