"""Rounds and figures of a period are found whichever way the clock was set, also in archives."""

import random
import sqlite3
from contextlib import closing
from datetime import date, timedelta

import pytest

from controller.config.shifts import day_of, zone_named
from controller.core import events as e
from controller.core.clock import DAY, SECOND, to_text
from controller.journal import Journal, Stretch, read, stretches_within
from controller.reports.round_search import RoundQuery, find_rounds
from controller.reports.shift_report import NothingRecorded, report
from tests.core.bench import START, Bench
from tests.repeats import first_of
from tests.reports.test_shift_report import agree

HOUR = 3600 * SECOND
UTC = zone_named("UTC")
ROUND = "open; bet p1 player 1.00; wait 5s; close; card 9C; wait 4s; card 2D; card KH; card 3S; shoe ready"
VOID = "open; bet p1 player 1.00; press manager; wait 30s; ack by m; rule cancel by m because x"


def set_to(bench, at):
    bench.do(e.SetClock(to_text(at)))
    assert bench.records[-1].kind == "clock_set"


def stray(*days):
    """Play a round, then one on each of these days, with the clock set there first; return the table."""
    bench = Bench()
    bench.says(ROUND)
    for day in days:
        set_to(bench, START + round(day * DAY))
        bench.says(ROUND)
    return bench


def by_chance(seed):
    """Play rounds at a table whose clock is set at random, by minutes or years; return the table."""
    dice, bench = random.Random(seed), Bench()
    for _ in range(40):
        if dice.random() < 0.35:
            step = dice.choice((-400 * DAY, -3 * DAY, -HOUR, -60 * SECOND, HOUR, 2 * DAY, 400 * DAY))
            set_to(bench, max(START - DAY, bench.now + step))
        bench.says(dice.choice((ROUND, ROUND, VOID, "wait 2400s", "lost panel; wait 60s", "found panel", "restart")))
        if bench.life == "paused":
            bench.says("rule resume by m because x; rule cancel by m because x")
        if dice.random() < 0.2 and bench.state.round.number:
            number = dice.randrange(1, bench.state.round.number + 1)
            bench.says(f"resettle {number} void by m with n because x")
    return bench


def write_journals(folder, records, rounds=0):
    """Write these records to a journal, in a new file after every `rounds` rounds; return its path."""
    book, ended = Journal(folder / "t.journal"), 0
    for record in records:
        book.append([record])
        ended += record.kind == "checkpoint"
        if record.kind == "checkpoint" and rounds and ended % rounds == 0:
            book.rotate()
    book.close()
    return folder / "t.journal"


def opened(records, since, until):
    return [one.round for one in records if one.kind == "opened" and since <= one.at < until][::-1]


def found(file, since, until, **more):
    return [one.round for one in find_rounds(file, RoundQuery(since=since, until=until, **more), 100).rounds]


AWAY = [(40, 0.2), (-400, 0.2), (0.3, -0.1, 0.2), (40, 0.2, 41, 0.4), (-1, 3, 0.2), (0.4, 0.2, 0.3, 0.2)]


@pytest.mark.parametrize("days", AWAY)
@pytest.mark.parametrize("rounds", first_of(1, [0, 2]))
def test_rounds_are_found_whichever_way_the_clock_was_set(tmp_path, days, rounds):
    bench = stray(*days)
    file = write_journals(tmp_path, bench.records, rounds)
    for day in (0, 0.2, *days):
        for since, until in ((0, 1), (day, day + 0.01), (day - 0.01, day + 0.01), (day - 2, day + 2), (-999, 999)):
            span = START + round(since * DAY), START + round(until * DAY)
            assert found(file, *span) == opened(bench.records, *span)
            assert found(file, *span, player="p1") == opened(bench.records, *span)
            first = find_rounds(file, RoundQuery(since=span[0], until=span[1]), 1)
            rest = [] if first.more is None else found(file, *span, before=first.more)
            assert [*(one.round for one in first.rounds), *rest] == opened(bench.records, *span)


