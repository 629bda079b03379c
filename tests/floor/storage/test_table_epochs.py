"""Rounds and faults of a table that another PC takes over: their rows, pages and searches at a floor."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import msgspec
import pytest

from controller.core import events as e
from controller.core.clock import to_text
from controller.floor.history.history import FloorHistory
from controller.floor.history.search import SearchParameters, search
from controller.floor.storage.store import Gap, Store
from controller.games import GAMES
from controller.journal import with_past
from controller.reports.summaries import revisions, summaries
from tests.bus.two_pcs import run_two_pcs
from tests.core.bench import Bench
from tests.core.chance import TABLES, happen, rolls
from tests.floor.history.test_numbers import SHIFTS
from tests.floor.service import OneFloor
from tests.floor.storage.test_store import rows
from tests.floor.takeovers import FIRST, ROUND, by_epoch, lost_and_continued, take_over
from tests.folders import in_memory
from tests.patience import on_loop, until
from tests.repeats import first_of

VOID = 'resettle 1 void by m with n because "wrong shoe"'
FAULT = "open; bet p1 player 1.00; close; card 9C; card JOKER"
RULED = "rule burn by maria because seen; rule resume by maria because ok; card 7D; card KS; card 5D; press finish"


def table_taken_over(*scripts):
    """Return a table that is taken over between these scripts."""
    bench = Bench()
    for number, script in enumerate(scripts, 1):
        if number > 1:
            take_over(bench, f"e{number}")
        bench.says(script)
    return bench


def content(store):
    """Return all derived rows of a store, and the present result on the page of each round."""
    history = FloorHistory(store, None, SHIFTS, 1)
    pages = []
    for row in rows(store):
        summary = history.story(row["table_"], row["epoch"], row["number"], "en").round
        pages.append((row["epoch"], row["number"], summary.end, summary.revision))
    found = [(one.row.epoch, one.row.number, one.codes, one.rulings) for one in search(store, SearchParameters())]
    return rows(store), rows(store, "faults"), rows(store, "round_faults"), pages, found


def content_after(batches):
    """Return the content of a new store after these batches of events."""
    with in_memory() as folder, closing(Store(Path(folder) / "main.floor")) as store:
        for batch in batches:
            store.add(batch)
        return content(store)


def parts(events, dice):
    """Cut events into batches of random size."""
    while events:
        size = dice.choice((1, 2, 5, 40))
        yield events[:size]
        events = events[size:]


def lost_too(*scripts):
    """Return all events of a table that loses some by a takeover."""
    first, lost, after, _ = lost_and_continued(*scripts)
    return [*first, *lost, *after]


CASES = {
    "resettled after": by_epoch(table_taken_over(ROUND, VOID).records),
    "resettled after two": by_epoch(table_taken_over(ROUND, "open", f"press manager; {VOID}").records),
    "ruled after": by_epoch(table_taken_over(f"{ROUND}; {FAULT}", RULED).records),
    "fault after the end": by_epoch(table_taken_over(ROUND, "press manager; rule resume by bo because ok").records),
    "lost": lost_too(ROUND, VOID, "open"),
    "lost and again": lost_too(ROUND, VOID, f"{VOID}; open"),
    "lost fault": lost_too(f"{ROUND}; {FAULT}", RULED, "rule cancel by eva because x"),
}


@pytest.mark.parametrize("case", CASES)
def test_batches_and_order_change_no_row_or_page(case):
    """However the events of several epochs come, rows, faults and pages are those of all at once."""
    events = CASES[case]
    expected = content_after([events])
    assert expected[0]
    for seed in range(6):
        dice = Random(seed)
        arrivals = events if seed < 3 else dice.sample(events, len(events))
        assert content_after(parts(arrivals, dice)) == expected, seed


@pytest.mark.parametrize("seed", first_of(3, range(8)))
def test_rows_across_random_takeovers_equal_the_journals_reports(seed):
    """Random play with takeovers without loss: end, revision, faults and page of each round are the table's own."""
    dice, bench = Random(seed), TABLES[(0, 4, 7, 8)[seed % 4]]()
    for what, how in rolls(f"takeovers {seed}", 120):
        if dice.random() < 0.04:
            take_over(bench, f"e{len(bench.records)}")
        if dice.random() < 0.06:
            number = max(1, bench.state.round.number - dice.randrange(3))
            bench.do(e.Resettle(number, (e.Amendment("cancel"),), "m", "x", "n"))
        happen(bench, what, how)
    while bench.state.is_unfinished:
        bench.do(e.Tick())
    found, faults, links, pages, _ = content_after(parts(by_epoch(bench.records), dice))
    records = bench.records
    ended = [one for one in summaries(records, revisions(reversed(records))) if one.end != "live"]
    expected = sorted((one.round, one.end, one.revision, len(one.faults)) for one in ended)
    assert sorted((one["number"], one["how"], one["revision"], one["faults"]) for one in found) == expected
    assert sorted(one[1:] for one in pages) == [one[:3] for one in expected]
    assert len(faults) == len(bench.facts("faulted"))
    assert len(links) == sum(one[3] for one in expected)


