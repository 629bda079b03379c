"""Every figure in `FIGURES` is the same number at every place that shows it, over random play."""

import re
from collections import Counter
from contextlib import closing
from datetime import UTC, date
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from controller.accounts.figures import DURATIONS, FIGURES, PLACES
from controller.accounts.ledger import EQUIPMENT, Ledger
from controller.accounts.money import amount_kept
from controller.accounts.open_time import HOUR, OpenTime, rounds_per_hour
from controller.config.shifts import Period, ShiftsSection, day_of
from controller.core.clock import DAY, SECOND
from controller.core.records import Record
from controller.core.views import view
from controller.floor.history.export import cells
from controller.floor.history.figure_file import FigureFile
from controller.floor.history.numbers import numbers
from controller.floor.history.report import report as floor_report
from controller.floor.history.search import SearchParameters, search
from controller.floor.site.printed_pages import report_page
from controller.floor.storage.store import Store
from controller.floor.storage.table_events import decode_event
from controller.outputs.metrics import Metrics, MetricSources
from controller.outputs.timed_journal import TimedJournal
from controller.reports.counting import Counting
from controller.reports.shift_report import NothingRecorded, report
from controller.reports.statistics import Statistics
from controller.reports.summaries import revisions, summaries
from controller.reports.table_rows import record_rows
from controller.reports.tables import SHEETS
from controller.web.screens import report_texts
from controller.web.screens.report_page import page
from tests.core.bench import START, Bench
from tests.core.chance import Judge
from tests.folders import in_memory
from tests.outputs.test_metrics import AtABench, Unwritten
from tests.outputs.test_metrics import samples_of as scraped
from tests.reports.test_shift_report import ReportPage
from tests.reports.week import journal

Values = dict[str, Any]
SHIFTS = ShiftsSection(zone="UTC")
DAYS = [day_of(date(2026, 1, day), SHIFTS.time_zone) for day in (1, 2)]
EVER = Period("day", START - 2 * DAY, START + 60 * DAY, UTC)


class AtFloor(NamedTuple):
    """Records of a table with its metrics, its journal file, and a floor's store and figures of them."""

    records: list[Record]
    metrics: dict[str, dict[str, float]]
    file: Path
    store: Store
    counted: FigureFile


# ── the expected figures ─────────────────────────────────────────────────────────────────────────────────────────


def totals(records, period):
    """Return the account's sums of entries in a period, by figure. Durations: how often, and seconds."""
    found, often, ledger = Counter[str](), Counter[str](), Ledger()
    for record in records:
        within = period.since <= record.at < period.until
        if not within and isinstance(record.what, EQUIPMENT):
            continue
        for entry in ledger.take(record):
            at = record.at if entry.belongs is None else entry.belongs[0]
            if not period.since <= at < period.until:
                continue
            if not entry.alone or entry.figure in ("lost", "away"):
                found[entry.figure] += entry.amount
                often[entry.figure] += 1
    of_durations = {name: (often[name], round(found[name] / SECOND, 3)) for name in DURATIONS}
    misreads = found["unread"] + found["corrected"]
    rate = misreads / found["read"] if found["read"] else None
    spent = open_for(records, period)
    values = {"misreads": misreads, "misread_rate": rate, "kept": amount_kept(found), "open": spent}
    return {name: found[name] for name in FIGURES} | of_durations | values | {"rate": per_hour(found["rounds"], spent)}


def open_for(records, period):
    """Return for how long the table was open in a period, in microseconds."""
    account, spent = OpenTime(), 0
    for record in records:
        span = account.take(record)
        if span is not None:
            spent += max(0, min(span[1], period.until) - max(span[0], period.since))
    return spent


def per_hour(rounds, spent):
    rate = rounds_per_hour(rounds, spent)
    return None if rate is None else round(rate, 1)


# ── figures that each place shows ────────────────────────────────────────────────────────────────────────────────


