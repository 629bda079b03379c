"""Format the values of a report as text in one language."""

from collections.abc import Iterable, Mapping
from html import escape

from msgspec import convert

from ...accounts.entry import CountedDevice
from ...core import causes as c
from ...core.clock import Time
from ...core.fault_catalogue import CATALOGUE
from ...core.state import Case
from ...games import GAMES
from ...reports.shift_report import ShiftReport, WaitStatistics
from ...text.device_names import device_title
from ...text.faults import Words
from ...text.table_words import TableWords
from . import report_texts

NOTHING = "–"


def span(seconds: float | None) -> str:
    """Format seconds as `4.2 s`, `3:05` or `1:03:05`; a dash for None."""
    if seconds is None:
        return NOTHING
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


def format_waits(wait: WaitStatistics) -> str:
    """Format waiting times: median, 90th percentile, longest; a dash if there are none."""
    return " · ".join(map(span, (wait.median, wait.nine_of_ten, wait.longest))) if wait.count else NOTHING


def per_thousand(share: float | None) -> str:
    """Write a share as a number of 1,000, with one decimal; a dash if there is none."""
    return NOTHING if share is None else f"{1000 * share:.1f}"


def fault_words(code: str, words: Words) -> str:
    """Name of a fault as HTML; an unknown code (of another version) is shown as it is."""
    return escape(words.manager_title(code) if code in CATALOGUE else code)


class ReportWords:
    """Words and formats of one report, in one language."""

    def __init__(self, report: ShiftReport, words: Words) -> None:
        self._period, self._live = report.period, report.live
        self._words, self._table_words = words, TableWords(words)

    def __call__(self, text: str, **blanks: object) -> str:
        """Fill in a text of the catalogue and escape it as HTML."""
        return escape(self._words.say(text).format(**blanks))

    def clock(self, at: Time) -> str:
        """Format a time by the studio's clocks: `14:05:59`."""
        return f"{self._period.local(at):%H:%M:%S}"

    def fault(self, code: str | None) -> str:
        """Name of a fault as HTML; a dash for None."""
        return NOTHING if code is None else fault_words(code, self._words)

    def cases(self, cases: Iterable[Case]) -> str:
        """Open cases as HTML, each with its round and what was reported."""
        one, got = self._words.say(report_texts.CASE_OF), self._table_words.describe_cause
        texts = [one.format(number=case.round, report=got(case.came)) for case in cases]
        return self(report_texts.CASES_OPEN, cases="; ".join(texts))

    def ruling(self, name: str) -> str:
        """Name of a ruling as HTML."""
        return escape(self._table_words.ruling(name))

    def reason(self, number: int | None, text: str) -> str:
        """Reason of a ruling; withheld while its round is live, as it could name a hidden card."""
        return self(report_texts.LATER) if number is not None and number == self._live else escape(text)

    def game(self, name: str) -> str:
        """Title of a game; an unknown one (of another version) is shown as it is."""
        return GAMES[name].face.title if name in GAMES else name

    def device(self, name: str) -> str:
        """Name of a device in the report's language."""
        return self._table_words.device(name)

    def person(self, name: str, number: str | None) -> str:
        """Name of a person as HTML, with the badge number if the two differ."""
        return escape(name if number in (None, name) else f"{name} ({number})")

    def counted_device(self, parts: Mapping[str, str]) -> str:
        """Name of a device of the figures, from its parts."""
        return escape(device_title(convert(parts, CountedDevice), self._words))

    def void_reason(self, why: c.VoidReason) -> str:
        """Reason why a round is void, as HTML."""
        return escape(self._table_words.void_reason(why))

    def column(self, name: str) -> str:
        """Heading of a column, as HTML."""
        headings: Mapping[str, str] = {**report_texts.FIGURES, **report_texts.MOVED, **report_texts.COLUMNS}
        return self(headings[name])
