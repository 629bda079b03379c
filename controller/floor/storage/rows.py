"""Rows of a floor: one for each round that has ended, one for each fault.

Invariant: a row follows from the events alone, whatever order they came in, so that deriving it again changes nothing.
The rows are made of the accounts of `controller.accounts`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...accounts.faults import FaultCase, Faults
from ...accounts.money import amount_kept, money_of
from ...accounts.rounds import RoundAccount, round_of
from ...core import records as r
from ...core.causes import ByRuling
from ...core.clock import Time, to_text
from ...core.encoding import BadRecord
from ...core.notation import void_reason
from ...core.records import Record
from ...reports.event_records import record_of
from ...reports.sheet_bets import bets_of
from .table_events import TableEvent

ENDS = frozenset({"settled", "cancelled"})
FAULTY = frozenset({"faulted", "acknowledged", "escalated", "ruled", "resumed", "cancelled"})


class RoundRow(Struct, frozen=True):
    """Row of a round that has ended. `how`, `outcome`: after its last resettlement.

    Money in minor units: staked = withdrawn + returned + refunded + adjusted + kept. `kept` is negative if the house
    has lost."""

    table_: str
    epoch: str  # epoch in which the round ended
    number: int
    round_id: str
    game: str
    dealer: str
    dealer_id: str
    opened: str
    ended: str  # time of the first settlement or cancellation
    how: str  # settled, cancelled
    outcome: str  # JSON; empty for a void round
    because: str  # reason why the round is void, or was cancelled at first
    currency: str
    staked: int
    withdrawn: int
    returned: int  # at the first settlement
    refunded: int  # at the first cancellation
    kept: int
    cards: int
    misreads: int  # cards that the reader could not read, or read as another
    faults: int
    manual: bool
    disputed: bool
    training: bool
    lost: bool = False  # True: its last records were lost, and a person has accepted the loss
    adjusted: int = 0  # sum of the differences of all resettlements
    cancelled: bool = False  # True: the round was cancelled at first
    revision: int = 0  # how many times the round was settled anew
    resettled: str = ""  # time of the last resettlement
    why: str = ""  # JSON of the reason of the first cancellation; empty: none, or not known


class FaultRow(Struct, frozen=True):
    """Row of a fault. `round` 0: outside a round; None in a field: that has not happened.

    `ruled` to `second`: of the last ruling; those before it are in `EarlierRulingRow`.
    """

    table_: str
    epoch: str
    seq: int
    round: int
    code: str
    at: str
    device: str
    report: bool  # True: it was reported during the pause of an earlier fault
    level: int  # number of further levels that were called
    acked: str | None
    acked_by: str | None
    ruled: str | None
    ruled_by: str | None
    ruling: str | None
    because: str | None
    second: str | None
    over: str | None
    training: bool
    lost: bool = False


class EarlierRulingRow(Struct, frozen=True):
    """Row of a ruling after which its fault stayed open. `seq`: record of the fault; `number`: from 1 in each fault."""

    table_: str
    epoch: str
    seq: int
    number: int
    ruled: str
    ruled_by: str
    ruling: str
    because: str
    second: str | None


INTO: Mapping[type, str] = {RoundRow: "rounds", FaultRow: "faults", EarlierRulingRow: "earlier_rulings"}  # their tables


def _read(events: Iterable[TableEvent]) -> Iterator[tuple[TableEvent, Record]]:
    """Yield events with their records; events of a later version are skipped."""
    for one in events:
        with suppress(BadRecord):
            record = record_of(one.body)
            if record is not None:
                yield one, record


def stakes_of(events: Iterable[TableEvent]) -> frozenset[tuple[str, int]]:
    """Each player of a round with each different stake, in minor units."""
    return frozenset((bet.player, bet.stake) for bet in bets_of([record for _, record in _read(events)]))


def round_row(events: Sequence[TableEvent]) -> RoundRow | None:
    """Row of a round, from its events in order; None if it has not ended, or its opening is not known."""
    account = round_of(record for _, record in _read(events))
    if account is None or account.ended is None:
        return None
    end = next(one for one in events if one.kind in ENDS)
    return _row(end, account, account.ended)


def _row(end: TableEvent, account: RoundAccount, ended: Record) -> RoundRow:
    opened, figures = account.opened, account.figures
    return RoundRow(
        table_=end.table,
        epoch=end.epoch,
        number=account.number,
        round_id=opened.round_id,
        game=opened.game,
        dealer=account.opening.dealer or "",
        dealer_id=opened.dealer_id or "",
        opened=to_text(account.opening.at),
        ended=to_text(ended.at),
        how=account.end,
        outcome="" if account.outcome is None else msgspec.json.encode(account.outcome).decode(),
        because=account.void_reason or "",
        currency=opened.currency,
        **_sums(figures),
        training=account.opening.training,
        revision=account.revision,
        resettled=_text(account.resettled) or "",
        why=msgspec.json.encode(ended.what.why).decode() if isinstance(ended.what, r.Cancelled) else "",
    )


def _sums(figures: Counter[str]) -> dict[str, Any]:
    """Return the columns of a round's row that are computed from its figures."""
    sums = {name: figures[name] for name in ("staked", "withdrawn", "refunded", "adjusted", "cards", "faults")}
    marks = {name: figures[name] > 0 for name in ("manual", "disputed", "cancelled")}
    misreads = figures["unread"] + figures["corrected"]
    return {**sums, **marks, "returned": figures["paid_out"], "kept": amount_kept(figures), "misreads": misreads}


