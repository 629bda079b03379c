"""Store of a floor with several gaps, tables and epochs: each gap is filled or given up by itself."""

import asyncio
import random
from contextlib import closing
from types import SimpleNamespace

import msgspec
import pytest
from structlog.testing import capture_logs

from controller.core.clock import SECOND, to_text
from controller.floor.storage import gap_requests
from controller.floor.storage.gap_requests import LATER, GapFiller
from controller.floor.storage.store import Gap, Store
from controller.floor.storage.table_epochs import last_epoch, line
from controller.floor.storage.table_events import TableEvent, Unanswered, decode_event
from tests.clocks import ManualClock
from tests.floor.statuses import START
from tests.patience import on_loop, until


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "main.floor")) as one:
        yield one


def event(seq: int, table: str = "t1", epoch: str = "e1", kind: str = "ignored", **about: object) -> TableEvent:
    """Return an event of a table with these fields."""
    fields = {"seq": seq, "kind": kind, "at": to_text(START + seq * SECOND), "table": table, **about}
    return decode_event(table, epoch, msgspec.json.encode(fields))


def events(*seqs: int, **of: str) -> list[TableEvent]:
    """Return one event for each number."""
    return [event(seq, **of) for seq in seqs]


def gaps(store: Store) -> list[tuple[str, str, int, int]]:
    """Return all gaps: table, epoch, first and last missing number."""
    return sorted(tuple(gap) for gap in store.gaps())


def test_each_gap_is_filled_by_its_own_events(store):
    store.add([*events(1, 4, 8, 12), *events(1, 8, table="t2")])
    assert gaps(store) == [("t1", "e1", 2, 3), ("t1", "e1", 5, 7), ("t1", "e1", 9, 11), ("t2", "e1", 2, 7)]
    store.add(events(6))
    store.add(events(10, 9))
    store.add(events(3, table="t2"))
    assert gaps(store) == [
        ("t1", "e1", 2, 3), ("t1", "e1", 5, 5), ("t1", "e1", 7, 7), ("t1", "e1", 11, 11),
        ("t2", "e1", 2, 2), ("t2", "e1", 4, 7),
    ]  # fmt: skip
    store.add([*events(*range(2, 12)), *events(*range(2, 8), table="t2")])
    assert gaps(store) == []


@pytest.mark.parametrize("seed", range(5))
def test_gaps_are_the_missing_numbers_in_any_order(store, seed):
    dice, come = random.Random(seed), set()
    for seq in [1, *dice.sample(range(2, 40), 30)]:
        store.add(events(seq))
        come.add(seq)
        missing = set(range(1, max(come))) - come
        assert {seq for gap in store.gaps() for seq in range(gap.first, gap.last + 1)} == missing


@pytest.mark.parametrize(
    ("first", "last", "left"),
    [
        (2, 3, [(5, 7)]),
        (2, 2, [(3, 3), (5, 7)]),
        (2, 5, [(6, 7)]),
        (3, 3, [(2, 3), (5, 7)]),
    ],
)
def test_only_the_beginning_of_a_gap_is_given_up(store, first, last, left):
    store.add([*events(1, 4, 8), *events(1, 4, table="t2")])
    store.give_up(Gap("t1", "e1", first, last))
    assert gaps(store) == [*(("t1", "e1", *gap) for gap in left), ("t2", "e1", 2, 3)]


def test_the_place_in_the_stream_never_goes_back(store):
    assert store.follow("made then", 100) == 0
    for cursor, stands in ((10, 10), (7, 10), (None, 10), (12, 12)):
        store.add([], cursor)
        assert store.cursor == stands
    assert store.follow("made then", 12) == 12
    assert store.follow("made then", 11) == 0  # an older copy of the stream
    store.add([], 5)
    assert store.follow("made later", 100) == 0


def test_old_events_are_forgotten_except_each_epochs_last(store):
    store.add([*events(1, 2, 3), *events(1, 2, table="t2")])
    before = to_text(START + 3 * SECOND)
    while store.forget(before):
        pass
    assert [[one.seq for one in store.events(table, "e1")] for table in ("t1", "t2")] == [[3], [2]]
    while store.forget(to_text(START + 100 * SECOND)):
        pass
    assert [[one.seq for one in store.events(table, "e1")] for table in ("t1", "t2")] == [[3], [2]]


