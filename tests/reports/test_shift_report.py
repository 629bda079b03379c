"""Shift report: its figures equal those of `journal stats`, and its lists show what was recorded."""

import json
import re
from collections import Counter
from datetime import UTC, date
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from controller.cli import main
from controller.config.shifts import day_of, minutes_of, shift_at, zone_named
from controller.core import events as e
from controller.core.clock import to_text
from controller.journal import Journal, stretches_within
from controller.reports.shift_log import ShiftLog
from controller.reports.shift_report import Hour, NothingRecorded, period_of, report
from controller.web.screens.bars import Bar, bars
from controller.web.screens.report_page import RARE, misread_bar, page
from tests.core.bench import START, Bench
from tests.core.chance import Judge
from tests.folders import in_memory
from tests.reports.week import BEGINS, HOUR, SHIFTS, ZONE, journal, week

THERE, MINUTES = zone_named(ZONE), minutes_of(SHIFTS)
CARDS = re.compile(r"\b(?:[A2-9TJQK]|10)[CDHS]\b")
SETTLED = "open; bet p1 player 1.00; bet p3 tie 1.00; close; card 9C; card 2D; card KC; card 3D"
FIGURES = ("rounds", "settled", "cancelled", "cards", "manual", "disputed", "resettled")
MONEY = ("staked", "withdrawn", "refunds", "refunded", "pay_outs", "paid_out", "adjusted")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Journal of the simulated week, written once for this file."""
    return journal(tmp_path_factory.mktemp("week") / "week.journal", week())


def shift(number):
    """Return the period of one shift of the week, by its number."""
    return shift_at(BEGINS + number * 8 * HOUR, MINUTES, THERE)


def stats(file, period):
    """Run `journal stats --json` for this period; return its rows."""
    arguments = ("--since", to_text(period.since), "--until", to_text(period.until), "--json")
    result = CliRunner().invoke(main, ["journal", "stats", str(file), *arguments], catch_exceptions=False)
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_an_empty_record_has_no_report(tmp_path):
    Journal(tmp_path / "empty.journal").close()
    period = period_of(tmp_path / "empty.journal", MINUTES, THERE, None, None)
    assert period == shift_at(0, MINUTES, THERE)
    with pytest.raises(NothingRecorded):
        report(tmp_path / "empty.journal", period)


def agree(sheet, file):
    """Assert that the report's figures equal those of `journal stats`, and that its sums add up."""
    rows = stats(file, sheet.period)
    assert [dict(row, currency="") for row in sheet.rows] == [dict(row, currency="") for row in rows]
    moved = {name: sum(of[name] for of in sheet.money.values()) for name in MONEY}  # some are below zero
    assert list(moved.values()) == [sheet.whole_row[name] for name in MONEY]
    assert Counter(one.ruling for one in sheet.log.rulings) == sheet.whole_row["rulings"]
    assert len(sheet.log.voids) == sheet.whole_row["cancelled"]
    assert len(sheet.log.resettlements) == sheet.whole_row["resettled"]
    assert sum(hour.rounds for hour in sheet.hours) == sheet.whole_row["rounds"]
    assert sum(hour.faults for hour in sheet.hours) == sum(sheet.whole_row["faults"].values())


class ReportPage(HTMLParser):
    """Page as a reader sees it: its text, and its figures by name."""

    def __init__(self, content):
        super().__init__()
        self.text, self.figures, self._in, self._of = "", {}, "", None
        self.feed(content)

    def handle_starttag(self, tag, attrs):
        self._in, self._of = tag, dict(attrs).get("data-figure")

    def handle_data(self, data):
        if self._in != "style":
            self.text += f"{data}\n"
        if self._of is not None:
            self.figures[self._of] = data
        self._of = None


# ── figures ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("number", [0, 4, 19, 20])
def test_a_shift_reports_figures_equal_stats_and_are_shown(kept, number):
    sheet = report(kept, shift(number))
    agree(sheet, kept)
    shown = ReportPage(page(sheet, "en")).figures
    named = [name for name in FIGURES if name not in RARE or sheet.whole_row[name]]
    assert [shown[name] for name in named] == [f"{sheet.whole_row[name]:,}" for name in named]
    assert shown["faults"] == str(sum(sheet.whole_row["faults"].values()))