def stats(at: AtFloor, period) -> Values:
    """Return the figures of `stats` in a period."""
    statistics = Statistics((), UTC, (period.since, period.until))
    counting = Counting(statistics)
    for record in at.records:
        counting.take(record)
    rows = list(statistics.report())
    shown = {name: plain(value) for name, value in rows[0].items() if name not in ("by", "name", "currency")}
    devices = [row for row in rows if row["by"] == "device"]
    away = [row["away"] for row in devices]
    lost = sum(row["lost"] for row in devices)
    return shown | {"lost": lost, "away": (sum(one["count"] for one in away), sum(one["total"] for one in away))}


def plain(value):
    if isinstance(value, dict):
        return (value["count"], round(value["total"], 3)) if "total" in value else sum(value.values())
    return value


def scrape(at: AtFloor, period) -> Values:
    """Return the figures of the metrics, by the names of their samples."""
    assert period is EVER
    return {name: scraped_as(at.metrics, name) for name in names("metrics")}


def scraped_as(found, name):
    metric, _, label = name.rstrip("}").partition("{")
    if f"tablectl_{metric}_sum" in found:
        return found[f"tablectl_{metric}_count"][""], round(found[f"tablectl_{metric}_sum"][""], 3)
    by = found.get(f"tablectl_{metric}_total", {})  # a counter without a value has no sample
    number = sum(value for key, value in by.items() if not label or label.partition("=")[2] in key.split(","))
    return round(number * 100) if metric.endswith("_money") else number


def of_table(at: AtFloor, period) -> Values:
    """Return the figures of a table's shift report, empty if nothing is recorded in the period."""
    try:
        sheet = report(at.file, period)
    except NothingRecorded:
        return {}
    shown = whole_numbers(page(sheet, "en"))
    waits = {name: sheet.waits[""][figure].count for name, figure in (("seen", "acknowledged"), ("ruled", "ruled"))}
    times = {"paused": plain(sheet.whole_row["paused"])}
    devices = {"lost": sum(row["lost"] for row in sheet.rows_of("device")), "away": plain_away(sheet.rows_of("device"))}
    rulings = sum(sheet.whole_row["rulings"].values())
    rates = {"misread_rate": sheet.whole_row["misread_rate"]}
    return shown | sums_by_name(sheet.money) | waits | times | rates | devices | {"rulings": rulings}


def plain_away(rows):
    return sum(row["away"]["count"] for row in rows), round(sum(row["away"]["total"] for row in rows), 3)


def whole_numbers(html):
    """Return the figures of a page by name, and 0 for those that a page leaves out while they are 0."""
    shown = dict.fromkeys(("training", "resettled"), 0) | ReportPage(html).figures
    read = {name: float(text) if "." in text else int(text) for name, text in shown.items() if name != "paused"
            for text in [str(text).replace(",", "")] if text[0].isdigit()}  # fmt: skip
    return read | {"rate": read.get("rate")}


def sums_by_name(money):
    """Return the amounts of a report by name, summed over all currencies."""
    return {name: sum(amounts[name] for amounts in money.values()) for name in report_texts.MOVED}


def of_floor(at: AtFloor, period) -> Values:
    """Return the figures of a floor's report."""
    sheet = floor_report(at.store, at.counted, period, 1, SHIFTS)
    assert sum(one.count for one in sheet.faults) == sum(hour.faults for hour in sheet.hours)
    assert len(sheet.voids) == sheet.cancelled
    shown = whole_numbers(report_page(sheet, "main", "en", []))
    return shown | sums_by_name(sheet.money) | {"paused": round(sheet.paused, 3)}


def of_numbers(at: AtFloor, period) -> Values:
    """Return the figures of a floor's page of numbers."""
    figures = numbers(at.counted, "table", (period.since, period.until), 1, SHIFTS)
    whole, readers = figures.whole, {name: sum(getattr(one, name) for one in figures.devices) for name in READ}
    rate = None if whole.rate is None else round(whole.rate, 1)
    shares = {"stopped": whole.stopped.count, "voids": whole.voids.count, "misread": whole.misread.value}
    waits = {"acknowledged": whole.acknowledged.count, "ruled": whole.ruled.count}
    hours = round(whole.hours * HOUR)
    return {"rounds": whole.rounds, "faults": whole.faults, "rate": rate, "hours": hours, **shares, **waits, **readers}


