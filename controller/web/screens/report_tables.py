"""Tables of a report: faults, money, dealers, devices, shoes, voids, resettlements, rulings, people, hand-overs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from ...reports.shift_log import LoggedHandOver
from ...reports.shift_report import ShiftReport
from ...text.money import money
from . import report_texts as t
from .report_words import NOTHING, ReportWords, format_waits, per_thousand, span

FEW = 12  # rows of a long list that are printed, so that a report fits on two pages
EACH = 16  # most rulings that are listed one by one; more are counted by kind
WORDY = frozenset(
    {"fault", "ruling", "result", "by", "because", "name", "where", "dealer", "device", "shoe", "uncut", "currency"}
)


def _faults(report: ShiftReport, words: ReportWords) -> str:
    """Table of faults: count, cancelled rounds, waiting times and pauses of each."""
    rows = sorted(report.rows_of("fault"), key=lambda row: -row["count"])
    shown = [
        (
            f"{words.fault(row['name'])} <small class=code>{escape(row['name'])}</small>",
            row["count"],
            row["cancelled"],
            format_waits(report.waits[row["name"]]["acknowledged"]),
            format_waits(report.waits[row["name"]]["ruled"]),
            span(row["paused"]["total"]),
        )
        for row in rows
        if row["count"]
    ]
    whole, waits = report.whole_row, report.waits[""]
    total = (
        f"<b>{words(t.ALL_FAULTS)}</b>",
        sum(whole["faults"].values()),
        sum(row["cancelled"] for row in rows),
        format_waits(waits["acknowledged"]),
        format_waits(waits["ruled"]),
        span(whole["paused"]["total"]),
    )
    names = ("fault", "count", "voids", "seen", "ruled", "paused")
    return _section(words, t.FAULTS, names, [*shown, total] if shown else [])


def _money(report: ShiftReport, words: ReportWords) -> str:
    rows = [
        (escape(currency) or NOTHING, *(money(amounts[name], currency) for name in t.MOVED))
        for currency, amounts in sorted(report.money.items())
        if any(amounts[name] for name in t.MOVED)
    ]
    return _section(words, t.MONEY, ("currency", *t.MOVED), rows)


def _dealers(report: ShiftReport, words: ReportWords) -> str:
    rows = [
        (
            words(t.NOBODY) if row["name"] == "nobody" else escape(row["name"]),
            row["rounds"],
            row["cancelled"],
            sum(row["faults"].values()),
            row["manual"],
            per_thousand(row["misread_rate"]),
            span(row["paused"]["total"]),
        )
        for row in report.rows_of("dealer")
        if row["rounds"] or row["faults"] or row["name"] != "nobody"
    ]
    names = ("dealer", "rounds", "voids", "faults", "manual", "misread_rate", "paused")
    return _section(words, t.DEALERS, names, rows)


def _devices(report: ShiftReport, words: ReportWords) -> str:
    rows = [
        (
            words.counted_device(row["device"]),
            row["read"],
            row["unread"],
            row["corrected"],
            per_thousand(row["misread_rate"]),
            sum(row["faults"].values()),
            row["lost"],
            span(row["away"]["total"]) if row["lost"] else NOTHING,
        )
        for row in report.rows_of("device")
    ]
    names = ("device", "read", "unread", "corrected", "misread_rate", "faults", "lost", "away")
    return _section(words, t.DEVICES, names, rows)


def _shoes(report: ShiftReport, words: ReportWords) -> str:
    used = [shoe for shoe in report.log.shoes.values() if shoe.rounds or shoe.unaccounted or shoe.uncut is not None]
    rows = [
        (
            escape(shoe.name) or NOTHING,
            NOTHING if shoe.cards is None else shoe.cards,
            shoe.rounds,
            NOTHING if shoe.unaccounted is None else shoe.unaccounted,
            NOTHING if shoe.uncut is None else escape(shoe.uncut) or words(t.NO_REASON),
        )
        for shoe in used[-FEW // 2 :]
    ]
    names = ("shoe", "cards", "rounds", "unaccounted", "uncut")
    return _section(words, t.SHOES, names, rows, before=_more_line(words, len(used), len(rows)))


def _voids(report: ShiftReport, words: ReportWords) -> str:
    rows = [
        (
            words.clock(void.at),
            void.round or NOTHING,
            words.fault(void.code),
            words.void_reason(void.why),
            void.bets,
            money(void.amount, void.currency),
        )
        for void in report.log.voids[-FEW:]
    ]
    names = ("time", "round", "fault", "because", "bets", "returned")
    return _section(words, t.VOIDS, names, rows, before=_more_line(words, len(report.log.voids), len(rows)))


def _resettlements(report: ShiftReport, words: ReportWords) -> str:
    """Table of resettled rounds; empty text if there are none."""
    done = report.log.resettlements
    rows = [
        (
            words.clock(one.at),
            one.round or NOTHING,
            words(t.MADE_VOID if one.void else t.SETTLED_ANEW),
            escape(one.by),
            escape(one.because),
            one.bets,
            money(one.amount, one.currency),
        )
        for one in done[-FEW:]
    ]
    names = ("time", "round", "result", "by", "because", "bets", "moved")
    return _section(words, t.RESETTLEMENTS, names, rows, before=_more_line(words, len(done), len(rows))) if done else ""


def _more_line(words: ReportWords, count: int, shown: int) -> str:
    return f"<p>{words(t.MORE, count=count)}</p>" if count > shown else ""


def _rulings(report: ShiftReport, words: ReportWords) -> str:
    if len(report.log.rulings) > EACH:
        return _rulings_by_kind(report, words)
    rows = [
        (
            words.clock(ruling.at),
            ruling.round or NOTHING,
            words.fault(ruling.code),
            words.ruling(ruling.ruling),
            escape(ruling.by),
            words.reason(ruling.round, ruling.because),
        )
        for ruling in report.log.rulings
    ]
    return _section(words, t.RULINGS, ("time", "round", "fault", "ruling", "by", "because"), rows)


def _rulings_by_kind(report: ShiftReport, words: ReportWords) -> str:
    """Table of how many rulings of each kind there were, and by whom.

    Each single ruling is in the report of its shift, or in the record.
    """
    rulings = report.log.rulings
    kinds = Counter((one.code, one.ruling) for one in rulings)
    who = {kind: sorted({one.by for one in rulings if (one.code, one.ruling) == kind}) for kind in kinds}
    rows = [
        (words.fault(kind[0]), words.ruling(kind[1]), count, escape(", ".join(who[kind])))
        for kind, count in kinds.most_common()
    ]
    return _section(words, t.RULINGS, ("fault", "ruling", "count", "by"), rows)


def _people(report: ShiftReport, words: ReportWords) -> str:
    rows = [
        (words.person(one.name, one.id), words(t.DOORS[one.door]), words.clock(one.first), one.times)
        for one in report.log.people.values()
    ]
    wrong = f"<p>{words(t.WRONG_PINS, count=report.log.wrong_pins)}</p>" if report.log.wrong_pins else ""
    return _section(words, t.PEOPLE, ("name", "where", "time", "count"), rows, before=wrong)


def _hand_overs(report: ShiftReport, words: ReportWords) -> str:
    """Recorded hand-overs, and lines to sign on."""
    recorded = "".join(_hand_over(one, words) for one in report.log.hand_overs)
    lines = f"<p class='sign'><span>{words(t.SIGNED_FROM)}</span><span>{words(t.SIGNED_TO)}</span></p>"
    return f"<section><h2>{words(t.HAND_OVERS)}</h2>{recorded}{lines}</section>"


def _hand_over(one: LoggedHandOver, words: ReportWords) -> str:
    what = one.what
    note = f" · {words(t.NOTE)}: {escape(what.note)}" if what.note else ""
    return (
        f"<p>{words.clock(one.at)} · {words(t.SIGNED_FROM)} {words.person(what.by, one.person)} · "
        f"{words(t.SIGNED_TO)} {words.person(what.taker, what.taker_id)}{note}</p>"
    )


def _shoes_and_people(report: ShiftReport, words: ReportWords) -> str:
    return f'<div class="beside">{_shoes(report, words)}{_people(report, words)}</div>'


TABLES = (_faults, _money, _dealers, _devices, _rulings, _voids, _resettlements, _shoes_and_people, _hand_overs)


_SORTS = {t.FAULTS: "faults", t.RULINGS: "long", t.VOIDS: "long", t.RESETTLEMENTS: "long"}  # names in the style sheet


def _kind(column: str) -> str:
    return "time" if column == "time" else "words" if column in WORDY else "number"


def _section(
    words: ReportWords, title: str, names: Sequence[str], rows: Sequence[Iterable[object]], before: str = ""
) -> str:
    """Table with its heading; if it has no rows, a text says so."""
    if not rows:
        return f"<section><h2>{words(title)}</h2>{before}<p>{words(t.EMPTY.get(title, t.NONE))}</p></section>"
    kinds = [f' class="{_kind(name)}"' for name in names]
    head = "".join(f'<th scope="col" class="{_kind(name)}">{words.column(name)}</th>' for name in names)
    body = "".join(
        f"<tr>{''.join(f'<td{kind}>{cell}</td>' for cell, kind in zip(row, kinds, strict=True))}</tr>" for row in rows
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    sort = f' class="{_SORTS[title]}"' if title in _SORTS else ""
    return f"<section{sort} tabindex='0'><h2>{words(title)}</h2>{before}{table}</section>"
