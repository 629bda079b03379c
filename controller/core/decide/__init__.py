"""What is to be done about an event: `decide` takes the state and an event and returns the draft of its records.

The one rule: deadlines come first. What the clock would have done before the event's own time is done, in the record's
words, at the time it was due; only then is the event looked at.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...rules.dealing import SheetFailed
from .. import events as e
from ..came import Undriven
from ..clock import Time
from ..draft import Draft
from ..house import House
from ..position import Position, Unplayable, failed
from ..state import State
from . import (
    bets,
    cards,
    dealers,
    decisions,
    devices,
    openings,
    record,
    rounds,
    rulings,
    sign_ins,
    starts,
    table,
    together,
)
from .deadlines import expire, next_limit
from .together import Part, refusal, refused
from .writable import writable


def decide(
    house: House, position: Position, state: State, event: e.Event, at: Time, origin: e.Origin | None = None
) -> Draft:
    """The records that an event leads to, already applied to `draft.state`. Nothing else is changed.

    `at`: when it came; what follows from it is dated no earlier than what is recorded already. The first record that it
    leads to has it as its input, and so has the first of each deadline that ran out before it.
    """
    draft = Draft(house, position, state, max(at, state.at))
    given = e.Input(writable(house, event), at, origin)
    try:
        if not isinstance(event, e.ProgramBack | e.JournalBack | e.AcceptLoss):
            expire(draft)
        _answer(draft, given)
    except (SheetFailed, Unplayable) as error:
        draft = Draft(house, position, state, draft.at)
        if not draft.running:
            raise
        _stop(draft, given, error.round if isinstance(error, Unplayable) else failed(state.round, error))
    return draft


def _answer(draft: Draft, given: e.Input) -> None:
    heard = given.event
    if isinstance(heard, _THE_SHOES) and any(one.device == "shoe" for one in draft.state.cut_off):
        return  # the device is cut off; what it said before that may still arrive
    draft.given = given
    if isinstance(heard, e.Act):
        draft.actor = getattr(heard, "by", None), heard.person
    _ANSWERS[type(heard)](draft, heard)


def _stop(draft: Draft, given: e.Input, why: Undriven) -> None:
    """The rule sheet fails over what came: the round stands still until it is cancelled, with the card that came."""
    draft.given = given
    draft.fault("replay_failed", why)
    if isinstance(given.event, e.CardOut):
        _ANSWERS[e.CardOut](draft, given.event)


def decide_each(house: House, position: Position, state: State, parts: Iterable[Part], at: Time) -> Iterator[Draft]:
    """The draft of each event, decided on the state after the one before."""
    for part in parts:
        draft = decide(house, position, state, part.event, at, part.origin)
        state = draft.state
        yield draft


def decide_all(house: House, position: Position, state: State, parts: Sequence[Part], at: Time) -> list[Draft]:
    """What they lead to together: each is accepted, or all are refused. One alone is just decided."""
    drafts = list[Draft]()
    for number, draft in enumerate(decide_each(house, position, state, parts, at)):
        why = refusal(draft.records) if len(parts) > 1 else None
        if why is not None:
            return list(decide_each(house, position, state, refused(parts, number, why), at))
        drafts.append(draft)
    return drafts


def next_deadline(house: House, position: Position, state: State) -> Time | None:
    """When the clock will next have something to do, if nothing else happens before."""
    limit = next_limit(Draft(house, position, state, state.at))
    return limit and limit[0]


_THE_SHOES = (e.CardOut, e.CutCardOut, e.ShoeSays, e.ShoeFails, e.TelegramsLost, e.ShoeStandsBy)
_ANSWERS: Mapping[type, Callable[[Draft, Any], None]] = {
    e.CardOut: cards.card_out,
    e.CutCardOut: cards.cut_card,
    e.ShoeSays: cards.shoe_says,
    e.ShoeFails: cards.shoe_fails,
    e.TelegramsLost: cards.telegrams_lost,
    e.ShoeStandsBy: cards.shoe_stands_by,
    e.Pressed: table.pressed,
    e.Open: openings.open_round,
    e.Close: rounds.close_bets,
    e.PlaceBet: bets.place,
    e.WithdrawBet: bets.withdraw,
    e.LineCut: bets.line_cut,
    e.LineBack: bets.line_back,
    e.Choose: decisions.choose,
    e.Tick: lambda _draft, _event: None,
    e.NewDeck: table.shuffled,
    e.ChangeShoe: table.change_shoe,
    e.CutShoe: table.cut_shoe,
    e.LoadShoe: table.shoe_ready,
    e.OpenTable: table.open_table,
    e.CloseTable: table.close_table,
    e.DealerOn: dealers.dealer_on,
    e.Leave: dealers.leave,
    e.LostDevice: devices.lost,
    e.FoundDevice: devices.found,
    e.Babbles: devices.babbles,
    e.SetClock: table.set_clock,
    e.Begin: starts.begin,
    e.NewFile: starts.new_file,
    e.ProgramBack: starts.restarted,
    e.JournalBack: devices.journal_failed,
    e.Checked: record.checked,
    e.AnchorChecked: record.anchor_checked,
    e.BeginAnchor: record.begin_anchor,
    e.AcceptLoss: record.accept_loss,
    e.NoText: lambda draft, event: draft.ignore(event),
    e.Acknowledge: rulings.acknowledge,
    e.Rule: rulings.rule,
    e.NotAll: together.refuse,
    e.SignIn: sign_ins.signed_in,
    e.HandOver: sign_ins.handed_over,
    e.BadSignIns: sign_ins.refused,
}
