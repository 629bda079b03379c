"""Endless inputs that a codec is checked with."""

import pytest

from controller.lab.testing.broken import Broken
from controller.lab.testing.endless_input import LENGTH, check_endless, endless_inputs
from controller.lab.testing.watch import Progress, WatchedCodec


class Hoarder:
    """Codec that keeps one byte of so many."""

    def __init__(self, of):
        self.of, self.kept = of, bytearray()

    def feed(self, data):
        self.kept += data[:: self.of]
        return []


def check_hoarder(of):
    def tells(watched, pieces):
        for piece in pieces:
            watched.feed(piece)

    check_endless(lambda: WatchedCodec(Hoarder(of), Progress()), tells, [b"1234"])


def test_a_message_without_end_goes_on_from_its_middle():
    (data,) = [data for name, data in endless_inputs([b"1234", b"12345678"]) if name == "a message without its end"]
    assert data == b"1234" + b"5" * LENGTH


def test_a_codec_keeps_an_eighth_of_its_input_at_most():
    check_hoarder(of=5)
    with pytest.raises(Broken, match="it stores"):
        check_hoarder(of=3)
