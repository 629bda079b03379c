"""What the shift manager decides, and what becomes of the round.

The one rule: a ruling is carried out on the side and proven by driving the round again before it is recorded. One that
does not fit is refused with a reason and leaves no trace but the refusal.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ...rules.dealing import SheetFailed
from .. import events as e
from .. import records as r
from .. import second_person
from ..came import ByRuling
from ..copies import in_deck
from ..deck_account import doubles
from ..draft import Draft
from ..fitting import goes_face_down
from ..life import LIVE
from ..offers import hindrance, may_go, second_reading
from ..persons import deals
from ..position import Unplayable
from ..state import Draw, Laid
from .amends import Plan, planned
from .redrive import cut_back, drive_again, go_on
from .rounds import void
from .ruled import amended, fault_of, record_ruling

Reason = str | None


def acknowledge(draft: Draft, event: e.Acknowledge) -> None:
    """A shift manager has seen the fault."""
    fault = draft.state.fault
    reason = _not_theirs(draft, event)
    if fault is None or reason:
        draft.write(r.RulingRefused(event.fault, "acknowledge", event.by, reason or "not_paused"))
    else:
        draft.write(r.Acknowledged(fault.seq, event.by))


def rule(draft: Draft, event: e.Rule) -> None:
    """A ruling: refused, or carried out."""
    reason = objection(draft, event)
    if reason is None:
        trial = draft.aside()
        try:
            reason = _RULINGS[event.ruling](trial, event)
        except (SheetFailed, Unplayable):
            reason = "does_not_fit"
        if reason is None and event.checked is None and _plays_on_a_double(trial):
            reason = "deck_unchecked"
        if reason is None and event.second is None and _voids(trial) and second_person.is_needed(draft.state):
            reason = "needs_second"
        if reason is None:
            draft.adopt(trial)
            return
    fault = event.fault or (draft.state.fault.seq if draft.state.fault else None)
    draft.write(r.RulingRefused(fault, event.ruling, event.by, reason))


def _plays_on_a_double(trial: Draft) -> bool:
    """Whether the round goes on though more copies of a card lie open than the deck holds: only with the manager's word
    that the deck was checked."""
    return trial.state.life in LIVE and bool(doubles(trial.state, trial.deck))


def _voids(trial: Draft) -> bool:
    """Whether the ruling makes the round void."""
    return any(isinstance(record.what, r.Cancelled) for record in trial.records)


def objection(draft: Draft, event: e.Rule) -> Reason:
    """What speaks against a ruling before looking at the cards."""
    fault = draft.state.fault
    reason = _not_theirs(draft, event)
    if reason or fault is None:
        return reason
    if event.ruling not in fault.allowed:
        return "not_allowed"
    return second_person.objection(draft.state, event) or hindrance(draft.state, draft.due, fault, event.ruling)


def _not_theirs(draft: Draft, event: e.Acknowledge | e.Rule) -> Reason:
    fault = draft.state.fault
    if fault is None:
        return "not_paused"
    if event.fault not in (None, fault.seq):
        return "stale_fault"
    return "own_round" if _dealt(draft, event) else None


def _dealt(draft: Draft, event: e.Acknowledge | e.Rule) -> bool:
    """Whether they deal, or dealt the round, under whatever name (GLI-19 C.6.8 i: who dealt does not approve)."""
    return deals(event.by, draft.state) or deals(event.person, draft.state)


def _resume(draft: Draft, event: e.Rule) -> Reason:
    fault = fault_of(draft)
    record_ruling(draft, event)
    drive_again(draft)
    go_on(draft, confirmed=fault.code == "result_mismatch" and draft.state.round.terms.confirm == "shoe")
    return None


def _deal(draft: Draft, event: e.Rule) -> Reason:
    record_ruling(draft, event)
    drive_again(draft)
    go_on(draft, confirmed=False)
    return None


def _enter(draft: Draft, event: e.Rule) -> Reason:
    """The card due, by hand: the value of the unread one, or of one that a dead reader never saw."""
    number = fault_of(draft).draw
    new, hidden = number or len(draft.state.round.draws) + 1, goes_face_down(draft)
    if event.card is None or not in_deck(draft.state, draft.deck, Draw(new, event.card, hidden=hidden)):
        return "bad_card"
    if number is None:
        record_ruling(draft, event, hidden=hidden, after={"card": event.card})
        draft.write(r.Drawn(new, event.card, None, hidden, "manual"))
    else:
        after = {"draw": new, "card": event.card, "source": "manual"}
        record_ruling(draft, event, hidden=hidden, before={"draw": new, "card": None}, after=after)
    return amended(draft, event, Plan(), new)


def _rescan(draft: Draft, event: e.Rule) -> Reason:
    """The card was slid again: the loose card takes the place of the unread one."""
    unread = fault_of(draft).draw or 0
    again = second_reading(draft.state, unread)
    assert again is not None  # noqa: S101 - `hindrance` has looked
    # where the reader saw it go the second time says nothing
    after = {"draw": again.number, "place": None}
    record_ruling(draft, event, hidden=again.hidden, before={"unread": unread}, after=after)
    for draw in draft.state.loose:
        if draw.card is None and unread <= draw.number < again.number:  # slid more than once
            draft.write(r.Voided(draw.number, None))
    return amended(draft, event, Plan())


def _correct(draft: Draft, event: e.Rule) -> Reason:
    """The draw is not what the reader said. What this makes wrong is the next fault."""
    draw = _draw(draft, event.draw, fault_of(draft).draw)
    if draw is None or draw.fate not in ("placed", "loose") or draw.card is None:
        return "bad_draw"
    if event.card is None or event.card not in draft.position.deck(draft.state.round).cards:
        return "bad_card"
    if event.card == draw.card and not draw.hidden:  # of a card that lies face down that would tell what it is
        return "no_change"
    plan = planned(draft, event, draw, event.card)
    if plan is None:
        return "not_allowed"
    before, after = ({"draw": draw.number, "card": card} for card in (draw.card, event.card))
    record_ruling(draft, event, hidden=draw.hidden, before=before, after=after, plan=plan)
    return amended(draft, event, plan)


def _move(draft: Draft, event: e.Rule) -> Reason:
    """The draw now lies where it belongs, or takes the place due."""
    draw = _draw(draft, event.draw, fault_of(draft).draw)
    if draw is None or draw.fate not in ("placed", "loose"):
        return "bad_draw"
    if event.place is None:
        return "does_not_fit"
    plan = planned(draft, event, draw)
    if plan is None:
        return "not_allowed"
    before, after = ({"draw": draw.number, "place": place} for place in (draw.place, event.place))
    record_ruling(draft, event, before=before, after=after, plan=plan)
    return amended(draft, event, plan, draw.number)


def _burn(draft: Draft, event: e.Rule) -> Reason:
    draw = _draw(draft, event.draw, _surplus(draft))
    if draw is None or not may_go(draft.state, draw):
        return "bad_draw"
    return _put_away(draft, event, draw, {"fate": "burnt"})


def _void(draft: Draft, event: e.Rule) -> Reason:
    """There was no such card: it was read twice, or the reader saw one where none was. The next takes its place; where
    those after it were laid was reckoned with it."""
    draw = _draw(draft, event.draw, _surplus(draft))
    if draw is None or not may_go(draft.state, draw) or draw.source == "carried":
        return "bad_draw"
    return _put_away(draft, event, draw, {"fate": "void"})


def _carry(draft: Draft, event: e.Rule) -> Reason:
    """A card that somebody saw would give them an edge in the next round, at whatever odds: it is burnt."""
    if event.seen is None:
        return "not_allowed"
    draw = _draw(draft, event.draw, _surplus(draft))
    if draw is None or draw.fate != "loose" or draw.card is None:
        return "bad_draw"
    if draft.state.carried or draw.hidden or not in_deck(draft.state, draft.deck, draw):
        return "does_not_fit"  # it is to lie open in the next round
    return _put_away(draft, event, draw, {"fate": "burnt" if event.seen else "carried", "seen": event.seen})


def _put_away(draft: Draft, event: e.Rule, draw: Draw, end: dict[str, Any]) -> Reason:
    """A draw comes to this end, and lies nowhere any more."""
    plan = planned(draft, event, draw)
    if plan is None:
        return "not_allowed"
    before = {"draw": draw.number, "card": draw.card}
    record_ruling(draft, event, hidden=draw.hidden, before=before, after={"draw": draw.number, **end}, plan=plan)
    if end["fate"] == "void" and draw.fate == "placed":
        cut_back(draft, draft.state.round.script.index(Laid(draw.number)), placed=False)
    draft.write(_ENDS[end["fate"]](draw.number, draw.card, draw.hidden))
    return amended(draft, event, plan)


_ENDS: Mapping[str, Callable[[int, Any, bool], r.What]] = {
    "burnt": r.Burnt,
    "void": r.Voided,
    "carried": r.Carried,
}


def _cancel(draft: Draft, event: e.Rule) -> Reason:
    record_ruling(draft, event)
    void(draft, ByRuling(event.because))
    return None


_RULINGS: Mapping[str, Callable[[Draft, e.Rule], Reason]] = {
    "resume": _resume,
    "deal": _deal,
    "enter": _enter,
    "rescan": _rescan,
    "correct": _correct,
    "move": _move,
    "burn": _burn,
    "void": _void,
    "carry": _carry,
    "cancel": _cancel,
}


def _draw(draft: Draft, named: int | None, meant: int | None) -> Draw | None:
    draws, number = draft.state.round.draws, meant if named is None else named
    return draws[number - 1] if number is not None and 1 <= number <= len(draws) else None


def _surplus(draft: Draft) -> int | None:
    """The draw that raised the fault; for an error of the shoe's, the first that lies about."""
    return fault_of(draft).draw or next((draw.number for draw in draft.state.loose), None)
