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
        "expected the same events however the bytes are cut, cut after byte 1 they differ",
        "store an incomplete message",
    ),
    Raises: ("expected feed never to raise, it raised KeyError: ", "return Garbage"),
    StuckLines: ("expected the messages after 600 bytes of noise, feed did not return them", "drop bytes"),
    Keeps: ("expected reset to clear the state, after 1 bytes it does not", "clear in reset all"),
    Names: ("expected a card such as AS, TD or 9H, feed returned '10C'", "name the rank first, ten as T"),
    Says: (
        "expected only events of this kind of device, feed returned '02111113'",
        "return CardRead, CardUnreadable, CutCard",
    ),
    ReadsNone: (
        "expected events for the messages of round.hex, feed returned only Garbage or CardUnreadable (4)",
        "see that",
    ),
    Silent: ("expected events for the messages of round.hex, feed returned none", "see that the capture"),
}


@pytest.mark.parametrize("codec", WRONG)
def test_a_mistake_in_a_codec_names_what_to_change(codec):
    expected, change = WRONG[codec]
    assert_reported(report_of(check_codec, codec, [ROUND]), expected, change)


def test_a_codec_without_a_mistake_passes():
    check_codec(CorrectLines, [ROUND])
