"""Open time of a table: how it is counted, and rounds per hour of it."""

from contextlib import closing
from datetime import date

import msgspec
import pytest

from controller.accounts.open_time import HOUR, LEAST, LONGEST, OpenTime, rounds_per_hour
from controller.config.shifts import ShiftsSection, day_of
from controller.core import events as e
from controller.core import records as r
from controller.core.clock import to_text
from controller.core.views import view
from controller.floor.history.figure_file import FigureFile
from controller.floor.history.numbers import numbers
from controller.floor.storage.store import Store
from controller.floor.storage.table_events import decode_event
from controller.reports.shift_report import report
from controller.web.screens.report_page import page
from tests.core.bench import START, Bench
from tests.reports.week import journal

NATURAL = "open; close; card 9C; card 2D; card KH; card 3S; press finish"


def record(what, at, *, training=False):
    return r.Record(seq=1, at=at, table="t1", what=what, training=training)


def spans(*records):
    account = OpenTime()
    return [account.take(one) for one in records]


def test_time_counts_from_opening_to_closing():
    opened, closed = r.TableOpened("eva"), r.TableClosed("eva")
    assert spans(record(opened, 1), record(r.CutCardDrawn(), 5), record(closed, 8), record(r.CutCardDrawn(), 20)) == [
        None,
        (1, 5),
        (5, 8),
        None,
    ]


def test_training_is_no_open_time():
    assert spans(record(r.TableOpened("eva"), 1), record(r.CutCardDrawn(), 5, training=True)) == [None, None]


@pytest.mark.parametrize(("gap", "counts"), [(0, False), (-1, False), (1, True), (LONGEST, True), (LONGEST + 1, False)])
def test_a_jump_of_the_clock_is_no_open_time(gap, counts):
    opened = record(r.TableOpened("eva"), LONGEST)
    assert (spans(opened, record(r.CutCardDrawn(), LONGEST + gap))[1] is not None) is counts


@pytest.mark.parametrize(("open_for", "rate"), [(LEAST - 1, None), (LEAST, 30.0), (HOUR, 3.0), (2 * HOUR, 1.5)])
def test_rounds_per_hour_need_six_minutes(open_for, rate):
    assert rounds_per_hour(3, open_for) == (None if rate is None else pytest.approx(rate))


def test_table_and_floor_show_the_same_rounds_per_hour(tmp_path):
    bench = Bench()
    bench.wait(5400)
    bench.says(NATURAL)
    bench.do(e.CloseTable("eva"))
    bench.wait(7200)  # closed
    bench.says("press manager")
    file = journal(tmp_path / "t.journal", bench.records)
    day = day_of(date.fromisoformat(to_text(START)[:10]), ShiftsSection().time_zone)
    shown = report(file, day)
    shifts = ShiftsSection()
    with closing(Store(tmp_path / "a.floor")) as store, closing(FigureFile(tmp_path / "a.numbers", shifts)) as counted:
        store.add([decode_event("table", "e1", msgspec.json.encode(view(one, "manager"))) for one in bench.records])
        counted.follow(store)
        floor = numbers(counted, "table", (START, START + 24 * HOUR), 1, shifts).whole
    assert shown.open_for == floor.hours * HOUR
    assert f'data-figure="rate">{floor.rate:.1f}<' in page(shown, "en")