def test_the_shifts_of_a_week_add_up_to_the_week(kept):
    each = [
        report(kept, shift(number)).whole_row for number in range(22)
    ]  # the clocks are set in the last night but one
    kinds = Counter(record.kind for record in week())
    assert sum(whole["rounds"] for whole in each) == kinds["opened"] > 400
    assert sum(sum(whole["faults"].values()) for whole in each) == kinds["faulted"] > 10


class ShiftFigures(Judge):
    """Figures of a shift report equal `journal stats`; it names cards only in reasons that people typed."""

    def end(self):
        with in_memory() as folder:
            file = journal(Path(folder) / "t.journal", tuple(self.bench.records))
            sheet = report(file, day_of(date(2026, 1, 1), zone_named("UTC")))
            agree(sheet, file)
        assert "<h1>" in page(sheet, "ro")
        text = ReportPage(page(sheet, "en")).text
        for ruling in sheet.log.rulings:
            if ruling.round is None or ruling.round != sheet.open.live:  # a live round shows no reasons
                text = text.replace(ruling.because, "")
        assert CARDS.findall(text) == []


def test_a_clock_change_day_has_its_real_length_and_note(kept):
    sunday = day_of(date(2026, 3, 29), THERE)
    assert sunday.until - sunday.since == 23 * HOUR
    assert [*sunday.hours()] == [hour for hour in range(24) if hour != 3]
    agree(report(kept, sunday), kept)
    assert "The clocks were set" in page(report(kept, sunday), "en")
    assert "The clocks were set" not in page(report(kept, day_of(date(2026, 3, 28), THERE)), "en")


def test_nine_of_ten_waits_are_at_most_the_reported_time(tmp_path):
    bench = Bench()
    for seconds in range(1, 11):
        bench.says(f"press manager; wait {seconds}s; ack by m; wait 1s; rule resume by m because x")
    sheet = report(journal(tmp_path / "t.journal", tuple(bench.records)), shift_at(START, (0,), THERE))
    wait = sheet.waits["dealer_call"]["acknowledged"]
    assert (wait.count, wait.median, wait.nine_of_ten, wait.longest) == (10, 5.5, 9.0, 10.0)


def test_the_record_of_a_time_is_found_by_bisection(kept):
    for number in range(0, 21, 3):
        at = shift(number).since
        found = max((record.seq for record in week() if record.at < at), default=0)
        assert stretches_within(kept, at) == [(found + 1, len(week()))]
        assert stretches_within(kept, None, at) == ([(1, found)] if found else [])


# ── lists beside the figures ─────────────────────────────────────────────────────────────────────────────────────


def told_of(tmp_path, text, **terms):
    bench = Bench(**terms)
    bench.says(text)
    file = journal(tmp_path / f"{len([*tmp_path.iterdir()])}.journal", tuple(bench.records))
    return report(file, day_of(date(2026, 1, 1), zone_named("UTC")))


def test_a_ruling_is_listed_with_who_and_why(tmp_path):
    text = ReportPage(page(told_of(tmp_path, "press manager; rule resume by Anna because 'all is well'"), "en")).text
    assert {"Resume", "Anna", "all is well"} <= set(text.splitlines())


def test_the_report_lists_each_resettlement_with_people_and_money(tmp_path):
    anew = "resettle 1 correct 2 6D by Anna with Bea because misread; resettle 1 void by Anna with Carl because shoe"
    sheet = told_of(tmp_path, f"{SETTLED}; {anew}")
    one, other = sheet.log.resettlements
    assert (one.round, one.by, one.because, one.void, one.bets) == (1, "Anna + Bea", "misread", False, 2)
    assert (other.by, other.void, other.amount) == ("Anna + Carl", True, -800)
    assert one.amount == 800
    text = ReportPage(page(sheet, "en")).text.splitlines()
    at = text.index("Rounds settled anew")
    assert {"Anna + Bea", "misread", "8.00"} <= set(text[at : text.index("Hand-over")])
    assert "Rounds settled anew" not in page(told_of(tmp_path, "open"), "en")


