"""Fault with several rulings, such as a void hand and then a resume: a floor lists and finds each of them."""

import sqlite3
from contextlib import closing
from datetime import date

import pytest
from msgspec.structs import asdict

from controller.config.shifts import ShiftsSection, day_of
from controller.floor.history.export import cells
from controller.floor.history.figure_file import FigureFile
from controller.floor.history.history import FloorHistory
from controller.floor.history.search import SearchParameters, search
from controller.floor.storage.store import Store
from tests.core.bench import Bench
from tests.floor.history.test_numbers import events

CARDS = "2H 5D 9C KD 3H 4D 8C QS 2S 7H TD 6C"
PLAYED = "; ".join([
    "shuffled; open; bet p1 seat1 ante 10.00; bet p2 seat2 ante 10.00; close",
    *(f"card {card}" for card in CARDS.split()), "press manager",
    "rule void_hand seat2 by m1 because saw; wait 5s; rule resume by m2 because clean",
])  # fmt: skip
JANUARY_1 = day_of(date(2026, 1, 1), ShiftsSection().time_zone)
BOTH = [("void_hand", "m1"), ("resume", "m2")]


@pytest.fixture
def bench():
    """Return a table after a round in which a hand was made void before play went on."""
    table = Bench("rhum32")
    table.says(f"{PLAYED}; decide seat1 fold; press finish")
    return table


@pytest.fixture
def store(tmp_path, bench):
    with closing(Store(tmp_path / "a.floor")) as one:
        one.add(events("table", bench.records))
        yield one


def found(store, **parameters):
    """Return the rulings of each round that a search finds."""
    return [list(one.rulings) for one in search(store, SearchParameters(**parameters))]


def test_a_round_lists_and_exports_each_ruling_on_a_fault(store):
    assert found(store) == [BOTH]
    (one,) = search(store, SearchParameters())
    assert cells(one)["rulings"] == ["void_hand by m1", "resume by m2"]


@pytest.mark.parametrize(
    ("parameters", "is_found"),
    [
        ({"ruling": "void_hand"}, True),
        ({"by": "m1"}, True),
        ({"ruling": "resume", "by": "m2", "fault": "dealer_call"}, True),
        ({"ruling": "void_hand", "by": "m2"}, False),
    ],
)
def test_a_search_looks_at_each_ruling_on_a_fault(store, parameters, is_found):
    assert found(store, **parameters) == [BOTH] * is_found


def test_a_floors_report_lists_each_ruling_on_a_fault(tmp_path, store):
    with closing(FigureFile(tmp_path / "n", ShiftsSection())) as counted:
        report = FloorHistory(store, counted, ShiftsSection(), 1).report(JANUARY_1)
    rulings = [asdict(one.fault) for one in report.rulings]
    assert [(one["ruling"], one["ruled_by"], one["because"]) for one in rulings] == [
        ("resume", "m2", "clean"), ("void_hand", "m1", "saw"),
    ]  # fmt: skip


def test_events_that_come_twice_or_late_keep_each_ruling(tmp_path, bench):
    all_events = events("table", bench.records)
    with closing(Store(tmp_path / "b.floor")) as late:
        late.add([one for one in all_events if one.kind != "ruled"])
        for one in reversed(all_events):
            late.add([one])
        assert found(late) == [BOTH]


def test_a_store_of_version_5_gets_the_earlier_rulings(tmp_path, bench):
    path = tmp_path / "a.floor"
    with closing(Store(path)) as one:
        one.add(events("table", bench.records))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TABLE earlier_rulings")
        db.execute("PRAGMA user_version = 5")
    with closing(Store(path)) as again:
        assert found(again) == [BOTH]
