"""What the events of a round come to: one row for the round when it has ended, one for each of its faults.

The one rule: a row follows from the events alone, whatever order they came in, so that deriving it again changes
nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Raw, Struct

from ..accounts.card_reads import KINDS, NO_CHANGE, READER_FAULTS, CardReads
from ..core.bounds import Whole
from ..core.encoding import BadRecord
from ..reports.told import record_of
from .told import Told

ENDS = frozenset({"settled", "cancelled"})
OVER = frozenset({"resumed", "cancelled"})  # of a fault, beside the next one


class RoundRow(Struct, frozen=True):
    """A round that has ended. Money in minor units: what was staked is what was withdrawn, returned, refunded and kept,
    which is below zero where the house has lost."""

    table_: str
    epoch: str  # in which it ended
    number: int
    round_id: str
    game: str
    dealer: str
    dealer_id: str
    opened: str
    ended: str
    how: str  # settled, cancelled
    outcome: str  # JSON; empty where it is void
    because: str  # it is void
    currency: str
    staked: int
    withdrawn: int
    returned: int
    refunded: int
    kept: int
    cards: int
    misreads: int  # cards that the reader could not read, or read as another
    faults: int
    manual: bool
    disputed: bool
    training: bool
    lost: bool = False  # with the end of its record, which somebody has accepted
    revision: int = 0  # how often it was settled anew


class FaultRow(Struct, frozen=True):
    """A fault, of a round or of none (0). Null: that has not been."""

    table_: str
    epoch: str
    seq: int
    round: int
    code: str
    at: str
    device: str
    report: bool  # it was reported during the pause before
    level: int  # how often a further level was called
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


class _Difference(Struct):
    """What one bet of a round that was settled anew differs by, in minor units."""

    difference: int = 0


class _Event(Struct):
    """What is looked at, of any kind of event."""

    kind: str
    at: str = ""
    dealer: str | None = None
    training: bool = False
    game: str = ""
    dealer_id: str | None = None
    round_id: str = ""
    currency: str | None = ""
    outcome: Raw = Raw()
    because: str = ""
    manual: bool = False
    stake: Whole | None = None
    returned: Whole = 0
    draw: int | None = None
    card: Any = None
    source: str = "reader"
    face_up: bool = True
    hidden: bool = False
    code: Any = None
    came: Any = None
    report: int | None = None
    fault: int | None = None
    by: str | None = None
    ruling: str = ""
    second: str | None = None
    after: Any = None
    now: Raw = Raw()
    movements: tuple[_Difference, ...] = ()
    revision: int | None = 0


_event = msgspec.json.Decoder(_Event).decode


def _read(events: Iterable[Told]) -> Iterator[tuple[Told, _Event]]:
    """Those of a shape we know; what a later version tells otherwise is passed over."""
    for one in events:
        try:
            yield one, _event(one.body)
        except msgspec.MsgspecError:
            continue


def round_row(events: Sequence[Told]) -> RoundRow | None:
    """Of a round that has ended, from its events in order; null where it has not, or its beginning is not known."""
    of_round = list(_read(events))
    opened = next((both for both in of_round if both[0].kind == "opened"), None)
    ended = next((both for both in of_round if both[0].kind in ENDS), None)
    if opened is None or ended is None:
        return None
    (first, began), (last, end) = opened, ended
    seen = [event for _, event in of_round]
    return RoundRow(
        table_=last.table,
        epoch=last.epoch,
        number=first.round,
        round_id=began.round_id,
        game=began.game,
        dealer=began.dealer or "",
        dealer_id=began.dealer_id or "",
        opened=began.at,
        ended=end.at,
        **_end(last, seen, end),
        because=end.because,
        currency=began.currency or "",
        **_money(seen),
        **_cards(events),
        faults=sum(event.kind == "faulted" for event in seen),
        manual=end.manual,
        disputed=any(event.kind == "disputed" for event in seen),
        training=began.training,
        revision=max((event.revision or 0 for event in seen if event.kind == "resettled"), default=0),
    )


def _end(last: Told, events: Sequence[_Event], end: _Event) -> dict[str, Any]:
    """How the round ended, and its outcome as JSON: by the last time that it was settled anew, if it was."""
    anew = next((event for event in reversed(events) if event.kind == "resettled"), None)
    outcome = bytes(end.outcome if anew is None else anew.now).decode()
    outcome = outcome if outcome.startswith("{") else ""
    how = last.kind if anew is None else "settled" if outcome else "cancelled"
    return {"how": how, "outcome": outcome}


def _money(events: Iterable[_Event]) -> dict[str, Any]:
    moved = Counter[str]()
    for event in events:
        match event.kind:
            case "bet_accepted" | "decided":
                moved["staked"] += event.stake or 0
            case "bet_withdrawn":
                moved["withdrawn"] += event.stake or 0
            case "refunded":
                moved["refunded"] += event.stake or 0
            case "paid":
                moved["returned"] += event.returned
            case "resettled":
                moved["returned"] += sum(one.difference for one in event.movements)
    back = {name: moved[name] for name in ("withdrawn", "returned", "refunded")}
    return {"staked": moved["staked"], **back, "kept": moved["staked"] - sum(back.values())}


def _cards(events: Iterable[Told]) -> dict[str, Any]:
    """Cards that came out, and those misread."""
    account, cards, misreads = CardReads(), 0, 0
    for one in events:
        if one.kind not in KINDS:
            continue
        with suppress(BadRecord):  # of a later version: it is not counted
            record = record_of(one.body)
            change = NO_CHANGE if record is None else account.take(msgspec.structs.replace(record, training=False))
            cards += change.cards
            misreads += change.unread + change.corrected
    return {"cards": cards, "misreads": misreads}


# ── faults ───────────────────────────────────────────────────────────────────────────────────────────────────────

FAULTY = frozenset({"faulted", "acknowledged", "escalated", "ruled", *OVER})


def fault_rows(events: Iterable[Told]) -> list[FaultRow]:
    """Those in these events, which are of one round and in their order."""
    rows: dict[int, dict[str, Any]] = {}
    last: dict[str, Any] | None = None  # the one that is open
    for one, event in _read(one for one in events if one.kind in FAULTY):
        if one.kind == "faulted":
            _over(last, event)
            last = rows[one.seq] = _raised(one, event)
        elif one.kind in OVER:
            _over(last, event)
        elif (fault := rows.get(event.fault or 0)) is not None:
            _note(fault, event)
    return [FaultRow(**row) for row in rows.values()]


def _over(fault: dict[str, Any] | None, event: _Event) -> None:
    if fault is not None and fault["over"] is None:
        fault["over"] = event.at


def _raised(one: Told, event: _Event) -> dict[str, Any]:
    came = event.came if isinstance(event.came, dict) else {}
    code = str(event.code)
    device = "shoe" if code in READER_FAULTS else str(came.get("device") or "")
    row: dict[str, Any] = dict.fromkeys(FaultRow.__struct_fields__)
    return row | {
        "table_": one.table, "epoch": one.epoch, "seq": one.seq, "round": one.round, "code": code, "at": one.at,
        "device": device, "report": event.report is not None, "level": 0, "training": event.training, "lost": False,
    }  # fmt: skip


def _note(fault: dict[str, Any], event: _Event) -> None:
    match event.kind:
        case "escalated":
            fault["level"] += 1
        case "acknowledged" if fault["acked"] is None:
            fault |= {"acked": event.at, "acked_by": event.by}
        case "ruled":
            told = {"ruled": event.at, "ruled_by": event.by, "ruling": event.ruling}
            fault |= {**told, "because": event.because, "second": event.second}
