"""Decision on an event: `decide` takes the state and an event and returns the draft of its records.

Invariant: deadlines come first. Whatever the clock would have done before the event's time is recorded first, dated
when it was due; then the event is decided.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...rules.dealing import SheetFailed
from .. import events as e
from ..causes import Undriven
from ..clock import Time
from ..draft import Draft
from ..house import House
from ..open_fault import RulingLimit
from ..position import Position, Unplayable, failed_round
from ..state import State
from . import (
    bets,
    cards,
    cases,
    dealers,
    decisions,
    devices,
    input_groups,
    openings,
    record,
    resettlements,
    rounds,
    rulings,
    shoe_change,
    sign_ins,
    slices,
    starts,
    table,
)
from .deadlines import expire, limit_without_ruling, next_limit
from .input_groups import GroupPart, refusal, refusal_inputs
from .writable import writable


def decide(
    house: House, position: Position, state: State, event: e.Event, at: Time, origin: e.Origin | None = None
) -> Draft:
    """Decide on one event. Returns the draft with its records, already applied to `draft.state`.

    `at`: when the event came; its records are dated no earlier than the last one in the journal. The first record of
    the event has the event as its input. The first record of each deadline that ran out before it, and of each slice
    that must come first, has a `Tick`. Raises SheetFailed, Unplayable only if no round is running.
    """
    draft = Draft(house, position, state, max(at, state.at))
    input_ = e.Input(writable(house, event), at, origin)
    try:
        if not isinstance(event, e.ProgramBack | e.JournalBack | e.AcceptLoss):
            expire(draft)
        slices.finish_before(draft, event)
        _answer(draft, input_)
    except (SheetFailed, Unplayable) as error:
        draft = Draft(house, position, state, draft.at)
        if not draft.is_running:
            raise
        _stop(draft, input_, error.round if isinstance(error, Unplayable) else failed_round(state.round, error))
    return draft


def _answer(draft: Draft, input_: e.Input) -> None:
    event = input_.event
    if isinstance(event, _SHOE_EVENTS) and any(one.device == "shoe" for one in draft.state.cut_off):
        return  # the shoe is cut off; messages that it sent before may still arrive
    draft.given, draft.pays_at_once = input_, isinstance(event, e.Rule)
    if isinstance(event, e.Act):
        draft.actor = getattr(event, "by", None), event.person
    _ANSWERS[type(event)](draft, event)


def _stop(draft: Draft, input_: e.Input, why: Undriven) -> None:
    """Raise the fault `replay_failed` if the rule sheet fails on this event.

    The round can only be cancelled then. A card that came is still recorded.
    """
    draft.given = input_
    draft.fault("replay_failed", why)
    if isinstance(input_.event, e.CardOut):
        _ANSWERS[e.CardOut](draft, input_.event)


def decide_each(
    house: House, position: Position, state: State, parts: Iterable[GroupPart], at: Time
) -> Iterator[Draft]:
    """Decide on events one after the other, each on the state after the one before."""
    for part in parts:
        draft = decide(house, position, state, part.event, at, part.origin)
        state = draft.state
        yield draft


def decide_all(house: House, position: Position, state: State, parts: Sequence[GroupPart], at: Time) -> list[Draft]:
    """Decide on several events together: all are accepted or all are refused.

    A single event is decided alone.
    """
    drafts = list[Draft]()
    for number, draft in enumerate(decide_each(house, position, state, parts, at)):
        why = refusal(draft.records) if len(parts) > 1 else None
        if why is not None:
            return list(decide_each(house, position, state, refusal_inputs(parts, number, why), at))
        drafts.append(draft)
    return drafts


def next_deadline(house: House, position: Position, state: State) -> Time | None:
    """Time at which the clock acts next if no event comes before; None if no deadline is open.

    While bets of the last round are to be paid, or parts of a resettlement to be recorded, that is at once.
    """
    if state.is_unfinished:
        return state.at
    limit = next_limit(Draft(house, position, state, state.at))
    return limit and limit[0]


def ruling_limit(house: House, position: Position, state: State) -> RulingLimit | None:
    """When the clock acts on a state without a ruling, see `limit_without_ruling`."""
    return limit_without_ruling(Draft(house, position, state, state.at))


def has_doubles(house: House, position: Position, state: State) -> bool:
    """True if more copies of a card lie open in a paused round than the deck holds: a ruling asks for a check then."""
    playable = state.fault is not None and state.fault.code != "replay_failed"
    return playable and bool(Draft(house, position, state, state.at).doubles)


_SHOE_EVENTS = (e.CardOut, e.CutCardOut, e.ShoeSays, e.ShoeFails, e.TelegramsLost, e.ShoeStandsBy)
_ANSWERS: Mapping[type, Callable[[Draft, Any], None]] = {
    e.CardOut: cards.card_out,
    e.CutCardOut: cards.cut_card,
    e.ShoeSays: cards.shoe_says,
    e.ShoeFails: cards.shoe_fails,
    e.TelegramsLost: cards.telegrams_lost,
    e.ShoeStandsBy: cards.shoe_stands_by,
    e.KeyPressed: table.pressed,
    e.Open: openings.open_round,
    e.CountedStarts: openings.starts_refused,
    e.Close: rounds.close_bets,
    e.PlaceBet: bets.place,
    e.WithdrawBet: bets.withdraw,
    e.LineCut: bets.line_cut,
    e.LineBack: bets.line_back,
    e.Choose: decisions.choose,
    e.Tick: slices.tick,
    e.NewDeck: shoe_change.shuffled,
    e.ChangeShoe: shoe_change.change_shoe,
    e.CutShoe: shoe_change.cut_shoe,
    e.SkipCut: shoe_change.skip_cut,
    e.LoadShoe: shoe_change.shoe_ready,
    e.OpenTable: table.open_table,
    e.CloseTable: table.close_table,
    e.DealerOn: dealers.dealer_on,
    e.Leave: dealers.leave,
    e.LostDevice: devices.lost,
    e.FoundDevice: devices.found,
    e.Babbles: devices.cut_off,
    e.SetClock: table.set_clock,
    e.Begin: starts.begin,
    e.NewFile: starts.new_file,
    e.ProgramBack: starts.restarted,
    e.JournalBack: devices.journal_failed,
    e.Checked: record.checked,
    e.AnchorChecked: record.anchor_checked,
    e.WitnessAsked: record.witness_asked,
    e.BeginAnchor: record.begin_anchor,
    e.AcceptLoss: record.accept_loss,
    e.NoText: lambda draft, event: draft.ignore(event),
    e.Acknowledge: rulings.acknowledge,
    e.Rule: rulings.rule,
    e.Resettle: resettlements.resettle,
    e.Dismiss: cases.dismiss,
    e.NotAll: input_groups.refuse,
    e.SignIn: sign_ins.signed_in,
    e.HandOverSaid: sign_ins.handed_over,
    e.BadSignIns: sign_ins.refused,
}
