"""Mistakes in the codec of a beacon, a scanner or a badge reader, and the sentence that each is told by."""

import pytest

from controller.testing import check_badge_reader, check_beacon, check_scanner
from drivers.badge_readers import BADGE_READERS, SerialBadges
from drivers.beacons import BEACONS, Light, Sound
from drivers.emulators.hid_pos_reports import DESCRIPTOR, reports
from drivers.emulators.typist import keystrokes
from drivers.events import BadgeRead, CardRead, Garbage, Touched
from drivers.shoes.hid_pos import HidPos
from tests.drivers.hid_pos_forms import FORMS
from tests.plugins.plants import STRIP, sentence

LightTower = STRIP.LightTower

# ── beacons ──────────────────────────────────────────────────────────────────────────────────────────────────────


class SaysOnlyNews(LightTower):
    shown = None

    def show(self, signal):
        before, self.shown = self.shown, signal
        return b"" if before == signal else super().show(signal)


class Counts(LightTower):
    """One more report, and one more number in it."""

    number = 0

    def show(self, signal):
        Counts.number = (Counts.number + 1) % 3
        return super().show(signal)[:6] + bytes([Counts.number])


class FastIsFlash(LightTower):
    def show(self, signal):
        report = super().show(signal)
        return report[:1] + bytes(min(light, 2) for light in report[1:6]) + b"\0"


class OnlyLit(LightTower):
    """Without a light that flashes: what calls looks as what does not."""

    def show(self, signal):
        report = super().show(signal)
        return bytes([3, 0, bool(report[1] or report[2]), *map(bool, report[3:6]), 0])


class NoBlue(LightTower):
    def show(self, signal):
        return super().show(signal) if signal.blue is not Light.FAST else {}[signal.blue]


class HornIsRefused(LightTower):
    def checked(self, report):
        if report[-1:] == bytes([tuple(Sound).index(Sound.URGENT)]):
            raise ValueError("no horn")
        return super().checked(report)


class RefusesByType(LightTower):
    def checked(self, report):
        return {7: report}[len(report)]


class EveryMillisecond(LightTower):
    every_s = 0.001

    def recurring(self):
        return bytes([3, 0, 0, 0, 0, 0, 0])


class FailsOnEmpty(LightTower):
    def feed(self, report):
        return [Garbage(report, f"{report[0]}")]


class Touchy(LightTower):
    """With a sensor, done right: 01 free, 02 touched."""

    def __init__(self):
        self._free = None

    def connected(self):
        self._free = None
        return []

    def feed(self, report):
        if report not in (b"\1", b"\2"):
            return [Garbage(report, "no sensor")]
        before, self._free = self._free, report == b"\1"
        return [Touched()] if before and not self._free else []


class TouchesAgain(Touchy):
    def feed(self, report):
        return [Touched()] if report == b"\2" else super().feed(report)


class TouchesWhenFound(Touchy):
    def connected(self):
        self._free = True
        return []


class LongTouch(Touchy):
    def feed(self, report):
        return [Touched()] if report[1:] else super().feed(report)


class SharedSensor(Touchy):
    _free = None

    def __init__(self):
        pass

    def __setattr__(self, name, value):
        setattr(type(self), name, value)


BEACON_MISTAKES = {
    SaysOnlyNews: "expected show to give a report, got b''",
    Counts: "expected the report of a signal to be the same whatever was shown before, it is not",
    FastIsFlash: "expected people to tell apart red, flashing, calling and red, fast, urgent, the report is the same",
    OnlyLit: "expected people to tell apart red, flashing and yellow (cards are dealt), the report is the same",
    NoBlue: "expected a report for every signal, for one it failed (KeyError: <Light.FAST: 'fast'>)",
    HornIsRefused: "expected checked to let through what the codec itself sends, it refuses",
    RefusesByType: "expected checked to raise ValueError, it raised KeyError: ",
    EveryMillisecond: "expected every_s to be seconds from 0.05 to 60, got 0.001",
    FailsOnEmpty: "expected feed never to raise, it raised IndexError",
    TouchesAgain: "expected a finger that stays to be one touch, a report that comes twice told of two",
    TouchesWhenFound: "expected a finger that is there while the beacon is found to be no touch, feed told of one",
    LongTouch: "expected a report that is too long to be no touch, feed told of one",
    SharedSensor: "expected two devices of the model at once to be told apart, what one says depends on the other",
}


@pytest.fixture
def touches(tmp_path):
    """A capture of a sensor that is touched twice."""
    path = tmp_path / "touches.hex"
    path.write_text("01\n02\n01\n02\n02\n01\n")
    return path


