"""Codecs whose bytes and events an observer sees."""

from drivers.codec_taps import TappedShoe
from drivers.events import Garbage


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
