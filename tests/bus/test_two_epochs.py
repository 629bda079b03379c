"""Record with two accepted losses: each event has the epoch of its time, and older heads are not sent."""

import asyncio
from types import SimpleNamespace

import msgspec
import pytest

from controller.bus.bus_client import BusClient
from controller.bus.bus_tasks import BusTasks
from controller.bus.keys import new_seed
from controller.bus.names import TableNames
from controller.bus.publisher import Publisher, Recent, Source, begin, epoch_of
from controller.bus.seals import Seals
from controller.bus.sender import BusMessage
from controller.core import records as r
from controller.core.coded_message import coded
from controller.core.mark import Mark
from controller.core.state import Loss
from controller.core.viewers import STRANGERS
from controller.core.witness import Contradiction
from controller.text.coded import render
from tests.patience import on_loop

TWO_LOSSES = SimpleNamespace(
    seq=30, losses=(Loss("e1", 10, None), Loss("e2", 20, None)), identity=SimpleNamespace(epoch="e3")
)

BUS = coded("the_bus")
MISSING = Contradiction(4, coded("record_missing", seq=4, where=BUS))
CHANGED = Contradiction(7, coded("record_changed", seq=7, where=BUS))


@pytest.mark.parametrize(("seq", "epoch"), [(1, "e1"), (10, "e1"), (11, "e2"), (20, "e2"), (21, "e3"), (30, "e3")])
def test_each_record_is_of_the_epoch_it_was_written_in(seq, epoch):
    """Losses after records 10 and 20: records up to 10 are of e1, up to 20 of e2, later ones of e3."""
    assert epoch_of(TWO_LOSSES, seq) == epoch


class Places:
    """Places of delivery targets, kept in memory."""

    def __init__(self, **places: int) -> None:
        self.kept = {f"bus {epoch}": seq for epoch, seq in places.items()}

    def read(self) -> dict[str, int]:
        return dict(self.kept)

    def move(self, target: str, seq: int) -> None:
        self.kept[target] = seq

    def begin(self, targets: list[str], end: int) -> dict[str, int]:
        return {target: min(self.kept.get(target, end), end) for target in targets}


@pytest.mark.parametrize(
    ("kept", "place"),
    [
        ({}, 20),  # nothing was ever sent: begin where the last epoch began
        ({"e1": 4}, 4),
        ({"e1": 15}, 10),  # not beyond the epoch's last record
        ({"e1": 4, "e2": 17}, 17),
        ({"e1": 4, "e2": 25}, 20),
        ({"e1": 4, "e2": 17, "e3": 28}, 28),
    ],
)
def test_publishing_resumes_in_the_last_epoch_that_was_sent(kept, place):
    assert begin(Places(**kept), TWO_LOSSES, 30) == ("bus e3", place)


@pytest.fixture
def publisher(tmp_path) -> Publisher:
    source = Source(
        TableNames("main", "t1"), tmp_path / "t.journal", lambda: TWO_LOSSES, ("server",), lambda: STRANGERS
    )
    return Publisher(source, Recent(), BusClient({}), b"secret", Seals(new_seed(), {}, {}))


def test_only_heads_newer_than_the_epochs_known_head_are_sent(publisher):
    """A head not newer than the known one of its epoch is skipped: the bus knows e2 up to record 15."""
    sent = []

    async def send(message: BusMessage) -> None:
        sent.append((message.epoch, message.seq))

    publisher.sender = SimpleNamespace(send=send, rivals=0)
    publisher.note_head(Mark("e2", 15, "aa", "t1"))

    async def steps():
        for epoch, seq in (("e2", 14), ("e2", 15), ("e1", 9), ("e2", 16), ("e2", 16), ("e1", 9), ("e3", 21)):
            await publisher._send(BusMessage("tablectl.main.t1.head", epoch, seq, b"{}"))

    on_loop(steps)
    assert sent == [("e1", 9), ("e2", 16), ("e3", 21)]


