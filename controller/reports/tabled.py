"""A record read into flat tables, round by round: `tablectl journal export --tables`.

No more of it is kept than one round. What comes after a round has ended and before the next begins is with it; faults
without a round are there too. The round that is still on is left out: nobody is shown its hidden cards.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ..core import records as r
from ..core.clock import to_text
from ..core.movements import Movement, movement
from ..core.notation import expected, got

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]  # with the table that each is of


class Tabled:
    """One round, and what came after it."""

    def __init__(self) -> None:
        self.round: Row | None = None
        self.bets: dict[str, Row] = {}
        self.cards: dict[int, Row] = {}
        self.faults: dict[int, Row] = {}
        self.others: list[tuple[str, Row]] = []

    def take(self, record: r.Record) -> None:
        """One more record."""
        read = _READ.get(type(record.what))
        if read is not None:
            read(self, record, record.what)
        moved = movement(record.what)
        if moved is not None:
            self._move(record, moved)

    def rows(self) -> Rows:
        """All of it, a row before those that name it."""
        if self.round is not None:
            yield "rounds", self.round
        for name, rows in (("bets", self.bets), ("cards", self.cards), ("faults", self.faults)):
            yield from ((name, row) for row in rows.values())
        yield from self.others

    def its(self, record: r.Record) -> Row:
        """What rows have in common that are of a round, or of none."""
        return {"round_id": None if self.round is None or record.round is None else self.round["round_id"]}

    def _move(self, record: r.Record, moved: Movement) -> None:
        bet, _, kind = moved.id.rpartition(".")
        player = self.bets[bet]["player"]
        row = {"movement": moved.id, "bet": bet, **self.its(record), "player": player, "kind": kind}
        row |= {"cause": record.kind, "amount": moved.amount, "currency": moved.currency, "at": to_text(record.at)}
        self.others.append(("movements", row))


def tabled(records: Iterable[r.Record], ended: int) -> Rows:
    """The rows of a record, in its order. `ended`: the last round that is over."""
    part = Tabled()
    for record in records:
        if record.round is not None and record.round > ended:
            break
        if isinstance(record.what, r.Opened):
            yield from part.rows()
            part = Tabled()
        part.take(record)
    yield from part.rows()


# ── rounds and bets ──────────────────────────────────────────────────────────────────────────────────────────────


def _opened(part: Tabled, record: r.Record, what: r.Opened) -> None:
    part.round = {
        "round_id": what.round_id,
        "table": record.table,
        "round": record.round,
        "game": what.game,
        "version": what.version,
        "digest": what.digest,
        "shoe": record.shoe,
        "dealer": record.dealer,
        "dealer_id": what.dealer_id,
        "opened_at": to_text(record.at),
        "manual": False,
        "training": record.training,
    }


def _settled(part: Tabled, record: r.Record, what: r.Settled) -> None:
    outcome = msgspec.json.encode(what.outcome).decode()
    _ends(part, record, end="settled", manual=what.manual, outcome=outcome)


def _cancelled(part: Tabled, record: r.Record, _: r.Cancelled) -> None:
    _ends(part, record, end="cancelled")


def _ends(part: Tabled, record: r.Record, **how: object) -> None:
    if part.round is not None:
        part.round |= {"ended_at": to_text(record.at), **how}


def _bet(part: Tabled, record: r.Record, what: r.BetAccepted | r.Decided) -> None:
    if what.bet is not None:
        odds = what.odds if isinstance(what, r.BetAccepted) else None
        row = {"bet": what.bet, **part.its(record), "player": what.player, "market": what.market, "odds": odds}
        row |= {"stake": what.stake, "currency": what.currency, "placed_at": to_text(record.at)}
        part.bets[what.bet] = row


def _repriced(part: Tabled, _: r.Record, what: r.BetRepriced) -> None:
    part.bets[what.bet]["odds"] = what.odds


def _paid(part: Tabled, _: r.Record, what: r.Paid) -> None:
    part.bets[what.bet] |= {"end": "paid", "returned": what.returned, "above_ceilings": what.above_ceilings}


def _back(part: Tabled, _: r.Record, what: r.BetWithdrawn | r.Refunded) -> None:
    end = "withdrawn" if isinstance(what, r.BetWithdrawn) else "refunded"
    part.bets[what.bet] |= {"end": end, "returned": what.stake}


def _anew(part: Tabled, record: r.Record, what: r.Resettled) -> None:
    """Differences of a round that was settled anew: it may be an earlier one, which the bet's id names."""
    for one in what.movements:
        if one.difference:
            row: Row = {"movement": one.id, "bet": one.bet, "round_id": one.bet.rpartition(".")[0]}
            row |= {"player": one.player, "kind": "credit" if one.difference > 0 else "debit", "cause": record.kind}
            row |= {"amount": abs(one.difference), "currency": what.currency, "at": to_text(record.at)}
            part.others.append(("movements", row))


# ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _card(part: Tabled, record: r.Record, what: r.Dealt | r.Drawn) -> None:
    if record.round is None:  # before the first round: its fault tells of it
        return
    first = {"draw": what.draw, "read": what.card, "source": what.source, "at": to_text(record.at)}
    known = part.cards.setdefault(what.draw, {**part.its(record), **first})
    if isinstance(what, r.Dealt):
        known |= {"card": what.card, "end": "dealt", "place": what.to, "face_up": what.face_up}
    else:
        known |= {"card": what.card, "end": "loose", "place": what.at_place, "face_up": None}


def _gone(part: Tabled, _: r.Record, what: r.Burnt | r.Carried | r.Voided) -> None:
    known = part.cards.get(what.draw)
    if known is not None:
        known |= {"card": what.card, "end": _ENDS[type(what)], "place": None, "face_up": None}


# ── faults and rulings ───────────────────────────────────────────────────────────────────────────────────────────


def _faulted(part: Tabled, record: r.Record, what: r.Faulted) -> None:
    row = {"table": record.table, "seq": record.seq, **part.its(record), "code": what.code, "draw": what.draw}
    row |= {"expected": expected(what.due), "got": got(what.came), "at": to_text(record.at)}
    part.faults[record.seq] = {**row, "training": record.training}


def _acknowledged(part: Tabled, record: r.Record, what: r.Acknowledged) -> None:
    fault = part.faults.get(what.fault)
    if fault is not None and "acknowledged_at" not in fault:
        fault |= {"acknowledged_at": to_text(record.at), "acknowledged_by": what.by, "acknowledged_id": record.person}


def _ruled(part: Tabled, record: r.Record, what: r.Ruled) -> None:
    row = {"table": record.table, "seq": record.seq, "fault": what.fault, **part.its(record)}
    row |= {
        "ruling": what.ruling,
        "by": what.by,
        "by_id": record.person,
        "because": what.because,
        "second": what.second,
        "second_id": what.second_id,
        "at": to_text(record.at),
    }
    part.others.append(("rulings", {**row, "training": record.training}))
    if what.fault in part.faults:
        part.faults[what.fault]["ruled_at"] = to_text(record.at)


_ENDS: Mapping[type, str] = {r.Burnt: "burnt", r.Carried: "carried", r.Voided: "voided"}
_READ: Mapping[type, Callable[[Tabled, r.Record, Any], None]] = {
    r.Opened: _opened,
    r.Settled: _settled,
    r.Cancelled: _cancelled,
    r.BetAccepted: _bet,
    r.Decided: _bet,
    r.BetRepriced: _repriced,
    r.Paid: _paid,
    r.Resettled: _anew,
    r.BetWithdrawn: _back,
    r.Refunded: _back,
    r.Dealt: _card,
    r.Drawn: _card,
    r.Burnt: _gone,
    r.Carried: _gone,
    r.Voided: _gone,
    r.Faulted: _faulted,
    r.Acknowledged: _acknowledged,
    r.Ruled: _ruled,
}