def test_the_report_lists_only_what_is_open_at_its_end(tmp_path):
    left = told_of(tmp_path, "lost panel; open; card 9C").open
    assert (left.fault, left.live, left.lost) == ("card_before_close", 1, ("panel",))
    text = ReportPage(page(told_of(tmp_path, "lost panel; found panel"), "en")).text
    assert "Nothing is open." in text


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        ("lost", "The record's anchor is lost: call the engineer"),
        ("required", "The record's anchor is lost: no round opens"),
        ("", "Nothing is open."),
    ],
)
def test_a_lost_anchor_is_handed_over_until_it_is_back(tmp_path, standing, said):
    bench = Bench()
    bench.do(e.AnchorChecked("required" if standing == "lost" else "lost", "away"), e.AnchorChecked(standing, "away"))
    sheet = report(journal(tmp_path / "t.journal", tuple(bench.records)), day_of(date(2026, 1, 1), UTC))
    (point,) = re.findall(r"<section class=\"open\"><h2>Open points</h2>(.+?)</section>", page(sheet, "en"))
    assert unescape(re.sub("<.+?>", "", point)) == said


def test_rounds_cancelled_without_a_fault_are_none_of_the_faults(tmp_path):
    bench = Bench("blackjack")
    bench.says("shuffled; open; close; shuffled; open; bet p1 seat1 main 1.00; close; card 9C; press manager")
    bench.says("rule cancel by m because broken")  # the first round was cancelled as no seat was taken
    sheet = report(journal(tmp_path / "t.journal", tuple(bench.records)), day_of(date(2026, 1, 1), UTC))
    rows = re.findall(r"<tr>(.+?)</tr>", page(sheet, "en"))
    (total,) = [re.findall(r"<td.*?>(.*?)</td>", row) for row in rows if "<b>All faults</b>" in row]
    assert (sheet.whole_row["cancelled"], total[1], total[2]) == (2, "1", "1")


def test_a_shift_counts_open_time_to_a_later_record(tmp_path):
    bench = Bench("baccarat")
    bench.says(SETTLED)
    bench.says("wait 14400m; open")
    file = journal(tmp_path / "t.journal", tuple(bench.records))
    sheet = report(file, day_of(date(2026, 1, 1), zone_named("UTC")))
    assert sheet.open_for == sheet.period.until - bench.records[0].at


def test_faults_open_before_a_shift_are_still_listed_after_it(tmp_path):
    bench = Bench()
    bench.says("lost panel; open; close; card 9C; card 2D; card KH; card 3S; press manager")
    bench.wait(24 * 3600, e.SignIn("anna", "10.0.0.7", "manager"))
    file = journal(tmp_path / "t.journal", tuple(bench.records))
    left = report(file, day_of(date(2026, 1, 2), zone_named("UTC"))).open
    assert (left.fault, left.lost) == ("dealer_call", ("panel",))


OPEN_CASES = """open; close; card 9C; card 2D; card KH; card 3S; press dropped; press dropped; result banker
open; close; card 9D; card 2C; card KD; card 3H; press exposed; press manager; restart"""


@pytest.mark.parametrize(
    ("since", "rounds"),
    [
        ("", [1, 1, 2, 2]),
        ("resettle 1 correct 2 6D by m with n because misread", [2, 2]),
        ("dismiss {first} by m because seen", [1, 2, 2]),
        ("dismiss 1 by m because seen", [1, 1, 2, 2]),
    ],
)
def test_cases_of_earlier_shifts_are_handed_over_while_open(tmp_path, since, rounds):
    bench = Bench()
    bench.says(OPEN_CASES)
    first = bench.state.cases[0]
    bench.wait(24 * 3600, e.SignIn("anna", "10.0.0.7", "manager"))
    bench.says(since.format(first=first.seq))
    file = journal(tmp_path / "t.journal", tuple(bench.records))
    sheet = report(file, day_of(date(2026, 1, 2), zone_named("UTC")))
    assert [case.round for case in sheet.open.cases] == rounds
    assert sheet.open.cases == bench.state.cases
    (line,) = [line for line in ReportPage(page(sheet, "en")).text.splitlines() if line.startswith("Open cases: ")]
    assert re.findall(r"Round (\d+): ", line) == [str(number) for number in rounds]
    assert "Round 2: CARD SEEN" in line
    assert "Cazuri deschise: Runda " in ReportPage(page(sheet, "ro")).text