@pytest.mark.parametrize(("seq", "past"), [(10, {}), (11, {"e1": 10}), (20, {"e1": 10}), (21, {"e1": 10, "e2": 20})])
def test_a_head_names_the_epochs_before_its_own(publisher, monkeypatch, seq, past):
    monkeypatch.setattr("controller.bus.publisher.hash_at", lambda *_: b"")
    record = r.Record(seq, 0, "t1", r.CutCardDrawn())
    (head,) = publisher._head_at(record, epoch_of(TWO_LOSSES, seq), TWO_LOSSES)
    assert msgspec.json.decode(head.body).get("past", {}) == past


def test_heads_follow_the_events_of_all_subjects_in_order(publisher):
    """Events of one subject fail once: those of the other are sent, no head is, and the next attempt sends the rest."""
    sent, failing = [], {("a", 2)}
    publisher._line.up.set()
    head = TableNames("main", "t1").heads[0]
    messages = [BusMessage(subject, "e3", seq, b"{}") for seq in (1, 2, 3) for subject in ("a", "b", head)]

    async def send(message: BusMessage) -> None:
        await asyncio.sleep(0)
        if (message.subject, message.seq) in failing:
            raise TimeoutError
        sent.append((message.subject, message.seq))

    publisher.sender = SimpleNamespace(send=send, rivals=0)

    async def steps():
        assert "2" in await publisher._post(messages)
        assert sorted(sent) == [("a", 1), ("b", 1), ("b", 2), ("b", 3)]
        failing.clear()
        assert await publisher._post(messages) is None

    on_loop(steps)
    assert sent[4:] == [("a", 2), ("a", 3), (head, 1), (head, 2), (head, 3)]


def test_of_several_failures_that_of_the_earliest_record_is_named(publisher):
    async def send(_: BusMessage) -> None:
        raise TimeoutError

    publisher._line.up.set()
    publisher.sender = SimpleNamespace(send=send, rivals=0)
    on_loop(lambda: publisher._post([BusMessage("a", "e3", 3, b""), BusMessage("b", "e3", 2, b"")]))
    assert publisher.trouble.parts["seq"] == 2


def test_messages_of_rivals_are_a_trouble_only_while_there(publisher):
    """The trouble names the number of another publisher's messages, and ends when there are none."""
    publisher._line.up.set()
    publisher.sender = SimpleNamespace(send=None, rivals=1)

    async def steps():
        assert await publisher._post([]) is None
        assert "1" in render(publisher.trouble)
        publisher.sender.rivals = 0
        assert await publisher._post([]) is None
        assert publisher.trouble is None
        await asyncio.sleep(0)

    on_loop(steps)


def test_recent_records_are_given_only_without_a_gap():
    recent = Recent()
    assert recent.records_after(0, 5) is None
    recent.add([r.Record(seq, 0, "t", r.CutCardDrawn()) for seq in range(5, 12)])
    assert recent.records_after(3, 5) is None
    for after in range(4, 12):
        assert [one.seq for one in recent.records_after(after, 3)] == list(range(after + 1, min(after + 4, 12)))


def test_a_doubt_of_the_bus_ends_with_its_cause():
    """The table gets each change of the contradiction once, and None at the end."""
    firsts = []
    state = SimpleNamespace(doubts={}, unheard=0)
    table = SimpleNamespace(state=state, take=lambda event: state.doubts.update(witness=event.first))
    work = BusTasks.__new__(BusTasks)
    work._failed, work._comparison = "heads unseen", SimpleNamespace(heads=())
    work._publisher, work._requests = SimpleNamespace(), SimpleNamespace()
    work._ends = SimpleNamespace(table=table)
    loop = SimpleNamespace(call_soon_threadsafe=lambda take, event: (firsts.append(event.first), take(event)))
    work.table_loop = loop
    for found in (None, MISSING, MISSING, CHANGED, None):
        work._apply_comparison(found)
    assert (firsts, work._failed) == ([4, 7, None], None)
