"""Tests that each mistake in the codec of a scanner or a badge reader is reported in a sentence."""

import time

import pytest

from controller.testing import check_badge_reader, check_scanner
from drivers.badge_readers import BADGE_READERS, ENDS, SerialBadges
from drivers.emulators.hid_pos_reports import DESCRIPTOR, reports
from drivers.emulators.typist import keystrokes
from drivers.events import BadgeRead, CardRead, Garbage
from drivers.shoes.barcode import CodeStream
from drivers.shoes.hid_pos import HidPos
from tests.drivers.hid_pos_forms import FORMS
from tests.plugins.plants import assert_reported_with_change, report_of

# ── scanners ─────────────────────────────────────────────────────────────────────────────────────────────────────

HONEYWELL = (0x0C2E, 0x0DB3)
CODE = b"AS" + b"x" * 60  # two reports long: the first two characters are no card


class Guesses(HidPos):
    """Reads a card from the first two characters of any report."""

    def feed(self, report):
        card = report[5:7].decode("latin-1")
        valid = card[:1] in "23456789TJQKA" and card[1:] in {"C", "D", "H", "S"}
        return [CardRead(card)] if valid else super().feed(report)


class KeepsHalfACode(HidPos):
    def connected(self):
        return []


class TakesKeyboards(HidPos):
    def described(self, descriptor):
        super().described(DESCRIPTOR)


class RefusesBrokenAlone(HidPos):
    """Accepts every descriptor that is long enough, also a keyboard's."""

    def described(self, descriptor):
        return None if len(descriptor) > 4 and super().described(DESCRIPTOR) is None else "broken"


class NamesOtherwise(HidPos):
    def feed(self, report):
        return [CardRead("10H") if isinstance(one, CardRead) else one for one in super().feed(report)]


class ReadsTheClock(HidPos):
    def feed(self, report):
        return super().feed(report) if time.monotonic() else []


SCANNER_MISTAKES = {
    Guesses: "expected the cards AS TH in the captures, feed read AS AS",
    KeepsHalfACode: "expected connected() to drop half a code and what was read before, it does not",
    TakesKeyboards: "expected described to return why it refuses another report descriptor, it accepted",
    RefusesBrokenAlone: "expected described to return why it refuses another report descriptor, it accepted",
    ReadsTheClock: "expected a codec that uses only the bytes it gets, test_reader_defects.py uses time.monotonic",
    NamesOtherwise: "expected a card such as AS, TD or 9H, feed returned '10H'",
}


@pytest.fixture
def cards(tmp_path):
    """Write a capture of three codes; the second code is two reports long."""
    return written(tmp_path, [*reports(b"AS"), *reports(CODE), *reports(b"10H")])


def written(folder, messages):
    path = folder / "said.hex"
    path.write_text("".join(f"{report.hex(' ')}\n" for report in messages))
    return path


@pytest.mark.parametrize("codec", SCANNER_MISTAKES)
def test_a_mistake_in_a_scanner_is_reported(codec, cards):
    report = report_of(check_scanner, codec, [cards], HONEYWELL, DESCRIPTOR, 2, ("AS", "TH"))
    assert_reported_with_change(report, SCANNER_MISTAKES[codec])


class DropsRepeats(HidPos):
    """Reads a code that comes twice in a row once, also where the scanner was connected again in between."""

    last = None

    def feed(self, report):
        before, events = self.last, super().feed(report)
        self.last = events[-1] if events else before
        return [event for event in events if event != before]


def test_a_reconnect_is_tried_after_the_first_report(tmp_path):
    capture = written(tmp_path, [*reports(b"AS"), *reports(b"10H")])
    report = report_of(check_scanner, DropsRepeats, [capture], HONEYWELL, DESCRIPTOR, 2)
    assert_reported_with_change(report, SCANNER_MISTAKES[KeepsHalfACode])


@pytest.mark.parametrize(
    "form",
    [pytest.param(FORMS[one], id=one, marks=() if one == "no byte count" else pytest.mark.proof) for one in FORMS],
)
def test_our_own_scanner_passes_in_every_form(form, tmp_path):
    messages = [*form.reports(b"AS"), *form.reports(CODE), *form.reports(b"10H")]
    if form.filled_to:  # zeros after a report are accepted
        messages = [report[:62] for report in messages]
    check_scanner(HidPos, [written(tmp_path, messages)], HONEYWELL, form.descriptor, 2, ("AS", "TH"))


# ── badge readers ────────────────────────────────────────────────────────────────────────────────────────────────

BADGES = b"04A2B9C1F0\r\n\x0212345678\x03"