def test_a_round_settled_anew_after_a_takeover_is_void():
    (row,), *_, pages, _ = content_after([one] for one in CASES["resettled after"])
    assert (row["how"], row["adjusted"], row["kept"], row["revision"], row["lost"]) == ("cancelled", -100, 0, 1, 0)
    assert pages == [(FIRST, 1, "cancelled", 1)]


def test_a_resettlement_that_a_takeover_lost_changes_no_page():
    (row,), *_, pages, _ = content_after([one] for one in CASES["lost"])
    assert (row["how"], row["adjusted"], row["revision"], row["lost"]) == ("settled", 0, 0, 0)
    assert pages == [(FIRST, 1, "settled", 0)]


def test_a_resettlement_under_a_given_up_epoch_is_taken_back(tmp_path):
    """Two PCs continue a record: what the one given up settled anew is as it was before."""
    first, rest, again, _ = lost_and_continued(ROUND, "open", f"{VOID}; open")
    began = msgspec.json.decode(again[0].body)
    stands = began["seq"] - 1
    lost = {"seq": stands + 9, "epoch": "e2", "hash": "0" * 64, "table": "table", "past": {FIRST: stands}}
    third = again[0]._replace(epoch="e3", body=msgspec.json.encode({**began, "epoch": "e3", "lost": lost}))
    with closing(Store(tmp_path / "main.floor")) as store:
        store.add([*first, *rest, *again])
        assert [(row["how"], row["revision"]) for row in rows(store)] == [("cancelled", 1)]
        store.add([third])
        assert content(store)[0][0]["how"] == "settled"
        assert content(store) == content_after([[third], again, first, rest])


def test_rounds_are_found_by_faults_from_before_a_takeover(tmp_path):
    with closing(Store(tmp_path / "main.floor")) as store:
        store.add(CASES["ruled after"])
        for parameters in ({"number": 2}, {"fault": "foreign_card"}, {"by": "maria"}, {"ruling": "burn"}):
            (found,) = search(store, SearchParameters(**parameters))
            assert (found.row.number, found.row.epoch, found.row.faults) == (2, "e2", 2)
            assert (found.codes, found.rulings) == (
                ("foreign_card", "restarted"),
                (("burn", "maria"), ("resume", "maria")),
            )


@pytest.mark.parametrize("case", CASES)
def test_an_older_store_is_mended_at_its_opening(tmp_path, case):
    """Rows as version 3 left them: first results, and no fault of an earlier epoch."""
    path = tmp_path / "main.floor"
    with closing(Store(path)) as store:
        store.add(CASES[case])
        expected = content(store)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE rounds SET how = 'settled', revision = 0, kept = kept + adjusted, adjusted = 0, faults = 0")
        db.execute("DROP TABLE round_faults")
        db.execute("DROP TABLE resettled_records")
        db.execute("PRAGMA user_version = 3")
    with closing(Store(path)) as store:
        assert content(store) == expected


