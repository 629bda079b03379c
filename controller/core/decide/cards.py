"""Decisions on input from the shoe: cards, results, errors and the cut card.

The shoe's reading of a card counts. The place of the card and the result of the round are compared with the
controller's own, and a difference is a fault.
"""

from ...rules.procedure import Deal
from .. import events as e
from .. import records as r
from ..bounds import MOST_LOOSE, MOST_SHOES_DRAWN
from ..clock import SECOND
from ..draft import Draft
from ..fitting import goes_face_down, misfit
from ..notation import expected, result_of
from ..state import Draw
from .cases import open_case
from .devices import babbles
from .reports import agrees, report
from .rounds import progress, settle


def card_out(draft: Draft, event: e.CardOut) -> None:
    """A card left the shoe: it takes the place due, or the round stops."""
    state = draft.state
    if state.shoe.changing:
        draft.write(r.ReadOut(event.card) if state.shoe.reading else r.Burnt(state.shoe.out + 1, event.card))
        drawn = draft.state.shoe.out + sum(draft.state.shoe.read_out.values())
        if drawn >= MOST_SHOES_DRAWN * draft.shoe_deck.size:
            babbles(draft, e.Babbles("shoe", drawn, 0))
        return
    said, number = _disregarded(draft, event), len(state.round.draws) + 1
    place = None if said else event.place
    if state.life == "paused":
        set_aside(draft, Draw(number, event.card, place=place, hidden=goes_face_down(draft), said=said))
        came = sum(draw.told is None for draw in draft.state.loose)  # a ruling may have taken up others, that lay
        if came >= MOST_LOOSE:
            babbles(draft, e.Babbles("shoe", came, _paused_for(draft)))
        return
    due = draft.due
    draw = Draw(number, event.card, place=place, hidden=isinstance(due, Deal) and not due.face_up, said=said)
    code = misfit(draft, due, draw) or miscounted(draft, event)
    if code is None and isinstance(due, Deal) and event.card:
        draft.write(r.Dealt(draw.number, event.card, due.to, due.face_up))
        compare_place(draft, draw)
        progress(draft)
    else:
        set_aside(draft, draw)
        fault_card(draft, code or "extra_card", draw.number, event.position)


def _disregarded(draft: Draft, event: e.CardOut) -> str | None:
    """The place that a shoe names by its own count although it cannot know of a ruling.

    A reader that knows the place and does not count is believed at all times.
    """
    counts = event.place is not None and event.position is not None
    return f"{event.place} {event.position}" if counts and draft.state.shoe.advisory else None


def compare_place(draft: Draft, came: Draw) -> None:
    """Record a difference between a card's place and the place named by a shoe that is not believed.

    `came`: the draw before it was laid.
    """
    if came.said is None:
        return
    place = draft.state.round.draws[came.number - 1].place
    ours = f"{place} {_lying(draft, place)}"
    if came.said != ours:
        draft.write(r.Disagreed("place", came.said, ours, came.number))


def _lying(draft: Draft, place: str | None) -> int:
    return sum(draw.fate == "placed" and draw.place == place for draw in draft.state.round.draws)


def _paused_for(draft: Draft) -> int:
    fault = draft.state.fault
    return 0 if fault is None else (draft.at - fault.since) // SECOND


def miscounted(draft: Draft, event: e.CardOut) -> str | None:
    """A shoe that counts the cards of a place must count as we do."""
    if event.position is None or draft.state.shoe.advisory:
        return None
    return "wrong_place" if event.position != _lying(draft, event.place) + 1 else None


def set_aside(draft: Draft, draw: Draw) -> None:
    """The card has no place: it is loose until a ruling."""
    draft.write(r.Drawn(draw.number, draw.card, draw.place, draw.hidden, draw.source, draw.said))


def fault_card(draft: Draft, code: str, number: int, position: int | None = None) -> None:
    """A fault about one draw. `position`: within the place, as the reader counts."""
    draw = draft.state.round.draws[number - 1]
    came = e.CardOut(draw.card, draw.place, position if code == "wrong_place" else None)
    draft.fault(code, came, draw=number, hidden=draw.hidden)


def cut_card(draft: Draft, event: e.CutCardOut) -> None:
    """The cut card came out: this round is played to its end, the next one waits for a new shoe."""
    if draft.state.shoe.cut or draft.state.shoe.changing:
        draft.ignore(event)
    else:
        draft.write(r.CutCardDrawn())


def shoe_says(draft: Draft, event: e.ShoeSays) -> None:
    """Compare the shoe's result with the table's; it also confirms the round if the table is set so."""
    state = draft.state
    life = state.paused_from if state.life == "paused" else state.life
    if not state.round.number:
        draft.ignore(event)
    elif state.shoe.advisory:
        compare_result(draft, event)
    elif life == "settled":
        dispute(draft, event)
    elif not report(draft, event):
        confirm(draft, event)


def compare_result(draft: Draft, event: e.ShoeSays) -> None:
    """Record how the result of a shoe that is not trusted differs; it changes nothing else."""
    outcome = draft.state.round.outcome or {}
    if isinstance(draft.due, Deal):
        draft.write(r.Disagreed("result", result_of(event.winner, event.pairs), expected(draft.due)))
    elif "winner" not in outcome or agrees(event, outcome):
        draft.ignore(event)
    else:
        pairs = None if event.pairs is None else outcome.get("pairs")
        draft.write(r.Disagreed("result", result_of(event.winner, event.pairs), result_of(outcome["winner"], pairs)))


def dispute(draft: Draft, event: e.ShoeSays) -> None:
    """The shoe's result comes after the settlement: it is compared all the same."""
    outcome = draft.state.round.outcome or {}
    if "winner" not in outcome:
        draft.ignore(event)
    elif not agrees(event, outcome):
        draft.write(r.Disputed(event, outcome["winner"]))
        open_case(draft, event)


def confirm(draft: Draft, event: e.ShoeSays) -> None:
    """The shoe's result is no fault: it confirms ours, or there is nothing to compare."""
    state = draft.state
    if state.life != "complete" or "winner" not in (state.round.outcome or {}):
        draft.ignore(event)
    elif state.round.terms.confirm == "shoe":
        settle(draft, "shoe")


def shoe_fails(draft: Draft, event: e.ShoeFails) -> None:
    """An error of the shoe's own. With no round on it concerns nobody but the engineer."""
    if not report(draft, event):
        draft.ignore(event)


def telegrams_lost(draft: Draft, event: e.TelegramsLost) -> None:
    """The shoe's numbering has a gap: a warning, unless the table is set so."""
    draft.write(r.TelegramsMissing("shoe", event.expected, event.got))
    report(draft, event)


def shoe_stands_by(draft: Draft, _: e.ShoeStandsBy) -> None:
    """The shoe is between rounds, and so are our cards: from here on its places and results count again."""
    if draft.state.shoe.advisory and draft.due is None:
        draft.write(r.ShoeStoodBy())
