"""What a report says, value by value, in one language."""

from collections.abc import Mapping
from html import escape

from ...core import came as c
from ...core.clock import Time
from ...core.fault_catalogue import CATALOGUE
from ...games import GAMES
from ...reports.shift_report import Report, Wait
from ...text import terms
from ...text.faults import Words
from ...text.table_words import TableWords
from . import report_texts

NOTHING = "–"


def span(seconds: float | None) -> str:
    """`4.2 s`, `3:05`, `1:03:05`; a dash where it never came to it."""
    if seconds is None:
        return NOTHING
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


def waited(wait: Wait) -> str:
    """The one in the middle, what nine of ten did not exceed, the longest."""
    return " · ".join(map(span, (wait.median, wait.nine_of_ten, wait.longest))) if wait.count else NOTHING


def per_thousand(share: float | None) -> str:
    """Write a share as a number of 1,000, with one decimal; a dash if there is none."""
    return NOTHING if share is None else f"{1000 * share:.1f}"


def fault_words(code: str, words: Words) -> str:
    """What it was. A code of another version stands for itself."""
    return escape(words.called_for(code) if code in CATALOGUE else code)


class ReportWords:
    """Of one report."""

    def __init__(self, report: Report, words: Words) -> None:
        self._period, self._live, self._table = report.period, report.open.live, report.table
        self._words, self._table_words = words, TableWords(words)

    def __call__(self, text: str, **blanks: object) -> str:
        """A text of the catalogue, filled in, as HTML."""
        return escape(self._words.say(text).format(**blanks))

    def clock(self, at: Time) -> str:
        """As the studio's clocks show it."""
        return f"{self._period.local(at):%H:%M:%S}"

    def fault(self, code: str | None) -> str:
        """What it was."""
        return NOTHING if code is None else fault_words(code, self._words)

    def ruling(self, name: str) -> str:
        """What was ruled."""
        return self(terms.LABELS[name]) if name in terms.LABELS else escape(name)

    def reason(self, number: int | None, said: str) -> str:
        """Why; while the round is on it could name a card that lies face down."""
        return self(report_texts.LATER) if number is not None and number == self._live else escape(said)

    def game(self, name: str) -> str:
        """What it is called. One of another version stands for itself."""
        return GAMES[name].face.title if name in GAMES else name

    def device(self, name: str) -> str:
        """What it is called."""
        return self._table_words.device(name)

    def person(self, name: str, number: str | None) -> str:
        """Somebody, with the badge number where that is not the name."""
        return escape(name if number in (None, name) else f"{name} ({number})")

    def named_device(self, name: str) -> str:
        """One as the figures call it: `shoe of table1 at /dev/ttyUSB0`."""
        device, _, which = name.partition(f" of {self._table}")
        which = which.removeprefix(" at ").removeprefix(" with serial number ")
        return escape(" · ".join(filter(None, [self.device(device), which])))

    def why(self, why: c.Why) -> str:
        """Why a round is void."""
        return escape(self._table_words.why(why))

    def column(self, name: str) -> str:
        """The head of a column."""
        known: Mapping[str, str] = {**report_texts.FIGURES, **report_texts.MOVED, **report_texts.COLUMNS}
        return self(known[name])
