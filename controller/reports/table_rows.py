"""Conversion of a record to rows of flat tables, round by round, for `tablectl journal export --tables`.

At most one round is kept in memory. Records between two rounds belong to the round before them, also faults without a
round. The live round is left out, because it may have hidden cards.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from ..accounts.faults import FaultCase, Faults
from ..accounts.rounds import RoundAccount
from ..core import records as r
from ..core.clock import to_text
from ..core.movements import Movement, movement
from ..core.notation import cause_text, due_text
from .summaries import NO_REVISIONS, Revisions

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]  # name of the table, and a row of it


class RoundRows:
    """Rows of one round and of the records up to the next. `round`: its account; None before the first round."""

    def __init__(self, round_: RoundAccount | None = None) -> None:
        self.round = round_
        self.bets: dict[str, Row] = {}
        self.cards: dict[int, Row] = {}
        self.faults: list[tuple[Row, FaultCase]] = []
        self.others: list[tuple[str, Row]] = []
        self.account = Faults()

    def take(self, record: r.Record) -> None:
        """Add the rows of one more record."""
        self.account.take(record)
        if self.round is not None and not isinstance(record.what, r.Resettled):
            self.round.take(record)
        read = _READ.get(type(record.what))
        if read is not None:
            read(self, record, record.what)
        moved = movement(record.what)
        if moved is not None:
            self._move(record, moved)

    def rows(self, revised: Revisions) -> Rows:
        """Yield all rows, each before the rows that refer to it. `revised`: latest resettlements of rounds."""
        if self.round is not None:
            latest = revised.get(self.round.number)
            if latest is not None and isinstance(latest.what, r.Resettled):
                self.round.take(latest)
                for one in latest.what.movements:
                    self.bets[one.bet]["adjusted"] = one.now - self.bets[one.bet]["returned"]
            yield "rounds", _round_row(self.round)
        yield from (("bets", row) for row in self.bets.values())
        yield from (("cards", row) for row in self.cards.values())
        yield from (("faults", {**row, **_answers(case)}) for row, case in self.faults)
        yield from self.others

    def round_key(self, record: r.Record) -> Row:
        """Key of the record's round for a row; None outside of rounds."""
        return {"round_id": None if self.round is None or record.round is None else self.round.opened.round_id}

    def _move(self, record: r.Record, moved: Movement) -> None:
        bet, _, kind = moved.id.rpartition(".")
        player = self.bets[bet]["player"]
        row = {"movement": moved.id, "bet": bet, **self.round_key(record), "player": player, "kind": kind}
        row |= {"cause": record.kind, "amount": moved.amount, "currency": moved.currency, "at": to_text(record.at)}
        self.others.append(("movements", row))


def record_rows(records: Iterable[r.Record], ended: int, revised: Revisions = NO_REVISIONS) -> Rows:
    """Yield the rows of a record in order. `ended`: last round that is over; `revised`: latest resettlements."""
    part = RoundRows()
    for record in records:
        if record.round is not None and record.round > ended:
            continue  # skips only the live round: records about earlier rounds are kept
        if isinstance(record.what, r.Opened):
            yield from part.rows(revised)
            part = RoundRows(RoundAccount(record, record.what))
            continue
        part.take(record)
    yield from part.rows(revised)


# ── rounds and bets ──────────────────────────────────────────────────────────────────────────────────────────────


def _round_row(one: RoundAccount) -> Row:
    opened, opening, ended = one.opened, one.opening, one.ended
    return {
        "round_id": opened.round_id,
        "table": opening.table,
        "round": one.number,
        "game": opened.game,
        "version": opened.version,
        "digest": opened.digest,
        "shoe": opening.shoe,
        "dealer": opening.dealer,
        "dealer_id": opened.dealer_id,
        "opened_at": to_text(opening.at),
        "ended_at": None if ended is None else to_text(ended.at),
        "end": one.end,
        "manual": one.figures["manual"] > 0,
        "training": opening.training,
        "outcome": None if one.outcome is None else msgspec.json.encode(one.outcome).decode(),
        "cancelled": one.figures["cancelled"] > 0,
        "revision": one.revision,
        "resettled_at": None if one.resettled is None else to_text(one.resettled),
    }


def _bet(part: RoundRows, record: r.Record, what: r.BetAccepted | r.Decided) -> None:
    if what.bet is not None:
        odds = what.odds if isinstance(what, r.BetAccepted) else None
        row = {"bet": what.bet, **part.round_key(record), "player": what.player, "market": what.market, "odds": odds}
        row |= {"stake": what.stake, "currency": what.currency, "placed_at": to_text(record.at), "adjusted": 0}
        part.bets[what.bet] = row


