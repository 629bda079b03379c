"""Report of a shift over all tables, and the numbers, at a real floor with real tables."""

import re
from contextlib import closing
from datetime import date

import pytest

from controller.config.shifts import ShiftsSection, day_of
from controller.core import events as e
from controller.floor.history.figure_file import FigureFile
from controller.floor.history.report import report
from controller.floor.site.printed_pages import report_page
from controller.floor.storage.store import Store
from controller.web.screens.report_texts import CLOCKS_SET
from tests.core.bench import Bench
from tests.floor.history.test_numbers import NATURAL, events
from tests.floor.history.test_search import count
from tests.floor.service import AUDITOR, paused, studio
from tests.patience import on_loop, until


def reported(tmp_path, server, steps):
    """Run the steps at a floor whose two tables dealt four rounds, with two rulings."""

    async def at_it():
        async with studio(tmp_path, server, tables=("t1", "t2"), minimum=3) as (floor, one, two):
            one.play(2)
            two.play(1)
            fault = paused(one)
            one.table.take(e.Acknowledge("Maria", fault, person="103"))
            one.table.take(e.Rule("cancel", "Maria", "<b>wet</b>", fault=fault, person="103"))
            fault = paused(two)
            two.table.take(e.Rule("burn", "Maria", "it was the 5H", fault=fault, person="103"))
            await until(lambda: count(floor) == 4 and ruled(floor) == 2)
            await steps(await floor.signed_in(AUDITOR))

    on_loop(at_it)


def ruled(floor):
    """Return the number of faults that have a ruling."""
    with floor.floor.components.store.open_read_only() as db:
        return db.execute("SELECT count(*) FROM faults WHERE ruled IS NOT NULL").fetchone()[0]


def test_a_shift_report_covers_all_tables_in_both_languages(tmp_path, bus):
    async def steps(aurel):
        for lang, title in (("en", "Shift report, all tables"), ("ro", "Raport de tură, toate mesele")):
            answer = await aurel.ask("GET", f"/api/floor/reports?lang={lang}")
            page = answer.body.decode()
            assert answer.status == 200
            assert f"<h1>{title}</h1>" in page
            assert re.search(r'data-figure="rounds">5<', page)
            assert re.search(r'data-figure="cancelled">1<', page)
            assert "&lt;b&gt;wet" in page
            assert "333.3 (8.4 – 905.7)" in page  # t1: one of three rounds was stopped
            drawn = re.findall(r'aria-label="(?:Cancelled|Anulate)[^"]*: \d+\.\d \(\d+\.\d – \d+\.\d\)', page)
            assert len(drawn) == 1  # the hour with a void round, with the bounds of its share
            assert "5H" not in page  # that round is still played
            assert {"en": "told when the round is over", "ro": "se arată când se încheie runda"}[lang] in page
        assert (await aurel.ask("GET", "/api/floor/reports?day=2020-01-01")).status == 200
        for never in ("soon", "0001-01-01", "9999-12-31"):
            assert (await aurel.ask("GET", f"/api/floor/reports?day={never}")).status == 400, never

    reported(tmp_path, bus, steps)


def test_shares_have_intervals_and_small_samples_are_listed_apart(tmp_path, bus):
    async def steps(aurel):
        numbers = (await aurel.ask("GET", "/api/floor/numbers?by=table")).body["numbers"]
        assert [(one["name"], one["rank"], one["rounds"]) for one in numbers["ranked"]] == [("t1", 1, 3)]
        assert [(one["name"], one["rounds"]) for one in numbers["few"]] == [("t2", 2)]
        stopped = numbers["ranked"][0]["stopped"]
        assert (stopped["count"], stopped["of"]) == (1, 3)
        assert stopped["low"] < 1 / 3 < stopped["high"]
        assert numbers["ranked"][0]["ruled"]["count"] == 1
        assert {one["name"] for one in numbers["devices"]} == {"t1 · Shoe", "t2 · Shoe"}
        games = (await aurel.ask("GET", "/api/floor/numbers?by=game")).body["numbers"]
        assert [(one["name"], one["rounds"]) for one in games["ranked"]] == [("baccarat", 5)]
        for query, text in {"by=mood": "'mood'", "from=soon": "2026-01-31"}.items():
            answer = await aurel.ask("GET", f"/api/floor/numbers?{query}")
            assert (answer.status, text in str(answer.body)) == (400, True), answer.body

    reported(tmp_path, bus, steps)


def test_days_and_hours_follow_clocks_half_an_hour_off(tmp_path):
    india, bench = ShiftsSection(zone="Asia/Kolkata"), Bench()
    bench.wait(18 * 3600 + 40 * 60)  # ten minutes past midnight in India
    bench.says(NATURAL)
    with closing(Store(tmp_path / "a.floor")) as store, closing(FigureFile(tmp_path / "a.numbers", india)) as counted:
        store.add(events("a", bench.records))
        counted.follow(store)
        days = [report(store, counted, day_of(date(2026, 1, day), india.time_zone), 1, india) for day in (1, 2)]
    assert [day.whole.rounds for day in days] == [0, 1]
    assert [hour.hour for hour in days[1].hours if hour.rounds] == [0]
    points = days[1].tables.course.points
    assert [point.at for point in points if point.rounds] == ["2026-01-02T00:00+05:30"]
    assert len(points) == 24


@pytest.mark.parametrize(
    ("day", "when", "changed"),
    [
        (date(2026, 3, 29), "2026-03-29 00:00 EET – 2026-03-30 00:00 EEST", True),
        (date(2026, 10, 25), "2026-10-25 00:00 EEST – 2026-10-26 00:00 EET", True),
        (date(2026, 10, 26), "2026-10-26 00:00 – 2026-10-27 00:00 EET", False),
    ],
)
def test_a_floors_report_says_that_the_clocks_were_changed(day, when, changed, tmp_path):
    bucharest = ShiftsSection(zone="Europe/Bucharest")
    with closing(Store(tmp_path / "a.floor")) as store, closing(FigureFile(tmp_path / "n", bucharest)) as counted:
        told = report(store, counted, day_of(day, bucharest.time_zone), 1, bucharest)
    page = report_page(told, "main", "en", [])
    assert f'<p class="when">{when}</p>' in page
    assert (CLOCKS_SET in page) is changed
