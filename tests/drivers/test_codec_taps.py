"""Codecs whose bytes and events an observer sees."""

import pytest

from drivers.beacons import BEACONS
from drivers.codec_taps import TappedShoe, TappedUsb
from drivers.events import Garbage
from drivers.panels import PANELS
from drivers.shoes.hid_pos import HidPos
from drivers.unit_id import Numbered
from drivers.usb_codec import Described, Featured, Related, SizedByProduct, Versioned

OPTIONAL = (Described, Featured, Numbered, Related, SizedByProduct, Versioned)
USB_CODECS = {**BEACONS, **PANELS, "hid_pos": HidPos}


class Speaking:
    """Shoe codec that answers each byte with the same byte."""

    def __init__(self) -> None:
        self._answers = bytearray()

    def feed(self, data: bytes) -> list[Garbage]:
        self._answers += data
        return [Garbage(data, "no telegram")]

    def reset(self) -> None:
        self._answers.clear()

    def data_to_send(self) -> bytes:
        data = bytes(self._answers)
        self._answers.clear()
        return data


def test_an_observer_sees_received_and_sent_bytes_with_their_direction():
    calls = []
    shoe = TappedShoe(Speaking(), lambda *what: calls.append(what))
    events = shoe.feed(b"\x05")
    assert (shoe.data_to_send(), shoe.data_to_send()) == (b"\x05", b"")
    assert calls == [("<", b"\x05", events), (">", b"\x05", ())]


@pytest.mark.parametrize("model", USB_CODECS)
def test_an_observed_codec_has_every_skill_of_its_codec(model):
    codec = USB_CODECS[model]()
    tap = TappedUsb(codec, lambda *_: None)
    assert [skill for skill in OPTIONAL if isinstance(tap, skill)] == [
        skill for skill in OPTIONAL if isinstance(codec, skill)
    ]
    names = {name for skill in OPTIONAL if isinstance(codec, skill) for name in vars(skill) if name[0] != "_"}
    for name in names:
        assert getattr(tap, name) == getattr(codec, name), name


def test_every_optional_skill_is_tried_on_a_codec():
    for skill in OPTIONAL:
        assert any(isinstance(makes(), skill) for makes in USB_CODECS.values()), skill
