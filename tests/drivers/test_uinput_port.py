"""Emulated keyboard through uinput, against a fake kernel that records each request."""

import struct
from pathlib import Path
from types import SimpleNamespace

import pytest

from drivers.emulators import uinput_port as module
from drivers.emulators.typist import keystrokes
from drivers.emulators.uinput_port import UinputPort
from drivers.keyboards.input_events import EV_KEY

NAME = b"tablectl emulated wedge"
SIZE = 16  # lowest bit of the argument's size in a request number, 14 bits wide


class FakeKernel:
    """Fake kernel that records each request and refuses the one in `refuses`."""

    def __init__(self) -> None:
        self.asked = list[tuple[int, object]]()
        self.refuses: int | None = None

    def ioctl(self, _: int, request: int, argument: object = None) -> bytes:
        if request == self.refuses:
            raise PermissionError
        self.asked.append((request, argument))
        return b"input7".ljust(64, b"\0")


@pytest.fixture
def kernel(tmp_path, monkeypatch) -> FakeKernel:
    fake = FakeKernel()
    (tmp_path / "virtual" / "input7" / "event5").mkdir(parents=True)
    (tmp_path / "uinput").touch()
    monkeypatch.setattr(module, "UINPUT", tmp_path / "uinput")
    monkeypatch.setattr(module, "VIRTUAL", tmp_path / "virtual")
    monkeypatch.setattr(module, "fcntl", SimpleNamespace(ioctl=fake.ioctl))
    return fake


@pytest.fixture
def port(tmp_path) -> UinputPort:
    return UinputPort(tmp_path / "wedge")


def test_a_keyboard_has_keys_and_name_before_it_is_made(kernel, port):
    port.plug()
    port.plug()
    kind, *keys, setup, creation, named = kernel.asked
    assert kind == (module.UI_SET_EVBIT, EV_KEY)
    assert keys == [(module.UI_SET_KEYBIT, key) for key in range(1, 128)]
    about = struct.pack("@HHHH80sI", 3, 0x1209, 1, 1, NAME, 0)  # bus USB, version 1
    assert setup == (module.UI_DEV_SETUP, about)
    assert len(about) == module.UI_DEV_SETUP >> SIZE & 0x3FFF
    assert (creation, named[0]) == ((module.UI_DEV_CREATE, None), module.UI_GET_SYSNAME)


@pytest.mark.usefixtures("kernel")
def test_the_link_leads_to_the_node_while_it_is_plugged(port):
    port.link.symlink_to("/dev/input/event0")  # of an earlier run
    for _ in range(2):
        port.plug()
        assert (port.is_plugged, port.link.readlink()) == (True, Path("/dev/input/event5"))
        port.unplug()
        assert (port.is_plugged, port.link.is_symlink()) == (False, False)
    port.unplug()


@pytest.mark.usefixtures("kernel")
def test_text_is_typed_while_the_keyboard_is_plugged(port):
    port.write(b"KC\n")
    port.plug()
    port.write("ÄS\r\n".encode())
    port.unplug()
    assert module.UINPUT.read_bytes() == keystrokes("S\n")


def test_a_keyboard_that_cannot_be_made_leaves_nothing(kernel, port):
    kernel.refuses = module.UI_DEV_CREATE
    with pytest.raises(PermissionError):
        port.plug()
    assert (port.is_plugged, port.link.is_symlink()) == (False, False)


def test_a_file_in_the_place_of_the_link_stays(kernel, port):
    port.link.write_text("notes")
    with pytest.raises(FileExistsError):
        port.plug()
    assert (port.is_plugged, port.link.read_text(), kernel.asked) == (False, "notes", [])