READ = ("read", "unread", "corrected")


def of_rounds(at: AtFloor, period) -> Values:
    """Return sums over the rows of a floor's list of rounds, without training."""
    assert period is EVER
    rows = [cells(one) for one in search(at.store, SearchParameters(), 10_000)]
    played = [row for row in rows if not row["training"]]
    return {name: sum(map(number, (row[name] for row in played))) for name in names("floor_rounds")}


def number(value):
    return len(value) if isinstance(value, list) else int(value)


def of_tables(at: AtFloor, period) -> Values:
    """Return sums over the exported tables of a record, without training."""
    assert period is EVER
    sheets = {name: [] for name in SHEETS}
    for name, row in record_rows(at.records, last_ended(at.records), revisions(reversed(at.records))):
        sheets[name].append(row)
    rounds = {row["round_id"]: row for row in sheets["rounds"] if not row["training"]}
    bets = [row for row in sheets["bets"] if row["round_id"] in rounds]
    back = {end: sum(row["returned"] for row in bets if row.get("end") == end) for end in ENDS}
    counts = {name: sum(number(row[name]) for row in rounds.values()) for name in ("manual", "cancelled", "revision")}
    others = {name: sum(not row["training"] for row in sheets[name]) for name in ("faults", "rulings")}
    money = {"staked": sum(row["stake"] for row in bets), "adjusted": sum(row["adjusted"] for row in bets)}
    money["above_ceilings"] = sum(row.get("above_ceilings") or 0 for row in bets)
    return counts | others | money | {ENDS[end]: amount for end, amount in back.items()}


ENDS = {"paid": "paid_out", "withdrawn": "withdrawn", "refunded": "refunded"}
SHOWN = {
    "stats": stats, "metrics": scrape, "report": of_table, "floor_report": of_floor, "floor_numbers": of_numbers,
    "floor_rounds": of_rounds, "tables": of_tables,
}  # fmt: skip
ROUNDS = ("floor_rounds", "tables")  # places that list all ended rounds, without a period
COUNTED = {"report": ("acknowledged", "ruled"), "floor_numbers": ("acknowledged", "ruled")}  # shown as a count
SUMMED = {"floor_report": ("paused",)}  # shown as a sum


def names(place):
    return {figure.shown[place] for figure in FIGURES.values() if place in figure.shown}


def last_ended(records):
    """Return the number of the last round that has ended."""
    return max((one.round for one in summaries(records) if one.end != "live"), default=0)


def expected(place, at, period):
    """Return the figures that a place should show, by their names at that place."""
    records = at.records
    if place in ROUNDS:  # a card burnt in a shoe change belongs to no round
        ended = {one.round for one in summaries(records) if one.end != "live"}
        none = {None} if place == "tables" else set()
        records = [record for record in records if record.round in ended | none]
    truth = totals(records, period)
    if place == "metrics" and at.metrics:  # metrics also count the current pause
        truth["paused"] = truth["paused"][1] + on(at)
    for name in COUNTED.get(place, ()):
        truth[name] = truth[name][0]
    for name in SUMMED.get(place, ()):
        truth[name] = truth[name][1]
    return {figure.shown[place]: truth[name] for name, figure in FIGURES.items() if place in figure.shown}


def on(at):
    """Return how many seconds the current pause has lasted, 0 without one."""
    ledger = Ledger()
    for record in at.records:
        ledger.take(record)
    return 0 if ledger.faults.paused is None else (at.metrics["now"][""] - ledger.faults.paused) / SECOND


def holds(at, place, period):
    """Assert that a place shows the same figures as the account."""
    shown = SHOWN[place](at, period)
    if not shown:
        return
    figures = expected(place, at, period)
    told_of = {name: rounded(shown.get(name)) for name in figures}
    assert told_of == {name: rounded(value) for name, value in figures.items()}, place


