"""Tests that `check_codec` reports each mistake in a codec of lines without check and number."""

import pytest

from controller.testing import check_codec
from drivers.events import CardRead, CardUnreadable
from tests.plugins.plants import assert_reported, report_of
from tests.plugins.site import ROOT

ROUND = ROOT / "examples/barcode_shoe/round.hex"


class CorrectLines:
    """Correct codec of lines; each other codec of this file has one mistake."""

    def __init__(self):
        self.held = b""

    def feed(self, data):
        *lines, self.held = (self.held + data).split(b"\n")
        self.held = self.held[-64:]
        return [event for line in lines if line.strip() for event in self.line(line.strip())]

    def line(self, line):
        cards = {b"02111113": "3C", b"52000012": "AS", b"13000123": "AC"}
        return [CardRead(cards[line], raw=line)] if line in cards else [CardUnreadable(line)]

    def reset(self):
        self.held = b""


class TornLines(CorrectLines):
    def feed(self, data):
        return [event for line in data.split(b"\n") if line.strip() for event in self.line(line.strip())]


class Raises(CorrectLines):
    def line(self, line):
        return [CardRead({b"02111113": "3C", b"52000012": "AS", b"13000123": "AC", b"NOREAD": "2C"}[line])]


class StuckLines(CorrectLines):
    def feed(self, data):
        self.held += data
        if len(self.held) > 512:
            return []
        return super().feed(b"")


class Keeps(CorrectLines):
    def reset(self):
        pass


class Names(CorrectLines):
    def line(self, line):
        return [CardRead("10C", raw=line)]


class Says(CorrectLines):
    def line(self, line):
        return [line.decode("latin-1")]


class ReadsNone(CorrectLines):
    def line(self, line):
        return [CardUnreadable(line)]


class Silent(CorrectLines):
    def line(self, line):
        return []


WRONG = {
    TornLines: (
        "expected the same events however the bytes are cut, cut after byte 1 they are others",
        "keep what is not",
    ),
    Raises: ("expected feed never to raise, it raised KeyError: ", "answer what is no message with Garbage"),
    StuckLines: ("expected the codec to find back after 600 bytes of noise, what came after them is lost", "drop what"),
    Keeps: ("expected reset to forget what was half received, after 1 bytes it does not", "clear in reset all"),
    Names: ("expected a card such as AS, TD or 9H, feed gave '10C'", "name the rank first, ten as T"),
    Says: ("expected events of drivers.events, feed gave '02111113'", "give CardRead, CardUnreadable, CutCard"),
    ReadsNone: ("expected news of what round.hex holds, feed made 4 events of it and all of them", "see that"),
    Silent: ("expected news of what round.hex holds, feed made 0 events of it", "see that the capture"),
}


@pytest.mark.parametrize("codec", WRONG)
def test_a_mistake_in_a_codec_names_what_to_change(codec):
    expected, change = WRONG[codec]
    assert_reported(report_of(check_codec, codec, [ROUND]), expected, change)


def test_a_codec_without_a_mistake_passes():
    check_codec(CorrectLines, [ROUND])