def test_old_stores_keep_faults_whose_events_are_forgotten(tmp_path):
    path = tmp_path / "main.floor"
    with closing(Store(path)) as store:
        store.add(CASES["ruled after"])
        expected = content(store)[4]
        while store.forget("9"):
            pass
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TABLE round_faults")
        db.execute("PRAGMA user_version = 3")
    with closing(Store(path)) as store:
        assert list(search(store, SearchParameters(fault="foreign_card")))
        assert [
            (one.row.epoch, one.row.number, one.codes, one.rulings) for one in search(store, SearchParameters())
        ] == expected


# ── forgotten events ─────────────────────────────────────────────────────────────────────────────────────────────

CORRECTED = "resettle 1 correct 2 6D by m with n because misread"


@pytest.mark.parametrize("is_taken_over", [False, True])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_forgotten_round_is_settled_anew_in_its_row(tmp_path, is_taken_over, order):
    """The row is the same as with all events; a repeated event changes nothing."""
    bench = Bench()
    bench.says(ROUND)
    bench.wait(40 * 3600)
    bench.says("open; close; press manager; rule cancel by m because x")
    if is_taken_over:
        take_over(bench, "e2")
    count = len(bench.records)
    bench.says(f"{CORRECTED}; {VOID}")
    events = by_epoch(bench.records)
    changes = [one for one in events[count:] if one.kind == "resettled"]
    with closing(Store(tmp_path / "main.floor")) as store:
        store.add(events[:count])
        while store.forget(to_text(bench.now)):
            pass
        for _ in range(2):
            for number in order:
                store.add([changes[number]])
            while store.forget("9"):
                pass
        assert rows(store) == content_after([events])[0]


# ── gaps ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_missing_last_events_before_a_takeover_are_a_gap(tmp_path):
    events = CASES["resettled after"]
    (begins,) = (place for place, one in enumerate(events) if one.kind == "loss_accepted")
    with closing(Store(tmp_path / "main.floor")) as store:
        store.add([*events[: begins - 2], *events[begins:]])
        assert store.gaps() == [Gap("table", FIRST, events[begins - 2].seq, events[begins].seq - 1)]
        store.add(events[begins - 2 : begins])
        assert store.gaps() == []


# ── two PCs on a real bus ────────────────────────────────────────────────────────────────────────────────────────

PLAYED = [
    e.Open(), e.PlaceBet("p1", "player", 100), e.PlaceBet("p3", "tie", 100), e.Close(),
    *(e.CardOut(card) for card in ("9C", "2D", "KC", "3D")), e.KeyPressed("finish"),
]  # fmt: skip


def test_a_standby_settles_a_round_anew_at_a_floor(server, tmp_path):
    """One PC plays a round, another one takes the table over and makes it void: row and page say void."""

    async def steps():
        async with OneFloor(tmp_path, server) as floor, run_two_pcs(server, tmp_path) as (old, new):
            await old.run()
            await old.is_told()
            for event in PLAYED:
                old.table.table.take(event)
            store, history = floor.floor.components.store, floor.floor.components.history
            await until(lambda: [row["how"] for row in rows(store)] == ["settled"])
            await old.ends(tmp_path / "parts")
            await new.take(tmp_path / "parts")
            await new.run()
            await new.is_told()
            table = new.table.table
            ruling = e.Resettle(1, (e.Amendment("cancel"),), "Maria", "wrong shoe", "Bea")
            table.take(with_past(new.path, table.house, GAMES, table.state.revisions, ruling))
            await table.wait_until_recorded()
            await until(lambda: [(row["how"], row["revision"]) for row in rows(store)] == [("cancelled", 1)])
            story = await asyncio.to_thread(history.story, "t1", rows(store)[0]["epoch"], 1, "en")
            assert (story.round.end, story.round.revision) == ("cancelled", 1)

    on_loop(steps)
