"""Log lines of a table's records: one for each record, counts for players' records.

Invariant: no line contains a player's id or text that somebody typed. Each kind has only the fields listed here; kinds
that are not listed have none. Bets, decisions and payments are logged as one line of counts per betting window or
round, so that many refused bets neither fill the log nor displace a fault.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import structlog

from ..core import events as e
from ..core import records as r
from ..core.causes import Undriven
from ..core.notation import cause_text
from ..core.records import Record
from ..core.views import view
from ..core.withholding import withhold
from ..table.loop import Table

ABOUT = ("seq", "at", "round", "shoe", "dealer", "person", "training")  # of every record that has them
FIELDS: Mapping[str, tuple[str, ...]] = {
    "configured": ("epoch", "currency", "rounds", "game", "version", "digest", "program", "posted"),
    "loss_accepted": ("epoch", "before", "by"),
    "record_damaged": ("check", "first", "reason"),
    "record_sound": ("check",),
    "anchor_begun": ("id", "apart", "by"),
    "anchor_lost": ("reason", "required"),
    "witness_unheard": ("first", "reason"),
    "table_opened": ("by",),
    "table_closed": ("by",),
    "dealer_changed": ("to", "before", "by"),
    "dealer_leaving": ("by",),
    "shoe_change": ("by", "reading"),
    "read_out": ("card",),
    "shoe_ended": ("cards", "dealt", "burnt", "left", "missing", "surplus", "unaccounted"),
    "shoe_cut": ("by",),
    "cut_skipped": ("by",),
    "shoe_ready": ("by", "id", "cards", "counted"),
    "shuffled": ("by", "id"),
    "deck_suspect": ("deck", "double", "missing", "rounds"),
    "opened": ("game", "version", "digest", "by", "round_id"),
    "window_opened": ("window",),
    "closed": ("by", "window"),
    "dealt": ("draw", "card", "to", "face_up", "source"),
    "drawn": ("draw", "card", "source"),
    "asked": ("options", "default", "seconds"),
    "rewound": ("answers", "bets", "amount"),
    "revealed": ("place", "cards"),
    "disagreed": ("about", "theirs", "ours", "draw"),
    "settled": ("by", "manual"),
    "cancelled": ("bets", "amount"),
    "faulted": ("code", "rulings", "draw", "report", "came"),
    "reported": ("draw", "came"),
    "report_answered": ("report", "by"),
    "acknowledged": ("fault", "by"),
    "escalated": ("fault", "level"),
    "extended": ("fault", "by", "until"),
    "restarted": ("fault",),
    "ruled": ("fault", "ruling", "by", "second"),
    "ruling_refused": ("fault", "ruling", "by", "reason"),
    "hand_voided": ("place", "bets", "amount"),
    "burnt": ("draw", "card"),
    "carried": ("draw", "card"),
    "voided": ("draw", "card"),
    "resumed": ("state",),
    "signed_in": ("by", "source", "door"),
    "sign_ins_refused": ("wrong", "delayed", "most", "delay"),
    "handed_over": ("by", "taker"),
    "start_refused": ("reason",),
    "starts_refused": ("reason", "times", "since", "until"),
    "ignored": ("came", "state", "reason"),
    "device_lost": ("device", "reason"),
    "device_found": ("device", "address", "serial"),
    "device_cut_off": ("device", "heard", "seconds"),
    "device_taken_back": ("device", "by"),
    "telegrams_missing": ("device", "expected", "got"),
    "clock_set": ("from", "to"),
}
_PLAYERS = e.PlaceBet | e.WithdrawBet | e.LineCut | e.LineBack | e.Choose | e.NotAll | e.NoText


class RecordLog:
    """Log of one table's records."""

    def __init__(self, table: str) -> None:
        self._log = structlog.get_logger().bind(table=table)
        self._bets, self._refused_bets = Counter[str](), Counter[str]()
        self._decided, self._refused_decisions = 0, Counter[str]()
        self._paid = self._refunded = 0

    def hear(self, table: Table, records: Sequence[Record]) -> None:
        """Log committed records, and the journal's head after each settled round."""
        for record in records:
            if not self._count(record.what):
                self._tell(record)
            if isinstance(record.what, r.Settled):
                self._log.info("head", head=str(table.journal.head))

    def _count(self, what: r.What) -> bool:
        """Count a record of a player's. Returns False for any other."""
        match what:
            case r.BetAccepted() | r.BetWithdrawn() | r.BetRepriced() | r.PlayerGone() | r.PlayerBack():
                self._bets[r.kind_of(what)] += 1
            case r.BetRefused(reason=reason):
                self._refused_bets[reason] += 1
            case r.Decided():
                self._decided += 1
            case r.DecisionRefused(reason=reason):
                self._refused_decisions[reason] += 1
            case r.Ignored(came=event, reason=reason) if isinstance(event, _PLAYERS):
                self._refused_bets[reason or "ignored"] += 1
            case r.Paid():
                self._paid += 1
            case r.Refunded():
                self._refunded += 1
            case _:
                return False
        return True

    def _tell(self, record: Record) -> None:
        what = record.what
        if isinstance(what, r.Closed | r.Cancelled):
            self._tell_bets(record)
        if isinstance(what, r.Completed | r.Cancelled):
            self._tell_decisions(record)
        if isinstance(what, r.Checkpoint):
            self._tell_payments(record)
            return
        log = self._log.warning if isinstance(what, r.Faulted | r.DeviceLost) else self._log.info
        log(record.kind, **line_of(record))

    def _tell_bets(self, record: Record) -> None:
        """Log one line for a betting window, with what came since the last such line."""
        window = record.what.window if isinstance(record.what, r.Closed) else None
        bets, refused = self._bets, self._refused_bets
        self._bets, self._refused_bets = Counter[str](), Counter[str]()
        if bets or refused or window is not None:
            self._log.info(
                "bets",
                round=record.round,
                window=window,
                accepted=bets["bet_accepted"],
                withdrawn=bets["bet_withdrawn"],
                repriced=bets["bet_repriced"],
                gone=bets["player_gone"],
                back=bets["player_back"],
                refused=dict(refused),
            )

    def _tell_decisions(self, record: Record) -> None:
        decided, refused = self._decided, self._refused_decisions
        self._decided, self._refused_decisions = 0, Counter[str]()
        if decided or refused:
            self._log.info("decisions", round=record.round, decided=decided, refused=dict(refused))

    def _tell_payments(self, record: Record) -> None:
        paid, refunded, self._paid, self._refunded = self._paid, self._refunded, 0, 0
        if paid or refunded:
            self._log.info("payments", round=record.round, paid=paid, refunded=refunded)


def line_of(record: Record) -> dict[str, Any]:
    """Fields of a record's log line: those that are listed for its kind."""
    event = view(record, "manager")
    event["came"] = _describe_cause(withhold(record.what))
    return {name: event[name] for name in (*ABOUT, *FIELDS.get(record.kind, ())) if event.get(name) is not None}


def _describe_cause(what: r.What) -> str | None:
    """Cause of a fault or report in words; for an ignored event only its kind, as it may hold typed text."""
    match what:
        case r.Ignored(came=cause):
            return str(cause.__struct_config__.tag)
        case r.Faulted(came=cause) | r.Reported(came=cause) if not isinstance(cause, Undriven):
            return cause_text(cause)
    return None
