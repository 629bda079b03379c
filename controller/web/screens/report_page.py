"""Report of a day or a shift as one HTML page, printed on two pages of A4.

The page loads no other files.

Invariant: it names no card, and no reason of a ruling in a live round, so a printed page reveals no hidden card.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

from ...accounts.open_time import rounds_per_hour
from ...core.clock import SECOND
from ...reports.shift_log import ShiftLog
from ...reports.shift_report import Hour, ShiftReport
from ...text.faults import Words
from . import report_texts as t
from .bars import Bar, bars
from .report_tables import TABLES
from .report_words import NOTHING, ReportWords, per_thousand, span

STYLE = Path(__file__).parents[1] / "pages" / "report.css"
LINKS = {"before": t.BEFORE, "now": t.THIS_SHIFT, "day": t.THIS_DAY, "after": t.AFTER}


def page(report: ShiftReport, language: str, links: Sequence[tuple[str, str]] = (), *, at_table: bool = False) -> str:
    """Compose the report's page. `links`: name in LINKS and target of each. `at_table`: with the hand-over form."""
    words = ReportWords(report, Words(language))
    title = words(t.TITLES[report.period.kind])
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title} · {escape(report.table)}</title><style>{style()}</style></head><body>"
        f"{_nav(links, words)}<main>{_head(report, words)}{_open(report, words)}{_figures(report, words)}"
        f"{_plots(report, words)}{''.join(table(report, words) for table in TABLES)}</main>"
        f"{_form(report, words) if at_table else ''}</body></html>\n"
    )


@cache
def style() -> str:
    """Style sheet of the page, which is part of it."""
    return STYLE.read_text(encoding="utf-8")


def style_mark() -> str:
    """Hash of the page's own style for its Content-Security-Policy, so that browsers accept that style."""
    return mark_of(style())


def mark_of(style: str) -> str:
    """Hash of a style inside a page for the Content-Security-Policy, so that browsers accept that style."""
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()


def _nav(links: Iterable[tuple[str, str]], words: ReportWords) -> str:
    anchors = "".join(f'<a href="{escape(where)}">{words(LINKS[name])}</a>' for name, where in links)
    return f"<nav>{anchors}</nav>" if anchors else ""


def _form(report: ShiftReport, words: ReportWords) -> str:
    people = "".join(
        f"<fieldset><legend>{words(title)}</legend>"
        f'<label>{words(t.WHO)}<input name="{whose}-name" autocomplete="off" required></label>'
        f'<label>{words(t.PIN)}<input name="{whose}-pin" type="password" inputmode="numeric" autocomplete="off"'
        " required></label></fieldset>"
        for whose, title in (("from", t.SIGNED_FROM), ("to", t.SIGNED_TO))
    )
    return (
        f'<form id="hand-over" data-shown="{report.seq}" data-never="{words(t.NEVER)}">{people}'
        f'<label>{words(t.NOTE)}<input name="note" maxlength="300"></label><button>{words(t.HAND_OVER)}</button>'
        '<p role="status"></p></form><script type="module" src="/static/report.js"></script>'
    )


def _head(report: ShiftReport, words: ReportWords) -> str:
    period = report.period
    notes = [words(t.STILL_ON)] if report.at < period.until - SECOND and report.live else []
    notes += [words(t.CLOCKS_SET)] if period.has_clock_change else []
    upto = words(t.TO_THE_RECORD, seq=report.seq, time=f"{period.local(report.at):%Y-%m-%d %H:%M:%S}")
    return (
        f"<header><h1>{words(t.TITLES[period.kind])}</h1>"
        f'<p class="when">{escape(str(period))}</p>'
        f"<p>{words(t.TABLE_OF, table=report.table, game=words.game(report.game))}</p>"
        f"<p>{' · '.join([upto, *notes])}</p></header>"
    )


def _open(report: ShiftReport, words: ReportWords) -> str:
    points = [*open_points(report, words)]
    listed = f"<ul>{''.join(f'<li>{point}</li>' for point in points)}</ul>"
    content = listed if points else f"<p>{words(t.NOTHING_OPEN)}</p>"
    return f'<section class="open"><h2>{words(t.OPEN_POINTS)}</h2>{content}</section>'


