"""Epochs that a later epoch has given up: their rounds count in no number of a floor."""

import sqlite3
from contextlib import closing
from itertools import permutations

import msgspec
import pytest

from controller.core import events as e
from controller.core.mark import Mark
from controller.floor.history.figure_file import FigureFile
from controller.floor.storage.schema import SCHEMA
from controller.floor.storage.store import Store
from controller.floor.storage.table_epochs import next_epoch
from controller.floor.storage.table_events import decode_event
from controller.reports.figures import Figures
from tests.bus.two_pcs import take_over_by_two
from tests.core.bench import Bench
from tests.floor.history.test_numbers import EVER, NATURAL, SHIFTS, events
from tests.floor.service import OneFloor
from tests.patience import on_loop, until


def parts():
    """Return the events of three epochs: e1 with two rounds, e2 and e3 with one round each behind e1.

    Epoch e3 gives e2 up.
    """
    first = Bench()
    first.says(f"{NATURAL}; {NATURAL}")
    stands, found = len(first.records), [events("e1", first.records)]
    lost = Mark("e2", stands + 30, "0c" * 32, "table", {"e1": stands})
    for epoch, mark in (("e2", None), ("e3", lost)):
        bench = Bench()
        bench.records, bench.state, bench.now = [*first.records], first.state, first.now
        bench.do(e.AcceptLoss("eva", "disk", epoch, mark))
        bench.says(NATURAL)
        began, *rest = events(epoch, bench.records[stands:])
        body = {**msgspec.json.decode(began.body), "before": "e1"}  # a bench has no epoch
        found.append([decode_event("table", epoch, msgspec.json.encode(body)), *rest])
    return found


def of_store(store):
    """Return number and epoch of the rounds that count."""
    with store.open_read_only() as db:
        return sorted(db.execute("SELECT number, epoch FROM rounds WHERE NOT lost"))


def of_counted(counted):
    """Return the number of rounds in the stored figures."""
    whole = Figures()
    for row in counted.rows(0, EVER):
        if row.key.by == "all":
            whole.join(row.kept)
    return whole.counts["rounds"]


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_rounds_of_an_epoch_given_up_do_not_count(tmp_path, order):
    """In any order of the epochs, and however often they are counted."""
    of = parts()
    with closing(Store(tmp_path / "a.floor")) as store, closing(FigureFile(tmp_path / "a.numbers", SHIFTS)) as counted:
        for number in order:
            store.add(of[number])
            counted.follow(store)
        counted.follow(store)
        assert of_store(store) == [(1, "e1"), (2, "e1"), (3, "e3")]
        assert of_counted(counted) == 3


def test_rounds_count_again_when_their_given_up_epoch_continues(tmp_path):
    """Epoch e4 continues e2 and gives e3 up, which had given e2 up: the round of e2 counts again."""
    first, second, third = parts()
    last = second[-1].seq + 1
    lost = {"epoch": "e3", "past": {"e1": 1, "e2": 0}}
    about = {"kind": "loss_accepted", "table": "table", "epoch": "e4", "before": "e2", "lost": lost}
    with closing(Store(tmp_path / "a.floor")) as store, closing(FigureFile(tmp_path / "a.numbers", SHIFTS)) as counted:
        store.add([*first, *second, *third])
        counted.follow(store)
        store.add([decode_event("table", "e4", msgspec.json.encode({"seq": last, **about}))])
        counted.follow(store)
        assert of_store(store) == [(1, "e1"), (2, "e1"), (3, "e2")]
        assert of_counted(counted) == 3


def test_of_two_standbys_one_round_counts_at_a_floor(server, tmp_path):
    """Two standby PCs have dealt a round 3 each: only that of the epoch in force counts."""

    async def steps():
        async with OneFloor(tmp_path, server) as floor, take_over_by_two(server, tmp_path) as (_, third):
            state = third.table.table.state
            first, last = state.losses[0].epoch, state.identity.epoch
            await until(lambda: (3, last) in of_store(floor.floor.components.store))
            counted = [(1, first), (2, first), (3, last)]
            await until(lambda: of_store(floor.floor.components.store) == counted)

    on_loop(steps)


def test_epochs_given_up_together_follow_each_other():
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        rows = [("t1", "a", 9, None, None), ("t1", "b", 9, "a", 4), ("t1", "x", 9, None, None)]
        db.executemany("INSERT INTO epochs (table_, epoch, last, before, stands) VALUES (?, ?, ?, ?, ?)", rows)
        assert next_epoch(db, "t1", "a") == ("b", 4)
        db.executemany("INSERT INTO given_up VALUES ('t1', ?, 'x')", [("b",)])
        assert next_epoch(db, "t1", "a") is None  # play went on without b
        db.executemany("INSERT INTO given_up VALUES ('t1', ?, 'x')", [("a",)])
        assert next_epoch(db, "t1", "a") == ("b", 4)
