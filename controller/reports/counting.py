"""Count records into statistics: `tablectl journal stats`, shift reports, a floor's figures.

What each figure is, and how it is counted, is in `controller.accounts`.
"""

from collections.abc import Mapping

from ..accounts.ledger import Ledger
from ..accounts.money import money_of
from ..core.records import Record, Resettled
from .statistics import Statistics


class Counting:
    """Counts the records of a table, or of several, one by one."""

    def __init__(self, statistics: Statistics, ledgers: Mapping[str, Ledger] | None = None) -> None:
        """`ledgers`: by table, what the records before these have left open."""
        self.records = 0
        self._ledgers: dict[str, Ledger] = dict(ledgers or {})
        self._statistics = statistics

    def take(self, record: Record) -> None:
        """Count the next record of its table."""
        self.records += 1
        ledger = self._ledgers.get(record.table)
        if ledger is None:
            ledger = self._ledgers[record.table] = Ledger()
        for entry in ledger.take(record):
            self._statistics.enter(record, entry)

    def take_late(self, record: Record) -> None:
        """Count what a record from after the time of the statistics has changed within it: a resettlement."""
        if isinstance(record.what, Resettled) and not record.training:
            for entry in money_of(record):
                if entry.belongs is not None:
                    self._statistics.enter(record, entry)