def _repriced(part: RoundRows, _: r.Record, what: r.BetRepriced) -> None:
    part.bets[what.bet]["odds"] = what.odds


def _paid(part: RoundRows, _: r.Record, what: r.Paid) -> None:
    part.bets[what.bet] |= {"end": "paid", "returned": what.returned, "above_ceilings": what.above_ceilings}


def _back(part: RoundRows, _: r.Record, what: r.BetWithdrawn | r.Refunded) -> None:
    end = "withdrawn" if isinstance(what, r.BetWithdrawn) else "refunded"
    part.bets[what.bet] |= {"end": end, "returned": what.stake}


def _add_resettlement(part: RoundRows, record: r.Record, what: r.Resettled) -> None:
    """Add the rows of a resettlement. Its round may be an earlier one, named by the bets' ids."""
    if not what.is_later_part:
        part.others.append(("resettlements", _resettlement(part, record, what)))
    for one in what.movements:
        if one.difference:
            row: Row = {"movement": one.id, "bet": one.bet, "round_id": one.bet.rpartition(".")[0]}
            row |= {"player": one.player, "kind": "credit" if one.difference > 0 else "debit", "cause": record.kind}
            row |= {"amount": abs(one.difference), "currency": what.currency, "at": to_text(record.at)}
            part.others.append(("movements", row))


def _resettlement(part: RoundRows, record: r.Record, what: r.Resettled) -> Row:
    its = part.round_key(record)["round_id"] if part.round is not None and part.round.number == record.round else None
    row: Row = {"table": record.table, "seq": record.seq, "round_id": what.round_id or its, "revision": what.revision}
    row |= {"amendments": msgspec.json.encode(what.amendments).decode(), "by": what.by, "by_id": record.person}
    row |= {"because": what.because, "second": what.second, "second_id": what.second_id}
    return {**row, "at": to_text(record.at)}


# ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _card(part: RoundRows, record: r.Record, what: r.Dealt | r.Drawn) -> None:
    if record.round is None or part.round is None:  # no round yet in this file; the card's fault has a row
        return
    first = {"draw": what.draw, "read": what.card, "source": what.source, "at": to_text(record.at)}
    row = part.cards.setdefault(what.draw, {**part.round_key(record), **first})
    if isinstance(what, r.Dealt):
        row |= {"card": what.card, "end": "dealt", "place": what.to, "face_up": what.face_up}
    else:
        row |= {"card": what.card, "end": "loose", "place": what.at_place, "face_up": None}


def _remove_card(part: RoundRows, _: r.Record, what: r.Burnt | r.Carried | r.Voided) -> None:
    row = part.cards.get(what.draw)
    if row is not None:
        row |= {"card": what.card, "end": _ENDS[type(what)], "place": None, "face_up": None}


# ── faults and rulings ───────────────────────────────────────────────────────────────────────────────────────────


def _faulted(part: RoundRows, record: r.Record, what: r.Faulted) -> None:
    row = {"table": record.table, "seq": record.seq, **part.round_key(record), "code": what.code, "draw": what.draw}
    row |= {"expected": due_text(what.due), "got": cause_text(what.came), "at": to_text(record.at)}
    if part.account.open is not None:
        part.faults.append(({**row, "training": record.training}, part.account.open))


def _answers(case: FaultCase) -> Row:
    """Columns of a fault's acknowledgement and first ruling; without the times of acts that have not happened."""
    times = {"acknowledged_at": case.acked, "ruled_at": case.ruled}
    columns = {name: to_text(at) for name, at in times.items() if at is not None}
    return {**columns, "acknowledged_by": case.acked_by, "acknowledged_id": case.acked_id}


def _ruled(part: RoundRows, record: r.Record, what: r.Ruled) -> None:
    row = {"table": record.table, "seq": record.seq, "fault": what.fault, **part.round_key(record)}
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


_ENDS: Mapping[type, str] = {r.Burnt: "burnt", r.Carried: "carried", r.Voided: "voided"}
_READ: Mapping[type, Callable[[RoundRows, r.Record, Any], None]] = {
    r.BetAccepted: _bet,
    r.Decided: _bet,
    r.BetRepriced: _repriced,
    r.Paid: _paid,
    r.Resettled: _add_resettlement,
    r.BetWithdrawn: _back,
    r.Refunded: _back,
    r.Dealt: _card,
    r.Drawn: _card,
    r.Burnt: _remove_card,
    r.Carried: _remove_card,
    r.Voided: _remove_card,
    r.Faulted: _faulted,
    r.Ruled: _ruled,
}
