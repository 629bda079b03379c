"""Sequence characters of an Angel Eye's telegrams, by which a lost telegram is noticed."""

from drivers.events import ShoeEvent, TelegramLost
from drivers.shoes.angel_eye_decoder import Report
from drivers.shoes.angel_eye_reports import ErrorCancelledReport, ErrorReport, StartReport

SEQUENCE = "123456789"


class TelegramNumbers:
    """Numbers of telegrams: which one is due next.

    `sequence`: the characters in order, each once; `error_restarts`: the numbering begins anew at errors too. Raises
    ValueError for fewer than two characters, or equal ones.
    """

    def __init__(self, sequence: str, *, error_restarts: bool) -> None:
        if len(sequence) < 2 or len(set(sequence)) < len(sequence):
            raise ValueError(f"expected at least two different sequence characters, got {sequence!r}")
        self.due: str | None = None  # None: not known, as no telegram came yet or the numbering begins anew
        self._restarts = (StartReport, ErrorReport, ErrorCancelledReport) if error_restarts else StartReport
        self._after = dict(zip(sequence, sequence[1:] + sequence[:1], strict=True))

    def forget(self) -> None:
        """Forget the expected number, for example after a reconnect."""
        self.due = None

    def find_gap(self, report: Report) -> list[ShoeEvent]:
        """Return TelegramLost if numbers are missing before this telegram; never at or after a new numbering."""
        if isinstance(report, self._restarts) or self.due in (None, report.seq):
            return []
        return [TelegramLost(expected=str(self.due), got=report.seq)]

    def count(self, report: Report) -> None:
        """Set the expected number to the one after this telegram."""
        self.due = None if isinstance(report, self._restarts) else self._after.get(report.seq)
