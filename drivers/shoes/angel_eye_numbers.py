"""The numbers of an Angel Eye's telegrams: one character each, by which a lost telegram shows."""

from drivers.events import ShoeEvent, TelegramLost
from drivers.shoes.angel_eye_decoder import Report
from drivers.shoes.angel_eye_reports import ErrorCancelledReport, ErrorReport, StartReport

SEQUENCE = "123456789"


class TelegramNumbers:
    """Numbers of telegrams: which one is due next.

    `sequence`: the characters in order, each once; `error_restarts`: anew at errors too.
    """

    def __init__(self, sequence: str, *, error_restarts: bool) -> None:
        if len(sequence) < 2 or len(set(sequence)) < len(sequence):
            raise ValueError(f"expected at least two different sequence characters, got {sequence!r}")
        self.due: str | None = None  # not known: nothing was heard, or the numbering begins anew
        self._restarts = (StartReport, ErrorReport, ErrorCancelledReport) if error_restarts else StartReport
        self._after = dict(zip(sequence, sequence[1:] + sequence[:1], strict=True))

    def forget(self) -> None:
        """Forget which number is due."""
        self.due = None

    def lost(self, report: Report) -> list[ShoeEvent]:
        """The gap before this telegram. Where the numbering begins anew none can be seen, nor right after it."""
        if isinstance(report, self._restarts) or self.due in (None, report.seq):
            return []
        return [TelegramLost(expected=str(self.due), got=report.seq)]

    def count(self, report: Report) -> None:
        """Go on behind this telegram."""
        self.due = None if isinstance(report, self._restarts) else self._after.get(report.seq)
