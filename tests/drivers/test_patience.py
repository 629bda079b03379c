"""Patience with a missing device: when a link tries again, and when it reports the trouble."""

import pytest

from drivers.patience import DeviceCannotServe, Patience


@pytest.fixture
def patience() -> Patience:
    return Patience(patience_s=2.0, retry_s=0.05, poll_s=0.5, longest_poll_s=5.0)


def test_a_passing_trouble_is_reported_once_when_it_has_lasted(patience):
    trouble = DeviceCannotServe("no permission")
    assert patience.note_trouble(trouble, 100.0) is None
    assert patience.note_trouble(trouble, 101.9) is None
    assert patience.note_trouble(trouble, 102.0) == "no permission"
    assert patience.note_trouble(trouble, 200.0) is None


def test_a_lasting_trouble_is_reported_at_once(patience):
    assert patience.note_trouble(DeviceCannotServe("hardware mode", passing=False), 100.0) == "hardware mode"


def test_tries_come_fast_while_patience_lasts(patience):
    assert patience.pause() == 0.5
    patience.note_trouble(DeviceCannotServe("no permission"), 100.0)
    assert patience.pause() == 0.05
    patience.note_trouble(DeviceCannotServe("no permission"), 102.0)
    assert patience.pause() == 0.5


def test_a_trouble_is_reported_again_after_the_device_left(patience):
    trouble = DeviceCannotServe("hardware mode", passing=False)
    patience.note_trouble(trouble, 100.0)
    patience.note_absence()
    assert patience.note_trouble(trouble, 101.0) == "hardware mode"


def test_a_trouble_is_reported_again_after_the_device_served(patience):
    trouble = DeviceCannotServe("hardware mode", passing=False)
    for _ in range(2):
        assert patience.note_trouble(trouble, 100.0) == "hardware mode"
        patience.note_service(3600.0)


def test_an_absence_is_reported_once_after_each_forget(patience):
    assert not patience.note_absence()
    for _ in range(2):
        patience.forget()
        patience.note_service(3600.0)  # the device that was open until then
        assert [patience.note_absence(), patience.note_absence()] == [True, False]


def test_a_reported_trouble_is_reported_again_after_forget(patience):
    trouble = DeviceCannotServe("hardware mode", passing=False)
    for _ in range(2):
        assert patience.note_trouble(trouble, 100.0) == "hardware mode"
        assert patience.note_trouble(trouble, 100.0) is None
        patience.forget()


def test_pauses_grow_when_a_device_leaves_at_once(patience):
    pauses = []
    for _ in range(6):
        patience.note_service(0.1)
        pauses.append(patience.pause())
    assert pauses == [1.0, 2.0, 4.0, 5.0, 5.0, 5.0]


def test_a_device_that_served_long_is_looked_for_soon(patience):
    patience.note_service(0.1)
    patience.note_service(3600.0)
    assert patience.pause() == 0.5
