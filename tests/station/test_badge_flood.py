"""A badge reader that sends without end: it is cut off as every other device."""

from types import SimpleNamespace

import pytest

from controller.core import events as e
from controller.core.bounds import BURST
from controller.station import badge_reader
from controller.station.badge_reader import DEVICE, BadgeReader
from controller.station.guard import Guard


class CountedLine:
    """Link to a reader that counts what comes, if it has a counter."""

    def __init__(self, _port, _codec, _forward, weigh=None) -> None:
        self.weigh, self.is_cut_off = weigh or (lambda *_: None), False

    def cut_off(self) -> None:
        self.is_cut_off = True


@pytest.mark.parametrize(("telegrams", "is_cut_off"), [(BURST, False), (BURST + 1, True)])
def test_a_badge_reader_without_end_is_cut_off(telegrams, is_cut_off, monkeypatch):
    monkeypatch.setattr(badge_reader, "SerialLink", CountedLine)
    taken = list[e.Event]()
    table = SimpleNamespace(
        is_full=False, state=SimpleNamespace(cut_off=()), take=taken.append, subscribe=lambda _: None
    )
    reader = BadgeReader(None, None, table.take, "t1", Guard(DEVICE, table, 1.0))
    reader._link.weigh(0.0, telegrams)
    assert reader._link.is_cut_off is is_cut_off
    assert [type(event) for event in taken] == [e.Babbles] * is_cut_off