def test_gaps_before_a_new_epoch_belong_to_the_previous_epoch(store):
    """The first known event of e3 has number 7, the last of e2 number 4: 5 and 6 are missing in e2."""
    store.add(events(1, 2, epoch="e1"))
    store.add(events(3, epoch="e2", kind="loss_accepted"))
    store.add(events(4, epoch="e2"))
    store.add(events(7, epoch="e3"))
    assert ("t1", "e2", 5, 6) in gaps(store)
    assert not [gap for gap in gaps(store) if gap[1] == "e1"]


def test_a_gap_filled_from_its_start_is_not_given_up(store):
    async def ask(*_: object) -> list[bytes]:
        return [one.body for one in events(2, 3)]

    async def steps():
        task = asyncio.create_task(GapFiller(store, ask, lambda _: None).run())
        await until(lambda: "hole_filled" in [log["event"] for log in logs])
        task.cancel()

    store.add(events(1, 4))
    with capture_logs() as logs:
        on_loop(steps)
    assert [log["event"] for log in logs] == ["hole_filled"]


def test_a_line_of_epochs_ends_where_another_left_it(store):
    """e2 continued e1 after record 10, and e3 an older copy of e2, which ended with record 5."""
    store.add(events(*range(1, 13)))
    for seq, epoch, before in ((11, "e2", "e1"), (6, "e3", "e2")):
        body = {"seq": seq, "kind": "loss_accepted", "epoch": epoch, "before": before}
        store.add([decode_event("t1", epoch, msgspec.json.encode(body))])
    with store.open_read_only() as db:
        assert [(part.epoch, part.until) for part in line(db, "t1", "e2")] == [("e2", None), ("e1", 10)]
        assert [(part.epoch, part.until) for part in line(db, "t1", "e3")] == [("e3", None), ("e2", 5), ("e1", 5)]
        assert [last_epoch(db, "t1", "e1", seq) for seq in (5, 6, 11)] == ["e3", "e2", "e1"]


def test_a_silent_table_delays_no_other_one(store, monkeypatch):
    """It is asked again after half a minute; the other table's events are stored and reported at once."""
    clock, asked, heard, silent = ManualClock(), [], [], {"t1"}
    monkeypatch.setattr(gap_requests, "time", SimpleNamespace(monotonic=clock))

    async def ask(table: str, *_: object) -> list[bytes]:
        asked.append(table)
        if table in silent:
            raise Unanswered("silent")
        return [one.body for one in events(2, 3, table=table)]

    async def steps():
        filler = GapFiller(store, ask, lambda new: heard.extend((one.table, one.seq) for one in new))
        with capture_logs() as logs:
            await filler._fill()
        (left,) = (one for one in logs if one["event"] == "hole_left")
        assert [left[name] for name in ("table", "first", "last", "reason")] == ["t1", 2, 3, "silent"]
        assert (sorted(asked), heard) == (["t1", "t2"], [("t2", 2), ("t2", 3)])
        silent.clear()
        for seconds in (LATER - 1, 1):
            clock.now += seconds
            await filler._fill()
            assert len(asked) == (2 if seconds > 1 else 3)
        assert (gaps(store), heard[2:]) == ([], [("t1", 2), ("t1", 3)])

    store.add([*events(1, 4), *events(1, 4, table="t2")])
    on_loop(steps)


def test_events_the_table_no_longer_has_are_given_up(store):
    """The table's answer begins with a later event than the first of the gap."""

    async def steps():
        requests: list[tuple[str, str, int]] = []

        async def ask(*request: object) -> list[bytes]:
            requests.append(request)
            return [one.body for one in events(5, 6)]

        task = asyncio.create_task(GapFiller(store, ask, lambda _: None).run())
        await until(lambda: gaps(store) == [("t1", "e1", 7, 8)])
        task.cancel()
        assert requests[0] == ("t1", "e1", 1)

    store.add(events(1, 9))
    with capture_logs() as logs:
        on_loop(steps)
    assert logs[0] == {"event": "hole_given_up", "log_level": "warning", "table": "t1", "first": 2, "last": 4}