@pytest.mark.parametrize("codec", BEACON_MISTAKES)
def test_a_mistake_in_a_beacon_is_told(codec, touches):
    captures = [touches] if issubclass(codec, Touchy) else []
    assert sentence(check_beacon, codec, STRIP.TOWER, captures).startswith(BEACON_MISTAKES[codec])


def test_a_tower_with_a_sensor_passes(touches):
    check_beacon(Touchy, STRIP.TOWER, [touches])


@pytest.mark.parametrize("model", BEACONS)
def test_our_own_beacons_pass(model, tmp_path):
    usb = {"lr6_usb": (0x191A, 0x8003), "ne_usb": (0x191A, 0x6001), "blink1": (0x27B8, 0x01ED)}[model]
    (tmp_path / "touch.hex").write_text("00 00\n00 01\n00 01\n00 00\n")
    check_beacon(BEACONS[model], usb, [tmp_path / "touch.hex"] if model == "ne_usb" else [])


# ── scanners ─────────────────────────────────────────────────────────────────────────────────────────────────────

HONEYWELL = (0x0C2E, 0x0DB3)
CODE = b"AS" + b"x" * 60  # over two reports: its first card is none


class Guesses(HidPos):
    """The card is read off the first two characters of any report."""

    def feed(self, report):
        card = report[5:7].decode("latin-1")
        known = card[:1] in "23456789TJQKA" and card[1:] in {"C", "D", "H", "S"}
        return [CardRead(card)] if known else super().feed(report)


class KeepsHalf(HidPos):
    def connected(self):
        return []


class TakesKeyboards(HidPos):
    def described(self, descriptor):
        super().described(DESCRIPTOR)


class NamesOtherwise(HidPos):
    def feed(self, report):
        return [CardRead("10H") if isinstance(one, CardRead) else one for one in super().feed(report)]


SCANNER_MISTAKES = {
    Guesses: "expected the cards AS TH in the captures, feed read AS AS",
    KeepsHalf: "expected connected to forget half a code, and what was read before it, it does not",
    TakesKeyboards: "expected described to say why it does not take another report descriptor, it took",
    NamesOtherwise: "expected a card such as AS, TD or 9H, feed gave '10H'",
}


@pytest.fixture
def cards(tmp_path):
    """A capture of three cards, the second one's code over two reports."""
    return written(tmp_path, [*reports(b"AS"), *reports(CODE), *reports(b"10H")])


def written(folder, said):
    path = folder / "said.hex"
    path.write_text("".join(f"{report.hex(' ')}\n" for report in said))
    return path


@pytest.mark.parametrize("codec", SCANNER_MISTAKES)
def test_a_mistake_in_a_scanner_is_told(codec, cards):
    assert sentence(check_scanner, codec, [cards], HONEYWELL, DESCRIPTOR, 2, ("AS", "TH")).startswith(
        SCANNER_MISTAKES[codec]
    )


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_our_own_scanner_passes_in_every_form(form, tmp_path):
    said = [*form.reports(b"AS"), *form.reports(CODE), *form.reports(b"10H")]
    if form.filled_to:  # zeros behind a report are taken
        said = [report[:62] for report in said]
    check_scanner(HidPos, [written(tmp_path, said)], HONEYWELL, form.descriptor, 2, ("AS", "TH"))


# ── badge readers ────────────────────────────────────────────────────────────────────────────────────────────────

BADGES = b"04A2B9C1F0\r\n\x0212345678\x03"


class Short(SerialBadges):
    def feed(self, data):
        return [BadgeRead(event.code[:4]) if isinstance(event, BadgeRead) else event for event in super().feed(data)]


class Talks(SerialBadges):
    def feed(self, data):
        return [Garbage(data, "no badge") if isinstance(one, Garbage) else one for one in super().feed(data)]


class Whole(SerialBadges):
    def feed(self, data):
        self.reset()
        return super().feed(data)


class Half(SerialBadges):
    def reset(self):
        pass


READER_MISTAKES = {
    Short: "expected a badge of 8 to 64 letters, digits or signs, feed told of one with 4",
    Talks: "expected garbage to say nothing of what came, it holds a part of it",
    Whole: "expected the same badges however the bytes are cut, they are others",
    Half: "expected reset to forget what was half received, after 1 bytes it does not",
}


@pytest.mark.parametrize("codec", READER_MISTAKES)
def test_a_mistake_in_a_badge_reader_is_told(codec, tmp_path):
    assert sentence(check_badge_reader, codec, [written(tmp_path, [BADGES])]).startswith(READER_MISTAKES[codec])


@pytest.mark.parametrize(("model", "said"), [("serial", BADGES), ("keyboard", keystrokes("04A2B9C1F0\n"))])
def test_our_own_badge_readers_pass(model, said, tmp_path):
    check_badge_reader(BADGE_READERS[model].makes, [written(tmp_path, [said])], keyboard=BADGE_READERS[model].keyboard)
