"""Numbers of a floor, counted from the tables' events, equal those counted from their journals."""

import sqlite3
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path
from random import Random

import msgspec
import pytest

from controller.accounts.open_time import HOUR
from controller.config.shifts import ShiftsSection, shift_at
from controller.core import events as e
from controller.core.clock import SECOND
from controller.core.views import view
from controller.floor.history.figure_file import FigureFile, FigureRow
from controller.floor.history.figure_pieces import FigureKey, piece_begin
from controller.floor.history.intervals import share
from controller.floor.history.numbers import numbers, wait_times
from controller.floor.history.sums import times
from controller.floor.storage.store import Store
from controller.floor.storage.table_events import decode_event
from controller.reports.counting import Counting
from controller.reports.figures import Figures, Times
from controller.reports.statistics import Statistics, name_of
from tests.core.bench import START, Bench
from tests.core.chance import Judge
from tests.folders import in_memory

SHIFTS = ShiftsSection(("06:00", "14:05", "22:00"), "Europe/Bucharest")
EVER = 2**60
A_DAY = START, START + 24 * HOUR
COUNTS = (
    "rounds", "training", "settled", "manual", "cancelled", "disputed", "resettled", "cards", "read", "refused_rulings",
    "staked", "withdrawn", "refunds", "refunded", "pay_outs", "paid_out", "adjusted",
)  # fmt: skip


def events(epoch, records):
    """Return the events of records as a floor receives them."""
    return [decode_event(record.table, epoch, msgspec.json.encode(view(record, "manager"))) for record in records]


def of_journal(records):
    """Count the figures of records as `tablectl journal stats` does."""
    statistics = Statistics(SHIFTS.minutes, SHIFTS.time_zone)
    counting = Counting(statistics)
    for record in records:
        counting.take(record)
    return statistics.figures_by_group


def of_floor(folder, *goes):
    """Count the events of each of `goes` by a program that has just started; return all figures.

    Each program counts what has arrived until then.
    """
    for go in goes:
        with closing(Store(folder / "a.floor")) as store, closing(FigureFile(folder / "a.numbers", SHIFTS)) as counted:
            store.add(go)
            counted.follow(store)
            rows = list(counted.rows(0, EVER))
    found = {}
    for row in rows:
        for whose in wholes(row.key, row.table):
            found.setdefault(whose, Figures()).join(row.kept)
    return found


def wholes(key, table):
    """Return the totals that a row of figures belongs to: all, table, dealer and shift."""
    if key.by != "all":
        return [(key.by, key.name)]
    shift = shift_at(key.since, SHIFTS.minutes, SHIFTS.time_zone)
    hours = f"{shift.local(shift.since):%H:%M}-{shift.local(shift.until):%H:%M}"
    return [("all", ""), ("table", table), ("dealer", key.dealer), ("shift", hours)]


def same(ours, theirs):
    """Check that two figures have the same counts and times."""
    names = (*COUNTS, "unread", "corrected")
    assert {name: ours.counts[name] for name in names} == {name: theirs.counts[name] for name in names}
    assert (ours.faults, ours.rulings) == (theirs.faults, theirs.rulings)
    assert {name: times.report() for name, times in ours.times.items()} == {
        name: times.report() for name, times in theirs.times.items()
    }


def compared(bench, ours, records=()):
    """Check that the floor's figures `ours` equal those of the journal."""
    theirs = {(whose[0], name_of(whose)): one for whose, one in of_journal(records or bench.records).items()}
    assert theirs["all", ""].counts["rounds"]
    for whose in theirs.keys() | ours.keys():
        if whose[0] != "manager":
            same(ours.get(whose, Figures()), theirs.get(whose, Figures()))


