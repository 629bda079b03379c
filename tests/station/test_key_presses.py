"""Double press of FINISH on the panel counts once, as on the screen."""

import re
from pathlib import Path

import pytest

from controller.core import events as e
from controller.station.device_events import UsbEvents
from controller.station.key_presses import BOUNCE, KeyPresses
from drivers import events as d


class Finger:
    """Finger that presses keys at chosen times, and keeps the events that the table received."""

    def __init__(self, pace: float = 1.0) -> None:
        self.heard: list[e.Event] = []
        self.now = 0.0
        self._keys = KeyPresses(self.heard.append, pace, lambda: self.now)

    def press(self, key: e.Key, after: float = 0.0) -> None:
        self.now += after
        self._keys.press(key)


def test_a_second_press_of_finish_at_once_is_ignored():
    finger = Finger()
    finger.press("finish")
    finger.press("finish", after=BOUNCE - 0.001)
    assert finger.heard == [e.KeyPressed("finish")]


@pytest.mark.parametrize("key", ["open", "close", "ready", "dropped", "manager"])
def test_any_other_key_is_heard_each_time(key):
    finger = Finger()
    for _ in range(2):
        finger.press(key)
    assert finger.heard == [e.KeyPressed(key)] * 2


def test_a_later_press_counts_again():
    finger = Finger()
    finger.press("finish")
    finger.press("finish", after=BOUNCE)
    assert finger.heard == [e.KeyPressed("finish")] * 2


@pytest.mark.parametrize(("pace", "heard"), [(0.5, 1), (1.0, 1), (7.0, 2)])
def test_a_fast_emulated_panel_has_a_shorter_bounce_time(pace, heard):
    finger = Finger(pace)
    finger.press("finish")
    finger.press("finish", after=BOUNCE / 7.0)
    assert len(finger.heard) == heard


def test_each_repeated_press_extends_the_bounce_time():
    finger = Finger()
    for _ in range(5):
        finger.press("finish", after=BOUNCE / 2)
    assert finger.heard == [e.KeyPressed("finish")]


def test_finish_counts_again_after_another_key():
    finger = Finger()
    pressed: list[e.Key] = ["finish", "manager", "finish"]
    for key in pressed:
        finger.press(key)
    assert finger.heard == [e.KeyPressed(key) for key in pressed]


def test_a_panel_passes_two_presses_at_once_on_once():
    took: list[e.Event] = []
    panel = UsbEvents(took.append, "t", {2: "finish"})
    for device_event in (d.Pressed(2), d.Released(2), d.Pressed(2), d.Released(2)):
        panel(device_event)
    assert took == [e.KeyPressed("finish")]


def test_panel_and_screen_have_the_same_bounce_time():
    page = (Path(__file__).parents[2] / "controller/web/pages/keys.js").read_text()
    assert re.findall(r"^const BOUNCE = (\d+);", page, re.MULTILINE) == [f"{BOUNCE * 1000:.0f}"]
