"""Count records into statistics: `tablectl journal stats`, shift reports, health of devices.

What each figure is, and how it is counted, is in `controller.accounts`.
"""

from collections.abc import Mapping

from ..accounts.ledger import EQUIPMENT, Ledger
from ..core.records import Record
from .statistics import Statistics


class Counting:
    """Counts the records of a table, or of several, one by one.

    Records from before and after the time of the statistics are to be given too: a pause or a wait counts when it ends,
    with all its length, and a resettlement changes the day of its round. Devices are counted from the time's beginning.
    """

    def __init__(self, *statistics: Statistics, ledgers: Mapping[str, Ledger] | None = None) -> None:
        """`statistics`: all of the same time; `ledgers`: by table, what the records before these have left open."""
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
