"""An auditor's reading of a record: what each round came to, and whether the rule sheets give the same again."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from ..core import records as r
from ..core.clock import to_text
from ..core.fold import apply, state_before
from ..core.notation import because
from ..core.position import Position, Unplayable
from ..core.state import State
from ..games import GAMES


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


class Replay:
    """Folds a record and drives each settled round again."""

    def __init__(self) -> None:
        self.records = 0
        self.rounds = 0
        self.unread = 0  # rounds under another version of a rule sheet
        self.differences: list[str] = []
        self._lost = False
        self._state = State()
        self._position = Position(GAMES)

    def take(self, record: r.Record) -> None:
        """One more record. After one that does not follow, it goes on from the next checkpoint."""
        self.records += 1
        if self._lost and not isinstance(record.what, r.Checkpoint):
            return
        try:
            if self._lost or not self._state.seq:  # also a journal that goes on from an archive begins so
                self._state, self._lost = state_before(record), False
            if isinstance(record.what, r.Settled):
                self._compare(record.what)
            self._state = apply(self._state, record)
        except Exception as error:  # noqa: BLE001 - whatever a damaged record leads to is a finding, not a crash
            self.differences.append(f"record {record.seq}: does not follow from those before it: {error}")
            self._lost = True

    def _compare(self, settled: r.Settled) -> None:
        number = self._state.round.number
        try:
            outcome = self._position.outcome(self._state)
        except Unplayable:
            self.unread += 1
            return
        self.rounds += 1
        ours = outcome.record() if outcome else None
        if ours != settled.outcome:
            self.differences.append(f"round {number}: settled was {settled.outcome}, the rule sheet gives {ours}")

    def report(self) -> dict[str, Any]:
        """What was found."""
        return {
            "records": self.records,
            "rounds": self.rounds,
            "other_versions": self.unread,
            "differences": self.differences,
        }
