"""Tests that `check_panel` reports each mistake in a panel's codec in its own sentence."""

import time

import pytest

from controller.testing import check_panel
from drivers.events import Garbage, Pressed, Released
from drivers.panels import PANELS, Colour, Form
from drivers.panels import Light as Lamp
from tests.plugins.plants import STRIP, assert_reported_with_change, report_of
from tests.plugins.site import ROOT

KEYS_OF_STRIP = [ROOT / "examples/key_strip/keys.hex"], STRIP.STRIP, 1, (0, 3, 7, 5)
KeyStrip = STRIP.KeyStrip


class EventsInWords(KeyStrip):
    def feed(self, report):
        return [f"key {event.key}" for event in super().feed(report) if not isinstance(event, Garbage)]


class FailsOnShort(KeyStrip):
    def feed(self, report):
        return super().feed(report) if report[1] in range(256) else []


class FillsUp(KeyStrip):
    """Fills a short report with zeros, so that all keys are released."""

    def feed(self, report):
        return super().feed(report[:2].ljust(2, b"\0") if report[:1] == b"\1" else report)


class AnyId(KeyStrip):
    def feed(self, report):
        return super().feed(b"\1" + report[1:])


class NoEdges(KeyStrip):
    """Reports every key that is down as pressed, in each report."""

    def feed(self, report):
        events = super().feed(report)
        return [*events, *(Pressed(key) for key in self.keys if len(report) == 2 and report[1] >> key & 1)]


class OneKey(KeyStrip):
    """Sees only the lowest of several keys that are down."""

    def feed(self, report):
        return super().feed(bytes([report[0], report[1] & -report[1]]) if len(report) == 2 else report)


class OneRelease(KeyStrip):
    """Reports only one of several keys that are released at once."""

    def feed(self, report):
        events = super().feed(report)
        released = [event for event in events if isinstance(event, Released)]
        return [event for event in events if event not in released[1:]]


class ReleasesWhatWasHeld(KeyStrip):
    """Remembers the keys across a reconnect until a report with no key down."""

    held, found = 0, False

    def connected(self):
        self.held, self.found = self._down or self.held, True
        return super().connected()

    def feed(self, report):
        events = super().feed(report)
        if self.found and len(report) == 2 and report[0] == 1:
            self.found, held, self.held = False, self.held, 0
            return [Released(key) for key in self.keys if held >> key & 1] if report[1] == 0 else events
        return events


class PressesOnNoise(KeyStrip):
    """Reports a key that it does not have for long reports of another id."""

    def feed(self, report):
        return [Pressed(99)] if len(report) == 3 and report[0] != 1 else super().feed(report)


class EightOfSeven(KeyStrip):
    """Declares seven keys and reports eight."""

    keys = tuple(range(7))

    def __init__(self):
        self.connected, self.feed = (inner := KeyStrip()).connected, inner.feed


class Mirrored(KeyStrip):
    """Numbers its keys from the right."""

    def feed(self, report):
        return [event if isinstance(event, Garbage) else type(event)(7 - event.key) for event in super().feed(report)]


class SharesKeys(KeyStrip):
    """Stores the keys that are down in the class, for all strips together."""

    _down = None

    def __init__(self):
        type(self)._down = None

    def __setattr__(self, name, value):
        setattr(type(self), name, value)


class ReconnectRemembers(KeyStrip):
    def connected(self):
        return []


class PressesWhatIsHeld(KeyStrip):
    def connected(self):
        self._down = 0
        return []


class Dated(KeyStrip):
    def feed(self, report):
        at = int(time.monotonic() * 1000)
        return [Pressed(one.key, at) if isinstance(one, Pressed) else one for one in super().feed(report)]


class Debounces(KeyStrip):
    """Ignores presses within ten minutes of another press."""

    last = -1000.0

    def feed(self, report):
        events = super().feed(report)
        if any(isinstance(event, Pressed) for event in events):
            if 0 < time.monotonic() - self.last < 600:
                return [event for event in events if not isinstance(event, Pressed)]
            self.last = time.monotonic()
        return events


class KeepsAClock(KeyStrip):
    """Calls a clock that the source names only as a default argument."""

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self._clock = clock

    def feed(self, report):
        at = int(self._clock() * 1000)
        return [Pressed(one.key, at) if isinstance(one, Pressed) else one for one in super().feed(report)]


NOW = time.monotonic


class NamesAClock(KeyStrip):
    def feed(self, report):
        at = int(NOW() * 1000)
        return [Pressed(one.key, at) if isinstance(one, Pressed) else one for one in super().feed(report)]


class PanelSleeps(KeyStrip):
    """Sleeps through an import that the check of the source does not see."""

    def feed(self, report):
        __import__("time").sleep(0.01)
        return super().feed(report)


class GarbageForgets(KeyStrip):
    def feed(self, report):
        events = super().feed(report)
        if any(isinstance(event, Garbage) for event in events):
            self._down = 0
        return events


class TakesAll(KeyStrip):
    def matches(self, vendor, product):
        return True