@pytest.mark.parametrize("days", AWAY)
def test_a_shift_counts_rounds_whichever_way_the_clock_went(tmp_path, days):
    bench = stray(*days)
    file = write_journals(tmp_path, bench.records, 2)
    for day in sorted({date(2026, 1, 1), *(date(2026, 1, 1) + timedelta(days=int(day // 1)) for day in days)}):
        period = day_of(day, UTC)
        sheet = report(file, period)
        agree_over(sheet, file)
        assert sheet.whole_row["rounds"] == len(opened(bench.records, period.since, period.until))
        last = max(record.seq for record in bench.records if period.since <= record.at < period.until)
        assert sheet.seq == last


def agree_over(sheet, file):
    """Assert that the report equals `journal stats` over all files of a journal."""
    whole = file.with_name("whole.journal")
    whole.unlink(missing_ok=True)
    kept_whole = Journal(whole)
    kept_whole.append(list(read(file, 0)))
    kept_whole.close()
    agree(sheet, whole)


@pytest.mark.parametrize("seed", first_of(2, range(6)))
def test_clocks_set_by_chance_lose_no_round_and_no_figure(tmp_path, seed):
    bench = by_chance(seed)
    file = write_journals(tmp_path, bench.records, 5)
    times = [record.at for record in bench.records]
    for at in {times[place] for place in range(0, len(times), max(1, len(times) // 12))}:
        for length in (HOUR, DAY, 900 * DAY):
            assert found(file, at, at + length) == opened(bench.records, at, at + length)
        agree_over(report(file, day_of(date.fromisoformat(to_text(at)[:10]), UTC)), file)


def test_a_correction_after_the_clock_was_set_back_counts(tmp_path):
    bench = stray(40)
    set_to(bench, START + DAY // 5)
    bench.says("resettle 2 void by m with n because misread; resettle 1 void by m with n because misread")
    file = write_journals(tmp_path, bench.records)
    for day in (date(2026, 1, 1), date(2026, 2, 10)):
        sheet = report(file, day_of(day, UTC))
        agree(sheet, file)
        assert sheet.whole_row["revised"] != 0


def test_open_cases_and_losses_are_those_of_the_last_record(tmp_path):
    bench = stray(40, 0.2)
    bench.says("press dropped; lost panel")
    set_to(bench, START - DAY * 3)
    bench.says("found panel; open")
    sheet = report(write_journals(tmp_path, bench.records), day_of(date(2026, 1, 1), UTC))
    assert (sheet.open.lost, sheet.open.live, [case.round for case in sheet.open.cases]) == (("panel",), None, [3])


def test_a_time_that_no_clock_ever_showed_has_no_report(tmp_path):
    file = write_journals(tmp_path, stray(40, 0.2).records)
    with pytest.raises(NothingRecorded):
        report(file, day_of(date(2026, 1, 20), UTC))


def test_an_older_file_without_the_index_gives_the_same(tmp_path):
    bench = stray(40, 0.2)
    file = write_journals(tmp_path, bench.records, 2)
    assert len([*tmp_path.glob("*.journal")]) > 1
    stretches = stretches_within(file, START, START + DAY)
    for one in tmp_path.glob("*.journal"):
        one.chmod(0o640)
        with closing(sqlite3.connect(one)) as db:
            plan = str(db.execute("EXPLAIN QUERY PLAN SELECT seq FROM records INDEXED BY clock_sets "
                                  "WHERE instr(record, '\"kind\":\"clock_set\"')").fetchall())  # fmt: skip
            assert "USING INDEX clock_sets" in plan
            db.execute("DROP INDEX clock_sets")
            db.commit()
    assert stretches_within(file, START, START + DAY) == stretches
    assert report(file, day_of(date(2026, 1, 1), UTC)).whole_row["rounds"] == 2


def test_stretches_are_joined_over_files_and_clocks(tmp_path):
    bench = stray(0.1, 0.3, 0.2)
    file = write_journals(tmp_path, bench.records, 2)
    assert stretches_within(file) == [Stretch(1, len(bench.records))]
    assert stretches_within(file, START, START + DAY) == [Stretch(1, len(bench.records))]
    assert stretches_within(file, START + 2 * DAY) == []
    assert stretches_within(file, START, START + DAY, after=len(bench.records)) == []
    assert stretches_within(file, after=len(bench.records) - 1) == [Stretch(len(bench.records), len(bench.records))]