class Short(SerialBadges):
    def feed(self, data):
        return [BadgeRead(event.code[:4]) if isinstance(event, BadgeRead) else event for event in super().feed(data)]


class Talks(SerialBadges):
    def feed(self, data):
        return [Garbage(data, "no badge") if isinstance(one, Garbage) else one for one in super().feed(data)]


class TalksOfOneWrongSign(SerialBadges):
    """Quotes, in its garbage, a line as long as a badge with a wrong character."""

    def __init__(self):
        super().__init__()
        self._lines = CodeStream(ENDS)

    def feed(self, data):
        raws = [piece.raw for piece in self._lines.feed(data)]
        events = zip(raws, super().feed(data), strict=True)
        return [Garbage(raw, "no badge") if self.is_near(raw, one) else one for raw, one in events]

    def is_near(self, raw, event):
        return isinstance(event, Garbage) and len(raw.strip(b"\x02")) == 8

    def reset(self):
        super().reset()
        self._lines.clear()


class Whole(SerialBadges):
    def feed(self, data):
        self.reset()
        return super().feed(data)


class Half(SerialBadges):
    def reset(self):
        pass


class Spaced(SerialBadges):
    """Puts a space into each code."""

    def feed(self, data):
        return [BadgeRead(f"{one.code[:4]} {one.code[4:]}") for one in super().feed(data) if isinstance(one, BadgeRead)]


class SharesBadgeBuffer(SerialBadges):
    """Keeps the received bytes of all readers in one buffer."""

    stream = CodeStream(ENDS)

    def __init__(self):
        self._stream = self.stream
        self._stream.clear()


class Hoards(SerialBadges):
    """Keeps all bytes that it ever received."""

    def __init__(self):
        super().__init__()
        self._all = b""

    def feed(self, data):
        self._all += data
        return super().feed(data)


class LooksAtTheClock(SerialBadges):
    def feed(self, data):
        return super().feed(data) if time.monotonic() else []


READER_MISTAKES = {
    Short: "expected a badge of 8 to 64 letters, digits or signs, feed returned one of 4 characters, in\n",
    Spaced: ("expected a badge of 8 to 64 letters, digits or signs, feed returned one of 11 characters with ' '"),
    TalksOfOneWrongSign: "expected Garbage without any of the bytes that came, it has some of them",
    Talks: "expected Garbage without any of the bytes that came, it has some of them",
    Whole: "expected the same events however the bytes are cut, cut after byte 1 they differ",
    SharesBadgeBuffer: "expected the same events while a second codec is fed, they differ",
    Hoards: "expected the codec to store no more than a message, of 8192 more bytes (the capture again and again)",
    LooksAtTheClock: "expected a codec that uses only the bytes it gets, test_reader_defects.py uses time.monotonic",
    Half: "expected reset to clear the state, after 1 bytes it does not",
}


@pytest.mark.parametrize("codec", READER_MISTAKES)
def test_a_mistake_in_a_badge_reader_is_reported(codec, tmp_path):
    report = report_of(check_badge_reader, codec, [written(tmp_path, [BADGES])])
    assert_reported_with_change(report, READER_MISTAKES[codec])


class Summed(SerialBadges):
    """Correct reader of badges that end with the sum of their characters, two hex digits."""

    def feed(self, data):
        return [self.summed(event) for event in super().feed(data)]

    def summed(self, event):
        if not isinstance(event, BadgeRead):
            return event
        code, check = event.code[:-2], event.code[-2:]
        return BadgeRead(code) if self.right(code, check) else Garbage(b"", "a wrong sum")

    def right(self, code, check):
        return check == f"{sum(code.encode()) % 256:02X}"


class SumNotCompared(Summed):
    def right(self, code, check):
        return True


def test_a_check_of_badges_that_is_not_compared_is_reported(tmp_path):
    lines = [f"04A2B9C1F0{sum(b'04A2B9C1F0') % 256:02X}\r\n".encode()]
    capture = [written(tmp_path, lines)]
    check_badge_reader(Summed, capture, check_sum=True)
    report = report_of(check_badge_reader, SumNotCompared, capture, check_sum=True)
    assert report.startswith("expected no other badge from a damaged line, with bit ")


@pytest.mark.parametrize(("model", "said"), [("serial", BADGES), ("keyboard", keystrokes("04A2B9C1F0\n"))])
def test_our_own_badge_readers_pass(model, said, tmp_path):
    check_badge_reader(BADGE_READERS[model].makes, [written(tmp_path, [said])], keyboard=BADGE_READERS[model].keyboard)
