"""Device events of drivers become events of the table, and each loss of a device is passed on once."""

import pytest

from controller.core import events as e
from controller.station.device_events import ShoeEvents, UsbEvents
from drivers import events as d


def shoe_events(device_event):
    took = []
    ShoeEvents(took.append, "t")(device_event)
    return took


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (d.CardRead("9H", "player", 1), e.CardOut("9H", "player", 1)),
        (d.CardRead("9H"), e.CardOut("9H")),
        (d.CardUnreadable(), e.CardOut(None)),
        (d.CardUnreadable(b"", "banker", 2), e.CardOut(None, "banker", 2)),
        (d.CardUnreadable(in_game=False), e.CardOut(None, "outside")),
        (d.CutCard(), e.CutCardOut()),
        (d.ShoeStarted(), e.ShoeStandsBy()),
        (d.StandBy(), e.ShoeStandsBy()),
        (d.ShoeResult("tie", ("player",)), e.ShoeSays("tie", ("player",))),
        (d.ShoeError(4, "reverse run at exit"), e.ShoeFails(4, "reverse run at exit")),
        (d.Lost("unplugged"), e.LostDevice("shoe", "unplugged")),
        (d.Found("/dev/x"), e.FoundDevice("shoe", "/dev/x")),
    ],
)
def test_what_a_shoe_says_reaches_the_table(said, told):
    assert shoe_events(said) == [told]


def test_a_card_drawn_outside_the_shoes_game_fits_no_place():
    assert shoe_events(d.CardRead("9H", in_game=False)) == [e.CardOut("9H", "outside")]


def test_an_unknown_card_is_an_unread_card():
    assert shoe_events(d.CardRead("1X", "player")) == [e.CardOut(None, "player")]


@pytest.mark.parametrize("said", [d.Garbage(b"\x01", "noise"), d.LockChanged(locked=True)])
def test_garbage_and_lock_changes_are_no_table_events(said):
    assert shoe_events(said) == []


def test_a_key_without_a_meaning_does_nothing():
    took = []
    ear = UsbEvents(took.append, "t", {5: "manager"})
    for device_event in (d.Pressed(4), d.Released(5), d.Pressed(5)):
        ear(device_event)
    assert took == [e.KeyPressed("manager")]


def test_a_panel_that_cannot_serve_is_lost_once():
    took = []
    ear = UsbEvents(took.append, "t", {})
    for device_event in (
        d.DeviceUnusable("hardware mode"),
        d.DeviceUnusable("hardware mode"),
        d.Found("usb"),
        d.Lost("unplugged"),
    ):
        ear(device_event)
    assert [type(event) for event in took] == [e.LostDevice, e.FoundDevice, e.LostDevice]


def test_an_expected_device_that_is_missing_is_lost_once():
    took = []
    ear = UsbEvents(took.append, "t", {}, "beacon")
    ear.report_if_missing()
    ear.report_if_missing()
    assert took == [e.LostDevice("beacon", "no such beacon is plugged in")]


@pytest.mark.parametrize("before", [(), (d.Found("usb"),), (d.Found("usb"), d.Lost("unplugged"))])
def test_a_missing_panel_taken_back_is_lost_again(before):
    took = []
    ear = UsbEvents(took.append, "t", {})
    for device_event in before:
        ear(device_event)
    for _ in range(2):
        took.clear()
        ear.take_back()
        ear.report_if_missing()  # the link has not searched for it yet
        assert took == []
        ear(d.Missing())
        assert took == [e.LostDevice("panel", "no such panel is plugged in")]


def test_a_panel_that_has_shown_itself_is_not_missing():
    took = []
    ear = UsbEvents(took.append, "t", {})
    ear(d.Found("usb at 1-1"))
    ear.report_if_missing()
    assert took == [e.FoundDevice("panel", "usb at 1-1")]


def test_a_panels_serial_number_is_passed_on_with_its_address():
    took = []
    UsbEvents(took.append, "t", {})(d.Found("usb at 1-1", "T1"))
    assert took == [e.FoundDevice("panel", "usb at 1-1", "T1")]