def rounded(value):
    if isinstance(value, tuple):
        return tuple(map(rounded, value))
    return round(value, 3) if isinstance(value, float) else value


class EveryFigure(Judge):
    """Every figure is the same number at every place that shows it, for the whole time and day by day."""

    def __init__(self, bench):
        super().__init__(bench)
        self.table = AtABench(bench)
        self.metrics = Metrics(self.table, TimedJournal(Unwritten(), "table"), MetricSources())

    def look(self, before, event, records, after):
        self.metrics.hear(self.table, records)

    def end(self):
        with in_memory() as folder:
            path, records = Path(folder), self.bench.records
            file = journal(path / "t.journal", tuple(records))
            with closing(Store(path / "a.floor")) as store, closing(FigureFile(path / "a.numbers", SHIFTS)) as counted:
                store.add([decode_event("table", "e1", msgspec.json.encode(view(one, "manager"))) for one in records])
                counted.follow(store)
                found = scraped(self.metrics) | {"now": {"": self.bench.now}}
                at = AtFloor(records, found, file, store, counted)
                for place in PLACES:
                    for period in (EVER, *DAYS) if place not in (*ROUNDS, "metrics") else (EVER,):
                        holds(at, place, period)


# ── chosen scenes ────────────────────────────────────────────────────────────────────────────────────────────────


PLAYED = "open; bet p1 player 1.00; bet p3 tie 1.00; close; card 9C; card 2D; card KC; card 3D; press finish"
ANEW = "resettle 1 correct 2 6D by m with n because misread"


@pytest.mark.parametrize(
    ("says", "terms"),
    [
        pytest.param(f"{PLAYED}; open; {ANEW}; press manager; rule cancel by m because x", {}, id="settled anew"),
        pytest.param(f"{PLAYED}; resettle 1 void by m with n because shoe; {PLAYED}", {}, id="made void"),
        pytest.param(
            "open; bet p1 player 1.00; close; card 9C; card 2D; card KC; card 3D; press manager; "
            f"rule cancel by m because x; open; resettle 1 resume by m with n because shoe; {PLAYED[6:]}",
            {},
            id="cancelled, then settled",
        ),
        pytest.param(
            "wait 86390s; open; bet p1 player 1.00; close; card 9C; card 2D; press manager; wait 20s; "
            "rule resume by m because x; card KC; card 3D; press finish",
            {},
            id="over midnight",
        ),
        pytest.param(f"{PLAYED}; wait 86400s; {ANEW}", {}, id="settled anew on the next day"),
        pytest.param("open; card 5H; wait 9s; rule cancel by m because x", {"training": True}, id="training"),
    ],
)
def test_each_figure_is_one_number_at_every_place(says, terms):
    bench = Bench(**terms)
    bench.judges = [EveryFigure(bench)]
    bench.says(says)
    bench.judges[0].end()


def test_resettling_adjusts_its_own_day_and_revises_the_rounds_day():
    bench = Bench()
    bench.says(f"{PLAYED}; wait 86400s; {ANEW}")
    first, second = (totals(bench.records, day) for day in DAYS)
    assert [(day["adjusted"], day["revised"], day["paid_out"]) for day in (first, second)] == [
        (0, 800, 200),
        (800, 0, 0),
    ]


def test_every_figure_that_statistics_and_reports_show_is_defined():
    row = next(Statistics().report())
    assert row.keys() - {"by", "name", "currency"} <= names("stats")
    assert set(report_texts.FIGURES) <= names("report") | names("floor_report")
    assert set(report_texts.MOVED) <= names("report")


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_defined_and_shown_somewhere(name):
    figure = FIGURES[name]
    assert figure.shown.keys() <= PLACES.keys()
    assert figure.shown
    assert not figure.of or figure.of in FIGURES
    assert re.fullmatch(r"[A-Z].*\.", figure.means)
