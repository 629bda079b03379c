"""Count of refused starts: the first of a reason is recorded at once, further ones together.

Somebody may ask for a round ten times a second while none can start. The count is in no record yet, so a restart loses
at most one minute of it. The count becomes an input (`CountedStarts`), so a replay decides it again as it was. Pure:
time arrives with records and drafts.
"""

from collections.abc import Sequence

from . import events as e
from . import records as r
from .clock import SECOND, Time, to_text
from .draft import Draft

TOGETHER = 60 * SECOND  # the most that one record counts


class RefusedStarts:
    """Counter of one table's refused starts, while its program runs."""

    def __init__(self) -> None:
        self._reason: str | None = None  # recorded within the last minute, and no round has started since
        self._begun: Time = 0
        self._times = 0
        self._since: Time = 0
        self._until: Time = 0

    def hear(self, records: Sequence[r.Record]) -> None:
        """Note the reason of a refused start in committed records; an opened round ends the count."""
        for record in records:
            match record.what:
                case r.StartRefused(reason=reason) | r.StartsRefused(reason=reason):
                    self._reason, self._begun, self._times = reason, record.at, 0
                case r.Opened():
                    self._reason = None

    def counts(self, drafts: Sequence[Draft]) -> str | None:
        """Count a start that is refused again for the same reason, so that it needs no record.

        Returns that reason.

        Returns None if the drafts have to be recorded: another reason, or no refused start.
        """
        reason = _refusal(drafts)
        if reason is None or reason != self._reason:
            return None
        at = drafts[0].at
        self._since = self._since if self._times else at
        self._times, self._until = self._times + 1, at
        return reason

    def count_if_ended(self, drafts: Sequence[Draft]) -> e.CountedStarts | None:
        """Count to record before these drafts, if they end it: another reason, or an opened round."""
        ends = any(isinstance(one.what, r.StartRefused | r.Opened) for draft in drafts for one in draft.records)
        return self.count_to_record if ends else None

    def due(self, at: Time) -> e.CountedStarts | None:
        """Return the count to record once 60 s have passed.

        If it is zero, the next refusal is recorded by itself.
        """
        if 0 <= at - self._begun < TOGETHER:
            return None
        counted = self.count_to_record
        self._reason = None if counted is None else self._reason
        return counted

    @property
    def count_to_record(self) -> e.CountedStarts | None:
        """Input that records the counted refusals; None if there are none."""
        if self._reason is None or not self._times:
            return None
        return e.CountedStarts(self._reason, self._times, to_text(self._since), to_text(self._until))


def _refusal(drafts: Sequence[Draft]) -> str | None:
    """Reason of a refused start, if the drafts record nothing else."""
    records = [record for draft in drafts for record in draft.records]
    if len(records) != 1 or not isinstance(records[0].what, r.StartRefused):
        return None
    return records[0].what.reason
