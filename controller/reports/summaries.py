"""The rounds of a record, each in a line."""

from collections.abc import Iterable, Iterator, Mapping
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


Revisions = Mapping[int, r.Resettled]  # latest resettlement of a round, by its number
NO_REVISIONS: Revisions = {}


def revisions(latest_first: Iterable[r.Record]) -> Revisions:
    """Latest resettlement of each round, from records in reverse order."""
    found: dict[int, r.Resettled] = {}
    for record in latest_first:
        if isinstance(record.what, r.Resettled):
            found.setdefault(record.round or 0, record.what)
    return found


def summaries(records: Iterable[r.Record], revised: Revisions = NO_REVISIONS) -> Iterator[Summary]:
    """Rounds of a record, in order, as they are settled now.

    Each is given when the next begins, so that late faults are in it. `revised`: what later became of them.
    """
    for summary in _first_settled(records):
        if (latest := revised.get(summary.round)) is not None:
            _note(summary, latest)
        yield summary


def _first_settled(records: Iterable[r.Record]) -> Iterator[Summary]:
    summary: Summary | None = None
    for record in records:
        if isinstance(record.what, r.Opened):
            if summary:
                yield summary
            summary = Summary(record.round or 0, to_text(record.at), record.what.game)
        elif summary and not isinstance(record.what, r.Resettled):
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
        case r.Resettled(now=None, because=why):
            summary.end, summary.outcome, summary.told = "cancelled", None, why
        case r.Resettled(now=outcome):
            summary.end, summary.outcome = "settled", outcome
            summary.told = str((outcome or {}).get("winner") or "")
        case r.Faulted(code=code):
            summary.faults.append(code)