def open_points(report: ShiftReport, words: ReportWords) -> Iterator[str]:
    """Open points that the next shift takes over, one line each."""
    left = report.open
    if left.fault is not None:
        yield words(t.FAULT_OPEN, fault="") + words.fault(left.fault)
    if left.live is not None:
        yield words(t.ROUND_ON, number=left.live)
    if left.cases:
        yield words.cases(left.cases)
    for device in left.lost:
        yield words(t.DEVICE_LOST, device=words.device(device))
    yield from _record_points(report, words)
    if left.deck is not None:
        yield words(t.DECK_DOUBTED, id=left.deck)
    if left.closed:
        yield words(t.IS_CLOSED)


def _record_points(report: ShiftReport, words: ReportWords) -> Iterator[str]:
    """Open points about the record itself: a lost anchor, damage."""
    if report.open.anchor:
        yield words(t.ANCHOR_LOST[report.open.anchor])
    if report.open.doubts:
        yield words(t.RECORD_DOUBTED)


def hand_over_lines(report: ShiftReport, before: ShiftReport | None, words: ReportWords) -> Iterator[str]:
    """Lines for the person who takes over: open points, then void rounds and notes of this shift and the one before.

    `before`: report of the shift before; None: nothing was recorded in it.
    """
    yield from open_points(report, words)
    yield from _voids_and_notes(report.log, words(t.VOIDS), words(t.NOTE))
    if before is not None:
        yield from _voids_and_notes(before.log, words(t.VOIDS_BEFORE), words(t.NOTE_BEFORE))


def _voids_and_notes(log: ShiftLog, voids: str, note: str) -> Iterator[str]:
    if log.voids:
        yield f"{voids}: {', '.join(str(void.round) for void in log.voids)}"
    for one in log.hand_overs:
        if one.what.note:
            yield f"{note}: {escape(one.what.note)}"


RARE = ("training", "resettled")  # figures that are left out while they are 0
COUNTED = ("rounds", "settled", "cancelled", "manual", "disputed", "resettled", "cards")


def _figures(report: ShiftReport, words: ReportWords) -> str:
    """Section with the totals of the period."""
    whole = report.whole_row
    per_hour = rounds_per_hour(whole["rounds"], report.open_for)
    figures = {
        **{name: f"{whole[name]:,}" for name in COUNTED},
        "rate": NOTHING if per_hour is None else f"{per_hour:.1f}",
        "faults": f"{sum(whole['faults'].values()):,}",
        "paused": span(whole["paused"]["total"]),
        "misread_rate": per_thousand(whole["misread_rate"]),
        "training": f"{whole['training']:,}",
    }
    shown = [name for name in t.FIGURES if name not in RARE or whole[name]]
    cells = "".join(
        f'<div><dt>{words.column(name)}</dt><dd data-figure="{name}">{figures[name]}</dd></div>' for name in shown
    )
    return f'<dl class="figures">{cells}</dl>'


def _plots(report: ShiftReport, words: ReportWords) -> str:
    plots = (
        (t.ROUNDS_BY_HOUR, [count_bar(hour, hour.rounds) for hour in report.hours]),
        (t.FAULTS_BY_HOUR, [count_bar(hour, hour.faults) for hour in report.hours]),
        (t.MISREADS_BY_HOUR, [misread_bar(hour) for hour in report.hours]),
    )
    drawn = "".join(
        f"<figure><figcaption>{words(of)}</figcaption>{bars(words(of), shown)}</figure>" for of, shown in plots
    )
    return f'<section class="plots"><h2>{words(t.BY_HOUR)}</h2><div>{drawn}</div></section>'


def count_bar(hour: Hour, count: int) -> Bar:
    """Bar for a count in one hour."""
    return Bar(f"{hour.hour:02}", count, str(count) if count else "")


def misread_bar(hour: Hour) -> Bar:
    """Bar for the misreads of an hour, per thousand cards, rounded as the figure of the whole period."""
    if not hour.read:
        return Bar(f"{hour.hour:02}", None, "")
    share = hour.wrong / hour.read
    return Bar(f"{hour.hour:02}", 1000 * share, per_thousand(share))