class SendsAll(KeyStrip):
    def checked(self, report):
        return super().checked(report) if report[:1] == b"\2" else report


class TakesShort(KeyStrip):
    def checked(self, report):
        return report if len(report) == 3 else super().checked(report)


class TakesLong(KeyStrip):
    def checked(self, report):
        return report if len(report) == 5 else super().checked(report)


class FirstIsRefused(KeyStrip):
    def connected(self):
        super().connected()
        return [b"\x07"]


class OffIsOn(KeyStrip):
    def backlight(self, key, light, colour):
        return super().backlight(key, Lamp.ON, colour)


class AnyKeyIsLit(KeyStrip):
    def backlight(self, key, light, colour):
        return super().backlight(key % 8, light, colour)


class NoRed(KeyStrip):
    def backlight(self, key, light, colour):
        return super().backlight(key, light, {"blue": Colour.BLUE}[colour.value])


class Unlit(KeyStrip):
    backlight = None


class ScreenStrip(KeyStrip):
    """Correct panel whose keys are screens; one report shows a picture on a key."""

    form = Form(72, "JPEG")

    def picture(self, key, picture):
        return [self.backlight(key, Lamp.ON, Colour.BLUE)]


class OneScreen(ScreenStrip):
    def picture(self, key, picture):
        return super().picture(key if key not in self.keys else 0, picture)


class AnyKeyIsAScreen(ScreenStrip):
    def picture(self, key, picture):
        return super().picture(key % 8, picture)


BYTES_ALONE = "expected a codec that uses only the bytes it gets, test_panel_defects.py uses"
PANEL_MISTAKES = {
    EventsInWords: "expected only events of this kind of device, feed returned 'key 0'",
    FailsOnShort: "expected feed never to raise, it raised IndexError: index out of range",
    FillsUp: "expected no press or release from a report that is too short, feed returned released ",
    AnyId: "expected no press or release from a report that is of another id, feed returned pressed 0",
    NoEdges: "expected a key to be released before it is pressed again, key 0 was pressed twice",
    OneKey: "expected two keys in keys.hex to be down together, feed returned one at a time",
    OneRelease: "expected no key down after a report was lost, feed's events give keys 7 down",
    Mirrored: "expected keys 0, 3, 7, 5 to be pressed in the captures, feed returned 7, 4, 0, 2",
    ReleasesWhatWasHeld: "expected no press or release from the first report after connected(), feed returned rel",
    PressesOnNoise: "expected keys of the panel (0 to 7), feed returned 99",
    EightOfSeven: "expected keys of the panel (0 to 6), feed returned 7",
    SharesKeys: "expected two codecs to be independent, the events of one depend on the other",
    ReconnectRemembers: "expected no press or release from the first report after connected(), feed returned ",
    PressesWhatIsHeld: "expected no press or release from the first report after connected(), feed returned pressed ",
    Dated: f"{BYTES_ALONE} time.monotonic",
    Debounces: f"{BYTES_ALONE} time.monotonic",
    KeepsAClock: f"{BYTES_ALONE} time.monotonic",
    NamesAClock: f"{BYTES_ALONE} NOW",
    PanelSleeps: "expected feed to return at once, it waits",
    GarbageForgets: "expected a report that is garbage to change nothing, the report after it gives other events",
    TakesAll: "expected matches to be True for this model alone, it is also True for 046D:C31C",
    SendsAll: "expected checked to raise ValueError for what is no report of this codec, it returned",
    TakesShort: "expected checked to raise ValueError for what is no report of this codec, it returned",
    TakesLong: "expected checked to raise ValueError for what is no report of this codec, it returned",
    FirstIsRefused: "expected checked to return what the codec itself sends, it refuses",
    OffIsOn: "expected another report for each key, and another for a lamp on than off, some are the same",
    AnyKeyIsLit: "expected ValueError for a key that is not there (-1), it returned a report",
    OneScreen: "expected another report for each key, some are the same",
    AnyKeyIsAScreen: "expected ValueError for a key that is not there (-1), it returned a report",
    NoRed: "expected a report for every key and light, it failed (KeyError: 'red')",
    Unlit: "expected the keys to have lamps (backlight) or screens (form, picture), they have neither",
}


@pytest.mark.parametrize("codec", PANEL_MISTAKES)
def test_a_mistake_in_a_panel_is_reported(codec):
    assert_reported_with_change(report_of(check_panel, codec, *KEYS_OF_STRIP), PANEL_MISTAKES[codec])


def test_a_panel_with_screens_as_keys_passes():
    check_panel(ScreenStrip, *KEYS_OF_STRIP)


@pytest.mark.parametrize("model", PANELS)
def test_our_own_panels_pass(model):
    codec = PANELS[model]()
    vendor, report_id = (0x05F3, None) if model.startswith("xk") else (0x0FD9, 1)
    capture = ROOT / f"tests/captures/{model}_keys.hex"
    check_panel(PANELS[model], [capture], (vendor, codec.model.products[0]), report_id)