def test_the_first_shift_hands_over_its_own_cases_too(tmp_path):
    sheet = told_of(tmp_path, OPEN_CASES)
    assert [case.round for case in sheet.open.cases] == [1, 1, 2, 2]
    assert "Open cases" not in page(told_of(tmp_path, "open"), "en")


def test_the_report_shows_sign_ins_and_handovers(kept):
    text = ReportPage(page(report(kept, shift(1)), "en")).text
    assert "Sandu (102)" in text
    assert "Handed over by Maria (103) · Taken over by Sandu (102) · Note: Panel key FINISH sticks" in text


def test_a_time_without_a_record_has_no_report(kept):
    with pytest.raises(NothingRecorded, match="nothing is recorded 2027-01-01 00:00"):
        report(kept, day_of(date(2027, 1, 1), THERE))


def test_each_empty_table_has_its_romanian_sentence(kept):
    quiet = replace(report(kept, shift(4)), log=ShiftLog())
    texts = dict(re.findall(r"<h2>([^<]+)</h2><p>([^<]+)</p>", page(quiet, "ro")))
    assert (texts["Runde anulate"], texts["Decizii"]) == ("Nicio rundă.", "Nicio decizie.")


def test_typed_text_is_escaped_in_the_report(tmp_path):
    sheet = told_of(tmp_path, "press manager; rule resume by '<b>' because '<script>alert(1)</script>'")
    assert "<script" not in page(sheet, "en")
    assert "&lt;script&gt;" in page(sheet, "en")


# ── what is withheld ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_report_shows_ruling_reasons_after_the_round(tmp_path):
    text = "open; close; card 9C; press manager; rule resume by m because 'the dealer has KH'"
    live = ReportPage(page(told_of(tmp_path, text), "en")).text
    assert ("the dealer has KH" in live, "told when the round is over" in live) == (False, True)
    over = ReportPage(page(told_of(tmp_path, f"{text}; press manager; rule cancel by m because x"), "en")).text
    assert "the dealer has KH" in over


def test_a_past_report_has_reasons_of_rounds_over_since(tmp_path):
    text = "clock 2026-01-01T23:59:45Z; open; close; card 9C; press manager; rule resume by m because seen; wait 20s"
    bench, first = Bench(), day_of(date(2026, 1, 1), UTC)
    bench.says(text)
    live = ReportPage(page(report(journal(tmp_path / "live.journal", bench.records), first), "en")).text
    assert ("told when the round is over" in live, "This is not over yet" in live) == (True, True)
    bench.says("press manager; rule cancel by m because x")
    over = ReportPage(page(report(journal(tmp_path / "over.journal", bench.records), first), "en")).text
    assert ("told when the round is over" in over, "This is not over yet" in over) == (False, False)
    assert "Resume\nm\nseen\n" in over
    assert "Round 1 is on" in over


# ── plots and pages ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_plot_has_its_values_as_text_and_one_colour():
    drawn = bars("Rounds", [Bar("06", 12, "12"), Bar("07", 0, ""), Bar("08", None, "")])
    assert 'aria-label="Rounds. 06: 12, 07: , 08: "' in drawn
    assert set(re.findall('fill="(.+?)"', drawn)) == {"#555"}
    assert drawn.count("<rect") == 1


@pytest.mark.parametrize(
    ("wrong", "read", "label"),
    [(0, 500, "0.0"), (1, 2000, "0.5"), (99, 10_000, "9.9"), (139, 5000, "27.8"), (0, 0, "")],
)
def test_misreads_of_an_hour_have_one_decimal_as_their_total(wrong, read, label):
    assert misread_bar(Hour(7, wrong=wrong, read=read)).says == label


def test_a_report_page_loads_no_other_file_and_is_small(kept):
    content = page(report(kept, shift(4)), "ro")
    assert re.findall(r"\b(?:src|href|url)\b", content) == []
    assert len(content.encode()) < 40_000
