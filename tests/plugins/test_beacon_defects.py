"""Tests that `check_beacon` reports each mistake in a beacon's codec in its own sentence."""

import time

import pytest

from controller.testing import check_beacon
from drivers.beacons import BEACONS, DARK, Light, Sound
from drivers.events import Garbage, Touched
from tests.plugins.plants import STRIP, assert_reported_with_change, report_of

LightTower = STRIP.LightTower


class SaysOnlyNews(LightTower):
    shown = None

    def show(self, signal):
        before, self.shown = self.shown, signal
        return b"" if before == signal else super().show(signal)


class Counts(LightTower):
    """Puts the number of the report into its last byte."""

    number = 0

    def show(self, signal):
        Counts.number = (Counts.number + 1) % 3
        return super().show(signal)[:6] + bytes([Counts.number])


class FastIsFlash(LightTower):
    def show(self, signal):
        report = super().show(signal)
        return report[:1] + bytes(min(light, 2) for light in report[1:6]) + b"\0"


class OnlyLit(LightTower):
    """Never flashes, so that a calling signal looks like a steady one."""

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


class SendsNothing(LightTower):
    report_bytes = 0


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
    """Correct beacon with a sensor: 01 free, 02 touched."""

    report_bytes = 1

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


class FlashesByTheClock(LightTower):
    def show(self, signal):
        return super().show(signal if int(time.time()) % 2 else DARK)


class Dawdles(LightTower):
    """Sleeps through an import that the check of the source does not see."""

    def feed(self, report):
        __import__("time").sleep(0.01)
        return super().feed(report)


class LooksAtTheLength(LightTower):
    """Accepts any content of the right length."""

    def checked(self, report):
        if len(report) != len(super().show(DARK)):
            raise ValueError("length")
        return report


BEACON_MISTAKES = {
    SaysOnlyNews: "expected show to return a report, got b''",
    Counts: "expected the report of a signal to be the same whatever was shown before, it is not",
    FastIsFlash: 'expected another report for each of "red, flashing, calling" and "red, fast, urgent", it is the same',
    OnlyLit: 'expected another report for each of "red, flashing" and "yellow (cards are dealt)", it is the same',
    NoBlue: "expected show to return a report for every signal, it failed (KeyError: <Light.FAST: 'fast'>)",
    HornIsRefused: "expected checked to return what the codec itself sends, it refuses",
    RefusesByType: "expected checked to raise ValueError, it raised KeyError: ",
    LooksAtTheLength: "expected checked to raise ValueError for what is no report of this codec, it returned",
    SendsNothing: "expected report_bytes to be the bytes of the longest report, got 0",
    EveryMillisecond: "expected every_s to be seconds from 0.05 to 60, got 0.001",
    FailsOnEmpty: "expected feed never to raise, it raised IndexError",
    TouchesAgain: "expected one Touched while the finger stays, feed returned it again for the same report",
    TouchesWhenFound: "expected a finger that is there while the beacon is found to be no touch, feed returned Touched",
    LongTouch: "expected a report that is too long to be no touch, feed returned Touched",
    FlashesByTheClock: "expected a codec that uses only the bytes it gets, test_beacon_defects.py uses time.time",
    Dawdles: "expected feed to return at once, it waits",
    SharedSensor: "expected two codecs to be independent, the events of one depend on the other",
}


@pytest.fixture
def touches(tmp_path):
    """Write a capture of a sensor that is touched twice."""
    path = tmp_path / "touches.hex"
    path.write_text("01\n02\n01\n02\n02\n01\n")
    return path


@pytest.mark.parametrize("codec", BEACON_MISTAKES)
def test_a_mistake_in_a_beacon_is_reported(codec, touches):
    captures = [touches] if issubclass(codec, Touchy) else []
    assert_reported_with_change(report_of(check_beacon, codec, STRIP.TOWER, captures), BEACON_MISTAKES[codec])


def test_a_tower_with_a_sensor_passes(touches):
    check_beacon(Touchy, STRIP.TOWER, [touches])


@pytest.mark.parametrize("model", BEACONS)
def test_our_own_beacons_pass(model, tmp_path):
    usb = {"lr6_usb": (0x191A, 0x8003), "ne_usb": (0x191A, 0x6001), "blink1": (0x27B8, 0x01ED)}[model]
    (tmp_path / "touch.hex").write_text("00 00\n00 01\n00 01\n00 00\n")
    check_beacon(BEACONS[model], usb, [tmp_path / "touch.hex"] if model == "ne_usb" else [])
