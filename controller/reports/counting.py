"""Counting of records into statistics: `tablectl journal stats`, shift reports, health of devices.

`controller.accounts` defines each figure and how it is counted.
"""

from collections.abc import Mapping

from ..accounts.ledger import EQUIPMENT, Ledger
from ..core.records import Record
from .statistics import Statistics


class Counting:
    """Counter of the records of one or several tables, given one by one.

    Give also the records before and after the period of the statistics: a pause or a wait counts with its whole length
    when it ends, and a resettlement changes the day of its round. Devices are counted from the begin of the period.
    """

    def __init__(self, *statistics: Statistics, ledgers: Mapping[str, Ledger] | None = None) -> None:
        """Connect the counter to its statistics.

        `statistics`: all of the same period; `ledgers`: by table, the accounts that earlier records have left open.
        """
        self.records = 0  # within the time
        self._ledgers: dict[str, Ledger] = dict(ledgers or {})
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
