"""Fold of a paused round: its fault, the ruling and the cards that were put away."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from .. import events as e
from .. import records as r
from ..causes import Cause, Finish
from ..life import next_state
from ..open_fault import Fault, QueuedReport
from ..state import Fate, State, script_without

EXPOSED, FINISH = e.KeyPressed("exposed"), Finish()


def _faulted(state: State, what: r.Faulted, record: r.Record) -> State:
    about = (what.code, what.due, what.came, what.rulings, what.draw, what.hidden, what.touched)
    fault = Fault(record.seq, *about, since=record.at, not_now=what.not_now, suspect=what.suspect)
    outcome = state.round.outcome if what.due in (None, FINISH) else None  # with a step due there is no result
    round_ = replace(state.round, faults=state.round.faults + 1, outcome=outcome)
    state = replace(state, fault=fault, round=round_)
    state = _mark_exposed(_mark_known(_without_report(state, what.report), what), what.came)
    if state.life == "paused":
        return state
    left = None if state.deadline is None else max(0, state.deadline - record.at)
    state = replace(state, round=replace(state.round, stopped=len(state.round.judged)))
    return replace(state, life=next_state(state.life, "pause"), paused_from=state.life, deadline=None, left=left)


def _reported(state: State, what: r.Reported, record: r.Record) -> State:
    return _mark_exposed(
        replace(state, waiting=(*state.waiting, QueuedReport(record.seq, what.came, what.draw))), what.came
    )


def _mark_known(state: State, what: r.Faulted) -> State:
    """Mark the fault's draw as known to people, unless the record withholds it."""
    if what.draw is None or what.hidden or not isinstance(what.came, e.CardOut) or what.came.card is None:
        return state
    draw = state.round.draws[what.draw - 1]
    if draw.shown:
        return state
    return replace(state, round=replace(state.round, draws=state.round.draws_with(replace(draw, shown=True))))


def _mark_exposed(state: State, cause: Cause) -> State:
    """Mark all face-down cards on the table as seen after an `exposed` report."""
    if cause != EXPOSED:
        return state
    draws = (replace(one, shown=True) if one.hidden and one.lies else one for one in state.round.draws)
    return replace(state, round=replace(state.round, draws=tuple(draws)))


def _report_answered(state: State, what: r.ReportAnswered, _: r.Record) -> State:
    return _without_report(state, what.report)


def _without_report(state: State, report: int | None) -> State:
    return replace(state, waiting=tuple(one for one in state.waiting if one.seq != report))


def _acknowledged(state: State, what: r.Acknowledged, record: r.Record) -> State:
    fault = state.fault
    if fault is None:
        return state
    seen_at = record.at if what.again is UNSET else fault.seen_at
    return replace(state, fault=replace(fault, seen_by=what.by, seen_at=seen_at))


def _escalated(state: State, what: r.Escalated, _: r.Record) -> State:
    fault = state.fault
    if fault is None:
        return state
    if what.level is None:
        return replace(state, fault=replace(fault, offered=True))
    return replace(state, fault=replace(fault, escalations=fault.escalations + 1))


def _extended(state: State, what: r.Extended, _: r.Record) -> State:
    fault = state.fault
    if fault is None:
        return state
    round_ = replace(state.round, extended=state.round.extended + 1)
    return replace(state, round=round_, fault=replace(fault, until=what.until, offered=False))


def _restarted(state: State, _what: r.Restarted, record: r.Record) -> State:
    fault = state.fault
    return state if fault is None else replace(state, fault=replace(fault, restarted=record.at, escalations=0))


def _ruled(state: State, what: r.Ruled, _: r.Record) -> State:
    round_ = state.round
    if state.live:
        as_it_was = replace(round_, judged=(), returned={})
        state = replace(state, round=replace(round_, judged=(*round_.judged, as_it_was)))
    if what.ruling in r.PAST_THE_SHOE:
        state = replace(state, shoe=replace(state.shoe, advisory=True))
    if what.ruling in ("enter", "correct"):
        state = replace(state, round=replace(state.round, manual=True))
    if "draw" not in what.after:
        return state
    draw = state.round.draws[what.after["draw"] - 1]
    changes = {field: what.after[name] for name, field in _RULED.items() if name in what.after}
    if "card" in what.after:
        changes |= {"told": None, "hidden": draw.hidden or what.hidden, "shown": draw.shown or not what.hidden}
    draws = state.round.draws_with(replace(draw, **changes))
    return replace(state, round=replace(state.round, draws=draws))


_RULED = {"card": "ruled", "place": "place", "source": "source"}


def _burnt(state: State, what: r.Burnt, _: r.Record) -> State:
    if state.shoe.changing:
        counts = dict(state.shoe.seen)
        if what.card:
            counts[what.card] = counts.get(what.card, 0) + 1
        shoe, burnt = state.shoe, state.shoe.burnt + 1
        unread = shoe.first_unread or (burnt == 1 and what.card is None)
        return replace(state, shoe=replace(shoe, seen=counts, out=shoe.out + 1, burnt=burnt, first_unread=unread))
    if state.round.draws[what.draw - 1].fate != "burnt":
        state = replace(state, shoe=replace(state.shoe, burnt=state.shoe.burnt + 1))
    return _put_away(state, what.draw, "burnt")


def _carried(state: State, what: r.Carried, _: r.Record) -> State:
    return replace(_put_away(state, what.draw, "carried"), carried=what.card)


def _voided(state: State, what: r.Voided, _: r.Record) -> State:
    state = _put_away(state, what.draw, "void")
    if state.life != "paused":  # void with its round; a ruling says that no card left the shoe
        return state
    never = replace(state.round.draws[what.draw - 1], out=False)
    shoe = replace(state.shoe, out=state.shoe.out - 1)
    return replace(state, shoe=shoe, round=replace(state.round, draws=state.round.draws_with(never)))


def _put_away(state: State, number: int, fate: Fate) -> State:
    draw = replace(state.round.draws[number - 1], fate=fate, place=None)
    script = script_without(state.round, [number])
    return replace(state, round=replace(state.round, draws=state.round.draws_with(draw), script=script))


def _resumed(state: State, what: r.Resumed, record: r.Record) -> State:
    life = next_state(state.life, "resume", what.state)
    timed = state.left is not None and life in ("betting", "deciding")
    deadline = record.at + (state.left or 0) if timed else None
    outcome = None if life in ("betting", "dealing", "deciding") else state.round.outcome
    round_ = replace(state.round, outcome=outcome)
    return replace(state, life=life, round=round_, fault=None, deadline=deadline, left=None)


FOLDS: Mapping[type, Callable[[State, Any, r.Record], State]] = {
    r.Faulted: _faulted,
    r.Reported: _reported,
    r.ReportAnswered: _report_answered,
    r.Acknowledged: _acknowledged,
    r.Escalated: _escalated,
    r.Extended: _extended,
    r.Restarted: _restarted,
    r.Ruled: _ruled,
    r.Burnt: _burnt,
    r.Carried: _carried,
    r.Voided: _voided,
    r.Resumed: _resumed,
}
