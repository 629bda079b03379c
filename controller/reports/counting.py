"""Counting of records into statistics: `tablectl journal stats`, shift reports, health of devices.

`controller.accounts` defines each figure and how it is counted.
"""

from ..accounts.ledger import EQUIPMENT, Ledger
from ..core.fold import state_before
from ..core.records import Record
from .statistics import Statistics


class Counting:
    """Counter of the records of one or several tables, given one by one.

    Give also the records before and after the period of the statistics: a pause or a wait counts with its whole length
    when it ends, and a resettlement changes the day of its round. Devices are counted from the begin of the period.
    """

    def __init__(self, *statistics: Statistics) -> None:
        """Connect the counter to its statistics, all of the same period."""
        self.records = 0  # number of records within the period
        self._ledgers: dict[str, Ledger] = {}
        self._statistics = statistics

    def take(self, record: Record) -> None:
        """Count the next record of its table."""
        is_within = self._statistics[0].is_within(record.at)
        self.records += is_within
        if not is_within and isinstance(record.what, EQUIPMENT):
            return
        ledger = self._ledgers.get(record.table)
        if ledger is None:
            ledger = self._ledgers[record.table] = Ledger()
        for entry in ledger.take(record):
            for statistics in self._statistics:
                statistics.enter(record, entry)

    def resume(self, record: Record) -> None:
        """Continue with this record of a table, a checkpoint or its first record, after skipped records.

        Lost devices stay lost: they are counted from the begin of the period.
        """
        old_ledger = self._ledgers.get(record.table)
        ledger = self._ledgers[record.table] = Ledger.of(state_before(record), record.at)
        if old_ledger is not None:
            ledger.lost, ledger.found = old_ledger.lost, old_ledger.found