def with_resettlement(row: RoundRow, one: TableEvent) -> RoundRow:
    """Add a resettlement to the row of a round whose own events are forgotten."""
    for _, record in _read([one]):
        what = record.what
        if not isinstance(what, r.Resettled):
            continue
        change = sum(entry.amount for entry in money_of(record) if entry.figure == "adjusted")
        row = replace(row, adjusted=row.adjusted + change, kept=row.kept - change)
        if not what.is_later_part and what.revision > row.revision:
            why = void_reason(ByRuling(what.because)) if what.now is None else row.because
            outcome = "" if what.now is None else msgspec.json.encode(what.now).decode()
            row = replace(row, how="cancelled" if what.now is None else "settled", outcome=outcome, because=why)
            row = replace(row, revision=what.revision, resettled=to_text(record.at))
    return row


def fault_rows(events: Iterable[TableEvent]) -> dict[FaultRow, list[EarlierRulingRow]]:
    """Return the rows of all faults in the events of one round, given in order, each with its earlier rulings."""
    account, raised = Faults(), list[tuple[TableEvent, Record, FaultCase]]()
    for one, record in _read(one for one in events if one.kind in FAULTY):
        account.take(record)
        if one.kind == "faulted" and account.open is not None:
            raised.append((one, record, account.open))
    return {_fault_row(one, record, case): _earlier_ruling_rows(one, case) for one, record, case in raised}


def _earlier_ruling_rows(one: TableEvent, case: FaultCase) -> list[EarlierRulingRow]:
    return [
        EarlierRulingRow(
            one.table, one.epoch, case.seq, number, to_text(it.at), it.by, it.ruling, it.because, it.second
        )
        for number, it in enumerate(case.earlier, 1)
    ]


def _fault_row(one: TableEvent, record: Record, case: FaultCase) -> FaultRow:
    return FaultRow(
        table_=one.table,
        epoch=one.epoch,
        seq=case.seq,
        round=one.round,
        code=case.code,
        at=to_text(case.at),
        device=case.device,
        report=case.report,
        level=case.level,
        acked=_text(case.acked),
        acked_by=case.acked_by,
        ruled=_text(case.ruled),
        ruled_by=case.ruled_by,
        ruling=case.ruling,
        because=case.because,
        second=case.second,
        over=_text(case.over),
        training=record.training,
    )


def _text(at: Time | None) -> str | None:
    return None if at is None else to_text(at)
