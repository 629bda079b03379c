"""Heartbeats at a floor: heard from the table's present PC, and noted from everybody as a sign on the bus."""

from types import SimpleNamespace

import msgspec
import pytest

from controller.bus.keys import new_seed
from controller.bus.seals import Seals
from controller.bus.stream_reader import StoredMessage
from controller.core.mark import Mark
from controller.floor.live import subscriptions
from controller.floor.live.heartbeats import Beat
from controller.floor.live.live_tables import LiveTables
from controller.floor.live.subscriptions import TableSubscriptions
from tests.floor.statuses import START
from tests.patience import on_loop

TABLE = Seals(new_seed(), {}, {})


class JudgedBeats:
    """Subscriptions of a floor without a bus. `heard`: beats by which it heard a table."""

    def __init__(self) -> None:
        seals = Seals(new_seed(), {"t1": TABLE.public}, {})
        self.live = TableSubscriptions(
            SimpleNamespace(), "main", LiveTables("main", 6, lambda: START), seals, lambda: START
        )
        self.heard = list[tuple[str, Beat]]()
        self.live.heard = lambda *what: self.heard.append(what)

    def knows_head(self, epoch: str, seq: int) -> None:
        """Take a head of the table t1 from the bus."""
        subject, body = "tablectl.main.t1.head", msgspec.json.encode(Mark(epoch, 10 * seq, "00", "t1"))
        self.live._epochs._take([StoredMessage(subject, seq, TABLE.seal(subject, body), body, 0)])

    def take(self, epoch: str, *, signed: bool = True) -> None:
        """Take a beat of the table t1."""
        subject, body = "tablectl.main.t1.beat", msgspec.json.encode({"epoch": epoch, "seq": 10})
        headers = TABLE.seal(subject, body) if signed else {}
        on_loop(lambda: self.live._beat(SimpleNamespace(subject=subject, headers=headers, data=body)))


@pytest.fixture
def beats(monkeypatch) -> JudgedBeats:
    monkeypatch.setattr(subscriptions.Beats, "is_heard", lambda *_: True)
    monkeypatch.setattr(TableSubscriptions, "_is_later", lambda *_: True)
    return JudgedBeats()


def test_only_the_present_epochs_signed_beat_is_heard(beats):
    for seq, epoch in enumerate(("e1", "e2"), start=1):
        beats.knows_head(epoch, seq)
    beats.take("e2", signed=False)
    beats.take("e1")
    assert beats.heard == []
    beats.take("e2")
    assert beats.heard == [("t1", Beat("e2", 10))]


def test_a_table_whose_beats_do_not_count_is_unheard(beats):
    assert beats.live.unheard_tables == []
    beats.take("e1", signed=False)
    assert beats.live.unheard_tables == ["t1"]
