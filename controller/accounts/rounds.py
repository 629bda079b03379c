"""Account of one round from its records: play, first result and present result.

Lists of rounds, stories, exports and the floor's rows are made from it. Its figures are sums of the same entries as all
statistics. Training rounds are counted too, so a list must mark them.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

from msgspec.structs import replace

from ..core import records as r
from ..core.causes import ByRuling, VoidReason
from ..core.clock import Time
from ..core.notation import void_reason
from ..core.records import Record
from .ledger import Ledger

End = Literal["live", "settled", "cancelled"]


class RoundAccount:
    """Account of the round opened by `opening`. `ended`: record that ended it first; None: it is live.

    `end`, `outcome`: present result; `why`: reason if it is or was void; `revision`: number of resettlements;
    `resettled`: time of the last one; `figures`: sums of its entries, by figure.
    """

    def __init__(self, opening: Record, opened: r.Opened) -> None:
        self.opening, self.opened = opening, opened
        self.number = opening.round or 0
        self.end: End = "live"
        self.ended: Record | None = None
        self.outcome: dict[str, Any] | None = None
        self.why: VoidReason | None = None
        self.revision = 0
        self.resettled: Time | None = None
        self.faults: list[str] = []  # codes
        self.figures = Counter[str]()
        self._ledger = Ledger()
        self.take(opening)

    @property
    def void_reason(self) -> str | None:
        """Reason why the round is or was void, in words; None if it never was."""
        return None if self.why is None else void_reason(self.why)

    def take(self, record: Record) -> None:
        """Add a record; ignores those of other rounds."""
        if record.round != self.opening.round:
            return
        for entry in self._ledger.take(replace(record, training=False) if record.training else record):
            if not entry.alone:
                self.figures[entry.figure] += entry.amount
        match record.what:
            case r.Settled(outcome=outcome):
                self.end, self.ended, self.outcome = "settled", record, outcome
            case r.Cancelled(why=why):
                self.end, self.ended, self.why = "cancelled", record, why
            case r.Faulted(code=code):
                self.faults.append(code)
            case r.Resettled(now=now, revision=revision, because=reason) if not record.what.is_later_part:
                self.end, self.outcome = "cancelled" if now is None else "settled", now
                self.why = ByRuling(reason) if now is None else self.why
                self.revision, self.resettled = revision, record.at


def round_of(records: Iterable[Record]) -> RoundAccount | None:
    """Account of a round from its records in their order; None if its opening is not among them."""
    account: RoundAccount | None = None
    for record in records:
        if account is not None:
            account.take(record)
        elif isinstance(record.what, r.Opened):
            account = RoundAccount(record, record.what)
    return account
