"""Decisions on input from the shoe: cards, results, errors and the cut card.

The shoe's reading of a card counts. The place of the card and the result of the round are compared with the
controller's own, and a difference is a fault.
"""

from collections.abc import Mapping
from typing import Any

from ...rules.procedure import Deal
from .. import events as e
from .. import records as r
from ..bounds import MOST_LOOSE, MOST_SHOES_DRAWN
from ..clock import SECOND
from ..draft import Draft
from ..fitting import may_go_face_down, misfit
from ..notation import due_text, result_of
from ..state import Draw
from .cases import open_case
from .devices import cut_off
from .reports import agrees, report
from .rounds import progress, settle


def card_out(draft: Draft, event: e.CardOut) -> None:
    """Handle a card from the shoe: lay it on the place due, or set it aside and raise a fault.

    While the shoe is being changed, the card is recorded as burnt or read out.
    """
    state = draft.state
    if state.shoe.changing:
        draft.write(r.ReadOut(event.card) if state.shoe.reading else r.Burnt(state.shoe.out + 1, event.card))
        drawn = draft.state.shoe.out + sum(draft.state.shoe.read_out.values())
        if drawn >= MOST_SHOES_DRAWN * draft.shoe_deck.size:
            cut_off(draft, e.Babbles("shoe", drawn, 0))
        return
    shoe_place, number = _ignored_place(draft, event), len(state.round.draws) + 1
    place = None if shoe_place else event.place
    if state.life == "paused":
        set_aside(draft, Draw(number, event.card, place=place, hidden=may_go_face_down(draft), said=shoe_place))
        count = sum(draw.told is None for draw in draft.state.loose_draws)  # the others were dealt before a ruling
        if count >= MOST_LOOSE:
            cut_off(draft, e.Babbles("shoe", count, _paused_for(draft)))
        return
    due = draft.due
    draw = Draw(number, event.card, place=place, hidden=isinstance(due, Deal) and not due.face_up, said=shoe_place)
    code = misfit(draft, due, draw) or count_mismatch(draft, event)
    if code is None and isinstance(due, Deal) and event.card:
        draft.write(r.Dealt(draw.number, event.card, due.to, due.face_up))
        compare_place(draft, draw)
        progress(draft)
    else:
        set_aside(draft, draw)
        fault_card(draft, code or "extra_card", draw.number, event.position)


def _ignored_place(draft: Draft, event: e.CardOut) -> str | None:
    """Place and position named by a shoe that is not believed; None if its place counts.

    A shoe that counts the cards itself cannot know of a ruling, so its places are not believed after one. A reader that
    knows the place and does not count is always believed.
    """
    counts = event.place is not None and event.position is not None
    return f"{event.place} {event.position}" if counts and draft.state.shoe.advisory else None


def compare_place(draft: Draft, draw: Draw) -> None:
    """Record a difference between a card's place and the place named by a shoe that is not believed.

    `draw`: the draw as it was before it was laid.
    """
    if draw.said is None:
        return
    place = draft.state.round.draws[draw.number - 1].place
    name = f"{place} {_count_placed(draft, place)}"
    if draw.said != name:
        draft.write(r.Disagreed("place", draw.said, name, draw.number))


def _count_placed(draft: Draft, place: str | None) -> int:
    return sum(draw.fate == "placed" and draw.place == place for draw in draft.state.round.draws)


def _paused_for(draft: Draft) -> int:
    fault = draft.state.fault
    return 0 if fault is None else (draft.at - fault.limits_start) // SECOND


def count_mismatch(draft: Draft, event: e.CardOut) -> str | None:
    """Fault code if the shoe counts another number of cards on the place than the table; else None."""
    if event.position is None or draft.state.shoe.advisory:
        return None
    return "wrong_place" if event.position != _count_placed(draft, event.place) + 1 else None


def set_aside(draft: Draft, draw: Draw) -> None:
    """Record a card without a place; it is loose until a ruling."""
    draft.write(r.Drawn(draw.number, draw.card, draw.place, draw.hidden, draw.source, draw.said))


def fault_card(draft: Draft, code: str, number: int, position: int | None = None) -> None:
    """Raise a fault about one draw. `position`: within the place, as the reader counts."""
    draw = draft.state.round.draws[number - 1]
    cause = e.CardOut(draw.card, draw.place, position if code == "wrong_place" else None)
    draft.fault(code, cause, draw=number, hidden=draw.hidden)


def cut_card(draft: Draft, event: e.CutCardOut) -> None:
    """Record that the cut card came out: the shoe is changed after this round or one more (`cut_card`)."""
    if draft.state.shoe.cut or draft.state.shoe.changing:
        draft.ignore(event)
    else:
        draft.write(r.CutCardDrawn())


def shoe_says(draft: Draft, event: e.ShoeSays) -> None:
    """Compare the shoe's result with the table's; it also confirms the round if the table is set so."""
    state = draft.state
    if not state.round.number:
        draft.ignore(event)
    elif state.shoe.advisory:
        compare_result(draft, event)
    elif state.stage == "settled":
        dispute(draft, event)
    elif not report(draft, event):
        confirm(draft, event)


def compare_result(draft: Draft, event: e.ShoeSays) -> None:
    """Record how the result of a shoe that is not believed differs; nothing else changes."""
    outcome = draft.state.round.outcome or {}
    if isinstance(draft.due, Deal):
        draft.write(r.Disagreed("result", result_of(event.winner, event.pairs), due_text(draft.due)))
    elif "winner" not in outcome or agrees(event, outcome):
        draft.ignore(event)
    else:
        pairs = None if event.pairs is None else outcome.get("pairs")
        draft.write(r.Disagreed("result", result_of(event.winner, event.pairs), result_of(_winner(outcome), pairs)))


def dispute(draft: Draft, event: e.ShoeSays) -> None:
    """Compare a result that the shoe reports after the settlement; a difference opens a case."""
    outcome = draft.state.round.outcome or {}
    if "winner" not in outcome:
        draft.ignore(event)
    elif not agrees(event, outcome):
        draft.write(r.Disputed(event, _winner(outcome)))
        open_case(draft, event)


def _winner(outcome: Mapping[str, Any]) -> str | None:
    """Winner as text; None: nobody won. In a game of one's own it may be a number or a list."""
    winner = outcome["winner"]
    return None if winner is None else str(winner)


def confirm(draft: Draft, event: e.ShoeSays) -> None:
    """Settle a complete round by the shoe's result, if the table is set so; ignore a useless result."""
    state = draft.state
    if state.life != "complete" or "winner" not in (state.round.outcome or {}):
        draft.ignore(event)
    elif state.round.terms.confirm == "shoe":
        settle(draft, "shoe")


def shoe_fails(draft: Draft, event: e.ShoeFails) -> None:
    """Handle an error that the shoe reports; without a live round it is recorded as ignored."""
    if not report(draft, event):
        draft.ignore(event)


def telegrams_lost(draft: Draft, event: e.TelegramsLost) -> None:
    """Record a gap in the shoe's numbering: a warning, or a fault if the table is set so."""
    draft.write(r.TelegramsMissing("shoe", event.expected, event.got))
    report(draft, event)


def shoe_stands_by(draft: Draft, _: e.ShoeStandsBy) -> None:
    """Believe the shoe's places and results again once it stands by and no step is due at the table."""
    if draft.state.shoe.advisory and draft.due is None:
        draft.write(r.ShoeStoodBy())