class FloorNumbers(Judge):
    """A floor's numbers equal the journal's, with events repeated or late and several programs counting."""

    def end(self):
        bench = self.bench
        if not bench.facts("opened"):
            return
        whole = events("a", bench.records)
        chance = Random(len(whole))
        late = chance.sample(whole, len(whole) // 2)
        goes = whole[: len(whole) // 3], late, chance.sample(whole, len(whole)), whole[:9]
        with in_memory() as folder:
            compared(bench, of_floor(Path(folder), *goes))


DEALT = "close; card 9C; card 2D; card KH; card 3S; press finish"
NATURAL = f"open; {DEALT}"


@pytest.mark.parametrize(
    ("kept", "then"), [(NATURAL, NATURAL), (f"{NATURAL}; open", DEALT)], ids=["between rounds", "in a round"]
)
def test_lost_records_are_no_longer_counted(tmp_path, kept, then):
    """After an accepted loss only the records that remained, and those of the new epoch, are counted."""
    bench = Bench()
    bench.says(kept)
    stands = len(bench.records)
    lost = Bench()
    lost.records, lost.state, lost.now = [*bench.records], bench.state, bench.now
    bench.wait(7200)
    bench.says(f"{then}; open; press manager")  # two hours later, with an open fault
    lost.now = bench.now
    lost.do(e.AcceptLoss("eva", "disk", "e2"))
    lost.says(f"{then}; {NATURAL}")
    before, after = events("a", bench.records), events("e2", lost.records[stands:])
    body = {**msgspec.json.decode(after[0].body), "before": "a"}  # a bench has no epoch
    after[0] = decode_event("table", "e2", msgspec.json.encode(body))
    compared(lost, of_floor(tmp_path, before, after), lost.records)


def test_open_time_is_split_over_its_hours(tmp_path):
    bench = Bench()
    bench.wait(5400)
    bench.says(NATURAL)
    with closing(Store(tmp_path / "a.floor")) as store, closing(FigureFile(tmp_path / "a.numbers", SHIFTS)) as counted:
        store.add(events("a", bench.records))
        counted.follow(store)
        rows = [row for row in counted.rows(0, EVER) if row.key.by == "all"]
        result = numbers(counted, "table", (START, START + 3 * HOUR), 1, SHIFTS)
    spent = {row.key.since: row.kept.counts.get("open", 0) / 60_000_000 for row in rows}
    assert sorted(spent.values()) == [30, 60]
    assert result.ranked[0].hours == 1.5
    assert result.ranked[0].rate == pytest.approx(2 / 3)


def test_an_unread_face_down_card_is_a_misread(tmp_path):
    bench = Bench("casino_holdem")
    bench.says("shuffled; open; bet p1 ante 1.00; close; card 2C; card 3C; unread; rule enter 4D by anna because seen")
    assert [what.hidden for what in bench.facts("faulted")] == [True]
    (reader,) = (
        figures for whose, figures in of_floor(tmp_path, events("a", bench.records)).items() if whose[0] == "device"
    )
    assert (reader.counts["read"], reader.counts["unread"]) == (3, 1)
    compared(bench, of_floor(tmp_path, ()))


def row_of(name, rounds, stopped, by="all"):
    """Return a row of figures of a table."""
    figures = Figures()
    figures.counts.update({"rounds": rounds, "stopped": stopped, "read": rounds, "unread": stopped})
    key = FigureKey(0, START, "dealer", "baccarat", by, f"shoe of {name}" if by == "device" else "")
    return FigureRow(name, key, figures.stored_form)


@contextmanager
def keeping(path, rows):
    """Yield a floor's figure file with these rows."""
    with closing(FigureFile(path, SHIFTS)) as counted, closing(sqlite3.connect(path)) as db, db:
        for table, key, figures in rows:
            row = table, "e", key.part, key.since, key.dealer, key.game, key.by, key.name, msgspec.json.encode(figures)
            db.execute("INSERT INTO figures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            db.execute("INSERT OR IGNORE INTO standing VALUES (?, 'e', x'')", (table,))
        db.commit()
        yield counted


def test_nothing_is_ranked_on_fewer_rounds_than_the_minimum(tmp_path):
    rows = [row_of("t1", 199, 50), row_of("t2", 200, 2), row_of("t3", 400, 40), row_of("t4", 400, 40)]
    rows += [row_of("t1", 199, 50, "device"), row_of("t2", 200, 2, "device")]
    with keeping(tmp_path / "a.numbers", rows) as counted:
        result = numbers(counted, "table", A_DAY, 200, SHIFTS)
    assert [(one.name, one.rank) for one in result.ranked] == [("t3", 1), ("t4", 1), ("t2", 3)]
    assert [(one.name, one.rounds, one.rank) for one in result.few] == [("t1", 199, None)]
    assert [(one.name, one.rank) for one in result.devices] == [("shoe of t2", 1), ("shoe of t1", None)]
    assert result.whole.rounds == 1199


def test_shifts_are_named_by_their_local_times(tmp_path):
    with keeping(tmp_path / "a.numbers", [row_of("t1", 300, 3)]) as counted:
        result = numbers(counted, "shift", A_DAY, 200, SHIFTS)
    assert [one.name for one in result.ranked] == ["2025-12-31 22:00 – 2026-01-01 06:00 EET"]


@pytest.mark.parametrize("spoilt", ["version", "no database", "gone"])
def test_figures_of_another_version_are_counted_anew(tmp_path, spoilt):
    bench = Bench()
    bench.says(f"{NATURAL}; {NATURAL}")
    first, path = of_floor(tmp_path, events("a", bench.records)), tmp_path / "a.numbers"
    if spoilt == "version":
        with closing(sqlite3.connect(path)) as db:
            db.executescript("DELETE FROM figures; PRAGMA user_version = 99")
    elif spoilt == "gone":
        path.unlink()
    else:
        path.write_bytes(b"no database" * 1000)
    again = of_floor(tmp_path, ())
    assert again.keys() == first.keys()
    compared(bench, again)


# ── sums of figures ──────────────────────────────────────────────────────────────────────────────────────────────


def made_up(chance, hours, tables=3):
    """Yield random figures for some hours of tables that are open now and then."""
    for table, hour in product(range(tables), range(hours)):
        for dealer in chance.sample("ABCD", chance.randrange(3)):
            figures, reader = Figures(), Figures()
            rounds = chance.randrange(40)
            stopped = chance.randint(0, min(rounds, 3))
            figures.counts.update(rounds=rounds, open=chance.randrange(HOUR), stopped=stopped, staked=5)
            figures.counts["void"] = chance.randint(0, stopped)
            reader.counts.update(read=rounds * 4, unread=chance.randrange(2), corrected=chance.randrange(2))
            figures.join(reader.stored_form)
            for name in chance.choices(("paused", "acknowledged", "ruled", "away"), k=stopped):
                figures.times[name].add(chance.randrange(90_000_000))
                figures.faults[name] += 1
            for by, name, one in (("all", "", figures), ("device", f"shoe {table}", reader), ("fault", "x", figures)):
                yield FigureRow(
                    f"t{table}", FigureKey(hour, START + hour * HOUR, dealer, "baccarat", by, name), one.stored_form
                )


@pytest.mark.parametrize(("seconds", "text"), [((), "–"), ((4.2, 119.7, 3723), "2:00 · 1:02:00")], ids=str)
def test_the_page_has_waiting_times_as_the_report_writes_them(seconds, text):
    waits = Times()
    for one in seconds:
        waits.add(round(one * SECOND))
    assert wait_times(times(waits.stored_form)).text == text


def joined(rows, whose):
    """Join all stored figures by `whose`, the plain way."""
    found = {}
    for row in rows:
        found.setdefault(whose(row), Figures()).join(row.kept)
    return found


def plain(figures):
    """Return a table's numbers, computed the plain way."""
    counts, (ack_times, ruled) = figures.counts, (figures.times[name] for name in ("acknowledged", "ruled"))
    whole = counts["rounds"], counts["open"] / HOUR, figures.faults.total(), counts["stopped"], counts["void"]
    misread = share(counts["unread"] + counts["corrected"], counts["read"])
    return *whole, wait_times(ack_times), wait_times(ruled), misread


def numbers_at_floor(one):
    """Return the same numbers as the floor shows them."""
    whole = one.rounds, one.hours, one.faults, one.stopped.count, one.voids.count
    return *whole, one.acknowledged, one.ruled, one.misread


WAYS = {
    "table": lambda row: row.table,
    "dealer": lambda row: row.key.dealer,
    "game": lambda row: row.key.game,
    "shift": lambda row: str(shift_at(row.key.since, SHIFTS.minutes, SHIFTS.time_zone)),
}


@pytest.mark.parametrize("by", WAYS)
def test_adding_figures_at_once_equals_joining_them(by, tmp_path):
    chance = Random(by)
    rows = list(made_up(chance, 100))
    since, until = sorted(chance.sample(range(100), 2))
    span = START + since * HOUR, START + until * HOUR
    span_rows = [row for row in rows if span[0] <= row.key.since < span[1]]
    with keeping(tmp_path / "a.numbers", rows) as counted:
        result = numbers(counted, by, span, 60, SHIFTS)
        assert sorted(map(str, counted.rows(*span))) == sorted(map(str, span_rows))
    of_all = [row for row in span_rows if row.key.by == "all"]
    theirs = {name: plain(figures) for name, figures in joined(of_all, WAYS[by]).items() if figures.counts["rounds"]}
    assert {one.name: numbers_at_floor(one) for one in (*result.ranked, *result.few)} == theirs
    assert numbers_at_floor(result.whole) == plain(joined(of_all, lambda row: "")[""])
    readers = joined([row for row in span_rows if row.key.by == "device"], lambda row: row.key.name)
    assert {one.name: one.misread for one in result.devices} == {name: plain(one)[-1] for name, one in readers.items()}


@pytest.mark.parametrize(("hours", "step"), [(1, "hour"), (73, "hour"), (74, "day"), (24 * 40, "day")])
def test_the_points_of_a_course_add_up_to_the_whole(hours, step, tmp_path):
    rows = [row for row in made_up(Random(hours + 4), hours, 1) if row.key.since // HOUR % 7 != 3]
    with keeping(tmp_path / "a.numbers", rows) as counted:
        result = numbers(counted, "table", (START, START + hours * HOUR), 1, SHIFTS)
    points, whole = result.course.points, result.whole
    assert result.course.step == step
    assert sum(point.rounds for point in points) == whole.rounds > 0
    for name in ("stopped", "voids"):
        assert sum(getattr(point, name).count for point in points) == getattr(whole, name).count
        assert all(getattr(point, name) == share(getattr(point, name).count, point.rounds) for point in points)
    assert len({point.at for point in points}) == len(points)
    assert [point.at for point in points] == sorted(point.at for point in points)


def test_a_course_has_each_requested_hour_and_every_day_between(tmp_path):
    rows = [row_at("t1", at, 10) for at in (START, START + 2 * HOUR, START + 4 * 24 * HOUR)]
    with keeping(tmp_path / "a.numbers", rows) as counted:
        hours = numbers(counted, "table", (START, START + 4 * HOUR), 1, SHIFTS).course.points
        days = numbers(counted, "table", (0, EVER), 1, SHIFTS).course.points
        nothing = numbers(counted, "table", (0, START), 1, SHIFTS).course.points
    assert [point.rounds for point in hours] == [10, 0, 10, 0]
    assert [point.rounds for point in days] == [20, 0, 0, 0, 10]
    assert nothing == ()


def row_at(name, at, rounds):
    """Return a row of figures of the hour that begins at `at`."""
    figures = Figures()
    figures.counts["rounds"] = rounds
    return FigureRow(name, FigureKey(at, at, "dealer", "baccarat", "all", ""), figures.stored_form)


def test_the_repeated_hour_of_autumn_is_two_points(tmp_path):
    night = 1_792_879_200 * SECOND  # 25 October 2026, 01:00 in Bucharest
    rows = [row_at("t1", night + hour * HOUR, 1) for hour in range(6)]
    with keeping(tmp_path / "a.numbers", rows) as counted:
        points = numbers(counted, "table", (night, night + 6 * HOUR), 1, SHIFTS).course.points
    assert [point.at[11:] for point in points][2:4] == ["03:00+03:00", "03:00+02:00"]


def test_clocks_set_by_half_an_hour_leave_no_round_out(tmp_path):
    howe, turn = ShiftsSection(zone="Australia/Lord_Howe"), 1_775_314_800 * SECOND  # 5 April 2026: from 02:00 to 01:30
    pieces = sorted({piece_begin(turn + quarter * HOUR // 4, howe) for quarter in range(-8, 10)})
    with keeping(tmp_path / "a.numbers", [row_at("t1", at, 1) for at in pieces]) as counted:
        points = numbers(counted, "table", (turn - 2 * HOUR, turn + 3 * HOUR), 1, howe).course.points
    assert [point.at[11:] for point in points] == [
        "00:00+11:00", "01:00+11:00", "01:30+11:00", "02:00+10:30", "03:00+10:30", "04:00+10:30",
    ]  # fmt: skip
    assert sum(point.rounds for point in points) == len(pieces)


def test_a_void_round_counts_for_its_opening_hour_and_dealer(tmp_path):
    bench = Bench()
    bench.says("open")
    bench.wait(7200)
    bench.says("press manager; rule cancel by anna because wet; open; close")
    with closing(Store(tmp_path / "a.floor")) as store, closing(FigureFile(tmp_path / "a.numbers", SHIFTS)) as counted:
        store.add(events("a", bench.records))
        counted.follow(store)
        result = numbers(counted, "table", (START, START + 24 * HOUR), 1, SHIFTS)
    played = [(point.rounds, point.stopped.count, point.voids.count) for point in result.course.points if point.rounds]
    assert played == [(1, 1, 1), (1, 0, 0)]
