"""Figures and reports of a floor for a table that another PC takes over."""

from contextlib import closing
from datetime import UTC
from random import Random

import pytest

from controller.config.shifts import Period
from controller.core import events as e
from controller.floor.history.figure_file import FigureFile
from controller.floor.history.report import report
from controller.floor.storage.store import Store
from controller.reports.counting import Counting
from controller.reports.figures import Figures
from controller.reports.statistics import Statistics
from tests.core.bench import Bench
from tests.core.chance import TABLES, happen, rolls
from tests.floor.history.test_numbers import EVER, SHIFTS, same
from tests.floor.takeovers import ROUND, by_epoch, lost_and_continued, take_over
from tests.repeats import first_of


def of_table(records):
    """Return the figures of all records, as the table counts them."""
    statistics = Statistics(SHIFTS.minutes, SHIFTS.time_zone)
    counting = Counting(statistics)
    for record in records:
        counting.take(record)
    return statistics.figures_of(("all", ""))


def of_floor(folder, batches):
    """Return the figures of a floor that counts after each of these batches of events."""
    whole = Figures()
    with closing(Store(folder / "a.floor")) as store, closing(FigureFile(folder / "a.numbers", SHIFTS)) as counted:
        for batch in batches:
            store.add(batch)
            counted.follow(store)
        for row in counted.rows(0, EVER):
            if row.key.by == "all":
                whole.join(row.kept)
    return whole


def paused_at_takeovers():
    """Return a table that two other PCs take over, each time in the middle of a pause."""
    bench = Bench()
    bench.says(f"{ROUND}; open; bet p1 player 1.00; close; card 9C; card JOKER")
    for epoch in ("e2", "e3"):
        bench.wait(30)
        take_over(bench, epoch)
        bench.wait(30)
        bench.says(f"rule cancel by maria because x; {ROUND}; open; bet p1 player 1.00; close; card 9C; card JOKER")
    bench.says("rule cancel by maria because x")
    return bench


@pytest.mark.parametrize("first", first_of(3, range(1, 40, 3)))
@pytest.mark.parametrize("size", [1, 4])
def test_a_gap_filled_after_a_takeover_loses_no_figure(tmp_path, first, size):
    """Some events, perhaps the last ones or the first ones of an epoch, come after all others were counted."""
    bench = paused_at_takeovers()
    events = by_epoch(bench.records)
    late = events[first : first + size]
    rest = [[one] for one in events if one not in late]
    floor = of_floor(tmp_path, [*rest, *([one] for one in late)])
    same(floor, of_table(bench.records))
    assert floor.times["paused"].total == of_table(bench.records).times["paused"].total > 0
    assert floor.counts["void"] == 3


@pytest.mark.parametrize("seed", first_of(2, range(6)))
def test_figures_across_random_takeovers_equal_the_tables_own(tmp_path, seed):
    dice, bench = Random(seed), TABLES[(0, 4, 7, 8)[seed % 4]]()
    for what, how in rolls(f"figures {seed}", 100):
        if dice.random() < 0.05:
            take_over(bench, f"e{len(bench.records)}")
        happen(bench, what, how)
    while bench.state.is_unfinished:
        bench.do(e.Tick())
    events = by_epoch(bench.records)
    late = dice.sample(events[1:-1], 5)
    rest = [one for one in events if one not in late]
    batches = [rest[place : place + 9] for place in range(0, len(rest), 9)]
    same(of_floor(tmp_path, [*batches, *([one] for one in late)]), of_table(bench.records))


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_lost_round_reveals_no_ruling_on_a_live_one(tmp_path, is_lost):
    """Round 2 is live after a takeover; a lost round of the same number has ended."""
    begins = "shuffled; open; close; press manager; rule cancel by m because x; shuffled"
    lost = "open; close; press manager; rule cancel by m because y" if is_lost else ""
    then = "open; bet p ante 1.00; close; card 9C; card 2D; card KH; card 3S; press manager; "
    then += 'rule resume by m because "the hole card is KH"'
    first, gone, after, records = lost_and_continued(begins, lost, then, "casino_holdem")
    with closing(Store(tmp_path / "a.floor")) as store, closing(FigureFile(tmp_path / "a.numbers", SHIFTS)) as counted:
        for one in [*first, *gone, *after]:
            store.add([one])
        period = Period("day", records[0].at - 1, records[-1].at + 1, UTC)
        rulings = report(store, counted, period, 1, SHIFTS).rulings
    assert {(one.fault.round, one.fault.because, one.live) for one in rulings} == {
        (1, "x", False),
        (2, "the hole card is KH", True),
    }
