"""Printed pages of a floor: shift report over all tables and hand-over, as single HTML documents.

Invariant: as in a table's report, the reason of a ruling is left out while its round is live, and every share has its
interval.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from ...core.clock import from_text
from ...reports.shift_report import Hour
from ...text.faults import Words
from ...text.money import money
from ...web.screens import report_texts as r
from ...web.screens.bars import Bar, bars
from ...web.screens.report_page import LINKS, count_bar, misread_bar, style
from ...web.screens.report_words import NOTHING, format_waits, span
from ..history.intervals import Share
from ..history.names import fault_name, ruling_name, void_reason
from ..history.numbers import Number, reader_name
from ..history.report import PeriodReport, RuledFault
from . import history_texts as t
from .hand_over import HandOverPage

EMPTY = {**r.EMPTY, **t.EMPTY}  # by title, in place of a table without rows
EACH = 16  # rows of a list; the search on the floor's page finds the others


def report_page(report: PeriodReport, floor: str, language: str, links: Sequence[tuple[str, str]]) -> str:
    """Compose the report of a shift or a day over all tables, as an HTML document.

    `links`: name in LINKS and target of each link.
    """
    page = _Page(report, Words(language))
    title = page.say(t.TITLES[report.period.kind])
    notes = [page.say(t.FLOOR_OF, floor=floor), *([page.say(r.CLOCKS_SET)] if report.period.has_clock_change else [])]
    when = f'<p class="when">{escape(str(report.period))}</p><p>{" · ".join(notes)}</p>'
    parts = (page.figures(), page.plots(), page.tables(), page.dealers(), page.readers(), page.faults(), page.money())
    body = f"<header><h1>{title}</h1>{when}</header>{''.join(parts)}{page.rulings()}{page.voids()}"
    return _document(title, language, body, [(where, page.say(LINKS[name])) for name, where in links])


def hand_over_page(page: HandOverPage, language: str) -> str:
    """Compose the hand-over page with lines to sign on, as an HTML document."""
    say = _text_renderer(Words(language))
    title = say(t.HAND_OVER)
    head = f'<header><h1>{title}</h1><p class="when">{escape(page.shift)}</p><p>{say(t.FLOOR_OF, floor=page.floor)}</p>'
    last = "" if page.last is None else f"<p>{escape(page.last)}</p>"
    sections = "".join(
        f'<section class="open"><h2>{escape(one.title)}</h2>'
        f"<ul>{''.join(f'<li>{escape(point)}</li>' for point in one.points)}</ul></section>"
        for one in page.sections
        if one.points
    )
    signed = f"<p class='sign'><span>{say(r.SIGNED_FROM)}</span><span>{say(r.SIGNED_TO)}</span></p>"
    nothing = "" if sections else f'<section class="open"><p>{say(t.NOTHING)}</p></section>'
    return _document(title, language, f"{head}{last}</header>{sections or nothing}<section>{signed}</section>", [])


def _document(title: str, language: str, body: str, links: Iterable[tuple[str, str]]) -> str:
    nav = "".join(f'<a href="{escape(where)}">{label}</a>' for where, label in links)
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{style()}</style></head><body>"
        f"{f'<nav>{nav}</nav>' if nav else ''}<main>{body}</main></body></html>\n"
    )


def _text_renderer(words: Words) -> Callable[..., str]:
    def say(text: str, **blanks: object) -> str:
        return escape(words.say(text).format(**blanks))

    return say


def per_thousand(share: Share) -> str:
    """Format a share per thousand with its interval, such as `12.3 (8.1 – 17.8)`."""
    if share.value is None:
        return NOTHING
    value, low, high = (f"{1000 * part:.1f}" for part in (share.value, share.low, share.high))
    return f"{value} ({low} – {high})"


def _share_bar(at: str, share: Share) -> Bar:
    """Bar of a share per thousand rounds, for the hour in `at`; empty without rounds."""
    if share.value is None:
        return Bar(at[11:13], None, "")
    value, low, high = (1000 * part for part in (share.value, share.low, share.high))
    return Bar(at[11:13], value, f"{value:.1f}", (low, high))


class _Page:
    """HTML sections of one report."""

    def __init__(self, report: PeriodReport, words: Words) -> None:
        self._report, self._words, self.say = report, words, _text_renderer(words)

    def _column(self, name: str) -> str:
        return self.say(t.COLUMNS.get(name) or r.COLUMNS.get(name) or r.MOVED.get(name) or r.FIGURES[name])

    def _section(
        self, title: str, names: Sequence[str], rows: Sequence[Sequence[object]], after: str = "", before: str = ""
    ) -> str:
        """Table with its heading, in English as in the texts; if it has no rows, a text says so."""
        heading = self.say(title)
        if not rows:
            return f"<section><h2>{heading}</h2><p>{self.say(EMPTY.get(title, r.NONE))}</p></section>"
        return self._table_section(heading, names, rows, after, before)

    def _table_section(
        self, title: str, names: Sequence[str], rows: Sequence[Sequence[object]], after: str = "", before: str = ""
    ) -> str:
        head = "".join(f'<th scope="col">{self._column(name)}</th>' for name in names)
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f'<section class="long" tabindex="0"><h2>{title}</h2>{before}{table}{after}</section>'

    def figures(self) -> str:
        """Section with the totals of all tables."""
        whole = self._report.whole
        values = {
            "rounds": f"{whole.rounds:,}",
            "rate": NOTHING if whole.rate is None else f"{whole.rate:.1f}",
            "faults": f"{whole.faults:,}",
            "cancelled": f"{self._report.cancelled:,}",
            "paused": span(self._report.paused),
        }
        if self._report.training:
            values["training"] = f"{self._report.training:,}"
        cells = "".join(
            f'<div><dt>{self.say(r.FIGURES[name])}</dt><dd data-figure="{name}">{value}</dd></div>'
            for name, value in values.items()
        )
        return f'<dl class="figures">{cells}</dl>'

    def plots(self) -> str:
        """Section with charts by the hour."""
        hours: Sequence[Hour] = self._report.hours
        points = self._report.tables.course.points
        drawn = "".join(
            f"<figure><figcaption>{self.say(of)}</figcaption>{bars(self.say(of), shown)}</figure>"
            for of, shown in (
                (r.ROUNDS_BY_HOUR, [count_bar(hour, hour.rounds) for hour in hours]),
                (r.FAULTS_BY_HOUR, [count_bar(hour, hour.faults) for hour in hours]),
                (t.PAGE["stopped"], [_share_bar(point.at, point.stopped) for point in points]),
                (t.PAGE["voids"], [_share_bar(point.at, point.voids) for point in points]),
                (r.MISREADS_BY_HOUR, [misread_bar(hour) for hour in hours]),
            )
        )
        sure = f"<p>{self.say(t.PAGE['sure'])}</p>" if points else ""
        return f'<section class="plots"><h2>{self.say(r.BY_HOUR)}</h2><div>{drawn}</div>{sure}</section>'

    def _comparison(self, title: str, first: str, ranked: Sequence[Number], few: Sequence[Number]) -> str:
        names = (first, "rounds", "rate", "faults", "stopped", "voids", "acknowledged", "ruled_in", "misread")
        rows = [self._number(one) for one in ranked]
        sure = f"<p>{self.say(t.SURE)}</p>" if rows else ""
        section = self._section(title, names, rows, sure) if rows or not few else ""
        if not few:
            return section
        apart = f"{self.say(title)}: {self.say(t.FEW, minimum=self._report.tables.minimum)}"
        return section + self._table_section(apart, names[:4], [self._number(one)[:4] for one in few])

    def _number(self, one: Number) -> list[str]:
        name = self.say(r.NOBODY) if one.name == "nobody" else escape(one.name)
        rate = NOTHING if one.rate is None else f"{one.rate:.1f}"
        shares = per_thousand(one.stopped), per_thousand(one.voids)
        return [
            name, f"{one.rounds:,}", rate, f"{one.faults:,}", *shares, one.acknowledged.text, one.ruled.text,
            per_thousand(one.misread),
        ]  # fmt: skip

    def tables(self) -> str:
        """Section that compares the tables."""
        return self._comparison(t.TABLES, "table", self._report.tables.ranked, self._report.tables.few)

    def dealers(self) -> str:
        """Section that compares the dealers."""
        return self._comparison(r.DEALERS, "dealer", self._report.dealers.ranked, self._report.dealers.few)

    def readers(self) -> str:
        """Section with the reading quality of each card reader."""
        rows = [
            [
                escape(reader_name(one, self._words)),
                f"{one.read:,}",
                one.unread,
                one.corrected,
                per_thousand(one.misread),
            ]
            for one in self._report.tables.devices
        ]
        return self._section(t.READERS, ("device", "read", "unread", "corrected", "misread"), rows)

    def faults(self) -> str:
        """Section with the faults, by code."""
        rows = [
            [
                self._fault(one.code),
                one.count,
                one.voids,
                format_waits(one.seen),
                format_waits(one.ruled),
                span(one.paused),
            ]
            for one in self._report.faults
        ]
        return self._section(r.FAULTS, ("fault", "count", "cancelled", "seen", "ruled", "paused"), rows)

    def money(self) -> str:
        """Section with the amounts, by currency; currencies without amounts are left out."""
        rows = [
            [escape(code), *(money(amounts[name], code) for name in r.MOVED)]
            for code, amounts in self._report.money.items()
            if any(amounts[name] for name in r.MOVED)
        ]
        return self._section(r.MONEY, ("currency", *r.MOVED), rows)

    def rulings(self) -> str:
        """Section with the rulings, the latest first, at most EACH of them."""
        rows = [self._ruling_row(one) for one in self._report.rulings[:EACH]]
        names = ("time", "table", "round", "fault", "ruling", "by", "because")
        return self._section(r.RULINGS, names, rows, before=self._more_line(len(self._report.rulings)))

    def _ruling_row(self, one: RuledFault) -> list[object]:
        fault = one.fault
        return [
            self._clock(fault.ruled or ""), escape(fault.table_), fault.round or NOTHING, self._fault(fault.code),
            escape(ruling_name(fault.ruling or "", self._words)),
            escape(" + ".join(filter(None, (fault.ruled_by, fault.second)))),
            self.say(r.LATER) if one.live else escape(fault.because or ""),
        ]  # fmt: skip

    def voids(self) -> str:
        """Section with the cancelled rounds, the latest first, at most EACH of them."""
        rows = [
            [
                self._clock(one.ended), escape(one.table_), one.number, escape(one.dealer),
                escape(void_reason(one, self._words)), money(one.refunded, one.currency) if one.currency else NOTHING,
            ]
            for one in self._report.voids[:EACH]
        ]  # fmt: skip
        names = ("time", "table", "round", "dealer", "because", "refunded")
        return self._section(r.VOIDS, names, rows, before=self._more_line(len(self._report.voids)))

    def _more_line(self, count: int) -> str:
        return f"<p>{self.say(r.MORE, count=count)}</p>" if count > EACH else ""

    def _fault(self, code: str) -> str:
        return escape(fault_name(code, self._words))

    def _clock(self, at: str) -> str:
        return f"{self._report.period.local(from_text(at)):%H:%M:%S}" if at else NOTHING
