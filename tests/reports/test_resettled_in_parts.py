"""Figures, exports, lists and screens show one resettlement, in however many parts it was recorded."""

from datetime import date
from functools import partial

import msgspec
import pytest
from msgspec.structs import replace

from controller.config.shifts import day_of, zone_named
from controller.core.views import view
from controller.floor.storage.rows import round_row
from controller.floor.storage.table_events import decode_event
from controller.outputs.counts import TableCounts
from controller.reports.counting import Counting
from controller.reports.round_stories import rounds, story
from controller.reports.shift_report import report
from controller.reports.significant_events import significant
from controller.reports.statistics import Statistics
from controller.reports.summaries import revisions, summaries
from controller.reports.table_rows import record_rows
from controller.web.screens.history import LatestResults
from tests.core.bench import START, Bench
from tests.reports.week import journal

PLAYED = "open; bet p1 player 1.00; bet p2 banker 1.00; bet p3 tie 1.00; close; card 9C; card 2D; card KC; card 3D"
WHO = "by m with n because misread"
ANEW = f"{PLAYED}; resettle 1 correct 2 6D {WHO}; open; resettle 1 void {WHO}; close; resettle 2 correct 2 6D {WHO}"


@pytest.fixture(params=[1, 2], ids=["one a part", "two a part"])
def tables(request):
    """The same play at two tables: resettlements recorded in parts, and each in one record."""
    table = Bench()
    table.house = replace(table.house, slice=request.param)
    table.says(f"{PLAYED}; {ANEW}")
    table.says("wait 0s; wait 0s; wait 0s")
    assert not table.state.is_unfinished
    return table, whole()


def whole():
    table = Bench()
    table.says(f"{PLAYED}; {ANEW}")
    assert len(table.facts("resettled")) == 3
    return table


def same(tables, of):
    parts, one = map(of, tables)
    assert parts == one


def test_statistics_do_not_depend_on_the_parts(tables):
    def of(table):
        statistics = Statistics()
        counting = Counting(statistics)
        for record in table.records:
            counting.take(record)
        return next(statistics.report())

    same(tables, of)


def test_metrics_do_not_depend_on_the_parts(tables):
    def of(table):
        counts = TableCounts("t", Bench().state, START)
        counts.hear(table.records)
        return counts.by, counts.money

    same(tables, of)


def test_exported_tables_have_the_same_rows(tables):
    def of(table):
        rows = record_rows(table.records, 2, revisions(reversed(table.records)))
        ours = table.facts("opened")
        ids = {one.round_id: number for number, one in enumerate(ours)}
        return sorted(str(row) for name, row in named(rows, ids) if name in ("rounds", "bets", "movements"))

    same(tables, of)


def named(rows, ids):
    """Yield the rows as text without times, with each round's number in place of its id."""
    for name, row in rows:
        text = msgspec.json.encode({key: value for key, value in row.items() if not key.endswith("_at")}).decode()
        for one, number in ids.items():
            text = text.replace(one, f"ROUND{number}")
        yield name, text


def test_round_lists_and_summaries_do_not_depend_on_the_parts(tables):
    same(tables, lambda table: list(summaries(table.records, revisions(reversed(table.records)))))


def test_the_shift_report_lists_the_same_resettlements(tables, tmp_path):
    def of(table):
        file = journal(tmp_path / f"{table.house.slice}.journal", tuple(table.records))
        found = report(file, day_of(date(2026, 1, 1), zone_named("UTC")))
        return found.log.resettlements, found.whole_row

    same(tables, of)


def test_the_incident_report_tells_the_same(tables):
    def of(table):
        found = significant(table.records, partial(view, audience="auditor"))
        return [(one.kind, one.what, one.authoriser) for _, one in found]

    same(tables, of)


def test_rounds_and_stories_on_screens_do_not_depend_on_parts(tables, tmp_path):
    def of(table):
        file = journal(tmp_path / f"{table.house.slice}.journal", tuple(table.records))
        found = table.state.revisions
        anew = [story(file, number, lambda _, records: records[0].kind, found).resettled for number in (1, 2)]
        moved = [[[move.difference for move in one.what.movements] for one in each] for each in anew]
        return [replace(one, opened="") for one in rounds(file, None, 9, found)], moved

    same(tables, of)


def test_roads_and_notices_do_not_depend_on_the_parts(tables):
    def of(table):
        history = LatestResults("baccarat", every_round=False)
        history.hear(table.records)
        return history.results, history.voids, history.notices

    same(tables, of)


def test_a_floors_rows_do_not_depend_on_the_parts(tables):
    def of(table, number):
        bodies = (msgspec.json.encode(view(one, "manager")) for one in table.records if one.round == number)
        return replace(round_row([decode_event("table", "bench", body) for body in bodies]), round_id="")

    for number in (1, 2):
        same(tables, partial(of, number=number))
