"""What the shoe says: cards, results, errors, the cut card.

The one rule: the shoe is right about the card; where it lies and how the round ended is compared with our own reading,
and a difference is a fault.
"""

from ...rules.procedure import Deal
from .. import events as e
from .. import records as r
from ..draft import Draft
from ..fitting import goes_face_down, misfit
from ..state import Draw
from .rounds import progress, settle


def card_out(draft: Draft, event: e.CardOut) -> None:
    """A card left the shoe: it takes the place due, or the round stops."""
    state = draft.state
    if state.shoe.changing:
        draft.write(r.Burnt(state.shoe.out + 1, event.card))
        return
    place = None if state.shoe.advisory else event.place
    number = len(state.round.draws) + 1
    if state.life == "paused":
        set_aside(draft, Draw(number, event.card, place=place, hidden=goes_face_down(draft)))
        return
    due = draft.due
    draw = Draw(number, event.card, place=place, hidden=isinstance(due, Deal) and not due.face_up)
    code = misfit(draft, due, draw) or miscounted(draft, event)
    if code is None and isinstance(due, Deal) and event.card:
        draft.write(r.Dealt(draw.number, event.card, due.to, due.face_up))
        progress(draft)
    else:
        set_aside(draft, draw)
        fault_card(draft, code or "extra_card", draw.number, event.position)


def miscounted(draft: Draft, event: e.CardOut) -> str | None:
    """A shoe that counts the cards of a place must count as we do."""
    if event.position is None or draft.state.shoe.advisory:
        return None
    lying = sum(draw.fate == "placed" and draw.place == event.place for draw in draft.state.round.draws)
    return "wrong_place" if event.position != lying + 1 else None


def set_aside(draft: Draft, draw: Draw) -> None:
    """The card has no place: it is loose until a ruling."""
    draft.write(r.Drawn(draw.number, draw.card, draw.place, draw.hidden, draw.source))


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
        draft.write(r.CutCard())


def shoe_says(draft: Draft, event: e.ShoeSays) -> None:
    """The shoe's own result: one more check on ours, and where the table is set so its confirmation."""
    state = draft.state
    outcome = state.round.outcome
    if state.shoe.advisory or state.life == "paused" or not state.round.number:
        draft.ignore(event)
    elif draft.running and isinstance(draft.due, Deal):
        draft.fault("missing_card", event)
    elif outcome is None or "winner" not in outcome or state.life not in ("complete", "settled"):
        draft.ignore(event)  # or a game without one winner: nothing to compare
    elif _agrees(event, outcome):
        if state.life == "complete" and state.round.terms.confirm == "shoe":
            settle(draft, "shoe")
    elif state.life == "complete":
        draft.fault("result_mismatch", event)
    else:
        draft.write(r.Disputed(event, outcome["winner"]))


def _agrees(event: e.ShoeSays, outcome: dict[str, object]) -> bool:
    pairs = outcome.get("pairs")
    same_pairs = event.pairs is None or not isinstance(pairs, list | tuple) or set(event.pairs) == set(pairs)
    return event.winner == outcome.get("winner") and same_pairs


def shoe_fails(draft: Draft, event: e.ShoeFails) -> None:
    """An error of the shoe's own. With no round on it concerns nobody but the engineer."""
    if draft.running:
        draft.fault("shoe_error", event)
    else:
        draft.ignore(event)


def telegrams_lost(draft: Draft, event: e.TelegramsLost) -> None:
    """The shoe's numbering has a gap: a warning, unless the table is set so."""
    draft.write(r.TelegramsMissing("shoe", event.expected, event.got))
    if draft.running and draft.state.round.terms.telegram_loss == "fault":
        draft.fault("telegram_lost", event)


def shoe_stands_by(draft: Draft, _: e.ShoeStandsBy) -> None:
    """The shoe is between rounds, and so are our cards: from here on its places and results count again."""
    if draft.state.shoe.advisory and draft.due is None:
        draft.write(r.ShoeStoodBy())
