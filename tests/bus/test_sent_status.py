"""Status that a table hands to its bus thread: again until the bus has all records, then on changes only."""

from types import SimpleNamespace

import pytest

from controller.bus import bus
from controller.bus.bus import Bus


class ListeningThread:
    """Bus thread that notes each status. `runs`: False before its loop runs."""

    def __init__(self) -> None:
        self.acknowledged_seq: int | None = 7
        self.runs, self.told = True, list[bytes]()

    def tell(self, body: bytes) -> bool:
        self.told.append(body)
        return self.runs


@pytest.fixture
def one(monkeypatch) -> Bus:
    """Bus of a table with seven records, whose status is its troubles."""
    monkeypatch.setattr(bus, "status", lambda _, troubles: troubles)
    one = Bus.__new__(Bus)
    one.troubles = ["a"]
    one._ends = SimpleNamespace(table=SimpleNamespace(state=SimpleNamespace(seq=7)), troubles=lambda: one.troubles)
    one._work, one._last_status = ListeningThread(), b""
    return one


def test_a_status_is_sent_until_the_bus_has_all_records(one):
    for acknowledged, times in ((None, 1), (6, 2), (6, 3), (7, 3), (7, 3)):
        one._work.acknowledged_seq = acknowledged
        assert one._send_status()
        assert len(one._work.told) == times


def test_a_changed_status_is_sent_once(one):
    for troubles in (["a"], ["a"], [], [], ["a"]):
        one.troubles = troubles
        assert one._send_status()
    assert one._work.told == [b'["a"]', b"[]", b'["a"]']


def test_a_status_that_no_thread_took_is_sent_again(one):
    one._work.runs = False
    assert not one._send_status()
    one._work.runs = True
    assert one._send_status()
    assert len(one._work.told) == 2


def test_a_table_without_records_has_no_status(one):
    one._ends.table.state.seq = 0
    assert one._send_status()
    assert one._work.told == []
