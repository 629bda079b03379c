"""Scripted shift manager of a demo: waits a while at every fault, then rules.

It acts through rulings only, and cancels rounds that it cannot correct.
"""

from collections.abc import Callable, Mapping
from functools import partial

from ...core import events as e
from ...core.offers import possible_rulings
from ...core.open_fault import Fault
from ...table.loop import Table
from .pace import TablePace

MANAGER = "manager"

RULINGS: Mapping[str, tuple[e.Ruling, str]] = {  # by fault: ruling and reason
    "unread_card": ("rescan", "slid again, read"),
    "card_before_close": ("cancel", "card dealt while bets were open"),
    "extra_card": ("burn", "one card too many"),
    "dealer_call": ("correct", "the suit was misread"),
    "duplicate_card": ("correct", "the suit was misread"),
}
LAST: tuple[e.Ruling, ...] = ("cancel", "burn", "resume")  # tried in order if that ruling is not possible


class Manager:
    """Shift manager of a demo, scripted.

    `last_card`: true value of the card laid last. `left_off`: last record of the start; faults up to this record are
    older than the demo. `attend`: seconds until the ruling.
    """

    def __init__(
        self, table: Table, pace: TablePace, last_card: Callable[[], str], left_off: int, attend: float
    ) -> None:
        self._table, self._pace, self._last_card, self._left_off = table, pace, last_card, left_off
        self._attend = attend

    async def watch(self) -> None:
        """Rule on every fault, until cancelled."""
        while True:
            await self._pace.wait_without_limit(lambda: self._pace.state.fault is not None)
            fault = self._pace.state.fault
            assert fault is not None  # noqa: S101 - just awaited
            await self._wait_before_ruling(fault.seq)
            if fault.code == "unread_card" and fault.seq > self._left_off:
                await self._pace.wait_until(partial(self._is_read_again, fault.seq))
            if not self._is_past(fault.seq):  # nobody has ruled meanwhile, on a page or by a command
                self._table.take(self._ruling(fault))
            if not self._is_past(fault.seq):  # the ruling was refused
                self._table.take(e.Rule("cancel", MANAGER, "cannot be put right here", fault=fault.seq))
            await self._pace.wait_until(partial(self._is_past, fault.seq))

    async def _wait_before_ruling(self, fault: int) -> None:
        """Wait before ruling; twice as long if a person has acknowledged the fault."""
        await self._pace.wait_at_most(self._attend, partial(self._is_past, fault))
        now = self._pace.state.fault
        if now is not None and now.seen_by is not None:
            await self._pace.wait_at_most(self._attend, partial(self._is_past, fault))

    def _ruling(self, fault: Fault) -> e.Rule:
        ruling, because = RULINGS.get(fault.code, ("cancel", "cannot be put right here"))
        can = possible_rulings(self._pace.state, self._pace.due)
        if fault.seq <= self._left_off or ruling not in can:
            ruling = next(name for name in LAST if name in can)
            because = "the table was restarted" if fault.seq <= self._left_off else "cannot be put right here"
        if ruling != "correct":
            return e.Rule(ruling, MANAGER, because, fault=fault.seq)
        draws = self._pace.state.round.draws
        return e.Rule(ruling, MANAGER, because, len(draws), self._last_card(), fault=fault.seq)

    def _is_read_again(self, fault: int) -> bool:
        """True if the card has been read again, or the fault is over."""
        return self._is_past(fault) or any(draw.card for draw in self._pace.state.loose_draws)

    def _is_past(self, fault: int) -> bool:
        """True if this fault is no longer the open one."""
        now = self._pace.state.fault
        return now is None or now.seq != fault
