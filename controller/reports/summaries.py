"""The rounds of a record, each in a line."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from ..core import records as r
from ..core.clock import to_text
from ..core.notation import because


class Summary(Struct):
    """One round in a line."""

    round: int
    at: str
    game: str
    end: str = "live"  # settled, cancelled
    told: str = ""
    faults: list[str] = []
    outcome: dict[str, Any] | None = None


def summaries(records: Iterable[r.Record]) -> Iterator[Summary]:
    """The rounds of a record, in order; each is given when the next begins, so that late faults are in it."""
    summary: Summary | None = None
    for record in records:
        if isinstance(record.what, r.Opened):
            if summary:
                yield summary
            summary = Summary(record.round or 0, to_text(record.at), record.what.game)
        elif summary:
            _note(summary, record.what)
    if summary:
        yield summary


def _note(summary: Summary, what: r.What) -> None:
    match what:
        case r.Settled(outcome=outcome):
            summary.end, summary.outcome = "settled", outcome
            summary.told = str(outcome.get("winner") or "")
        case r.Cancelled(why=why):
            summary.end, summary.told = "cancelled", because(why)
        case r.Faulted(code=code):
            summary.faults.append(code)
