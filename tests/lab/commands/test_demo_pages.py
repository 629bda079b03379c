"""Pages of a demo: the address they listen on, and who deals there."""

import pytest

from controller.config.web import WebSection
from controller.lab.commands import demo


@pytest.mark.parametrize("port", [None, 0])
def test_every_browser_at_a_demos_pc_is_the_dealers(tmp_path, monkeypatch, port):
    monkeypatch.setattr(demo, "WebSection", lambda listen="127.0.0.1:0": WebSection(listen))
    net = demo._web(tmp_path, port)
    net.socket.close()
    assert net.at_hand


def test_a_demo_beside_a_table_takes_another_port(tmp_path, monkeypatch):
    table = demo._web(tmp_path, 0)
    address = table.socket.getsockname()
    monkeypatch.setattr(demo, "WebSection", lambda listen=f"127.0.0.1:{address[1]}": WebSection(listen))
    net = demo._web(tmp_path, None)
    other = net.socket.getsockname()
    table.socket.close()
    net.socket.close()
    assert (other[0], other != address, net.at_hand) == (address[0], True, True)
