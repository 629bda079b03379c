"""Rulings on cards: each changes the draw that it names, then drives the round again (`ruling_effects`)."""

from collections.abc import Callable, Mapping

from ...rules.procedure import Deal
from .. import events as e
from .. import records as r
from ..copies import is_in_deck
from ..draft import Draft
from ..offers import may_name, second_reading, slides
from ..script import Laid
from ..state import Draw
from .affected_decisions import effect_of_change, with_corrected_draw, with_draw_at, without
from .redrive import keep_answers
from .ruling_effects import carry_out_ruling, fault_of, record_fate, record_ruling

Objection = str | None  # reason code against a ruling; None if there is none


def _enter(draft: Draft, event: e.Rule) -> Objection:
    """Ruling `enter`: set the value of the card due by hand, if the reader did not read it or is dead.

    If it was slid more than once, the other slides are no cards.
    """
    number, due = fault_of(draft).draw, draft.due
    slid = [] if number is None else slides(draft.state, number)
    assert isinstance(due, Deal)  # noqa: S101 - `hindrance` has looked
    new, hidden = number or len(draft.state.round.draws) + 1, not due.face_up
    if event.card is None or not is_in_deck(draft.state, draft.deck, Draw(new, event.card, hidden=hidden)):
        return "bad_card"
    if number is None:
        record_ruling(draft, event, hidden=hidden, after={"card": event.card})
        draft.write(r.Drawn(new, event.card, None, hidden, "manual"))
    else:
        after = {"draw": new, "card": event.card, "source": "manual"}
        record_ruling(draft, event, hidden=hidden, before={"draw": new, "card": None}, after=after)
    for draw in slid:
        record_fate(draft, draw.number, "void")
    return carry_out_ruling(draft, event, number=new)


def _rescan(draft: Draft, event: e.Rule) -> Objection:
    """Ruling `rescan`: the card that was slid again takes the place of the unread one."""
    unread = fault_of(draft).draw or 0
    again = second_reading(draft.state, unread)
    assert again is not None  # noqa: S101 - `hindrance` has looked
    # the place that the reader names for the second slide does not count
    after = {"draw": again.number, "place": None}
    record_ruling(draft, event, hidden=again.hidden, before={"unread": unread}, after=after)
    for draw in draft.state.loose_draws:
        if draw.card is None and unread <= draw.number < again.number:  # slid more than once
            record_fate(draft, draw.number, "void")
    return carry_out_ruling(draft, event)


def _correct(draft: Draft, event: e.Rule) -> Objection:
    """Ruling `correct`: change the value of a draw.

    If a later step no longer fits, that becomes a new fault.
    """
    draw = _draw(draft, event, fault_of(draft).draw)
    if draw is None:
        return "bad_draw"
    if event.card is None or event.card not in draft.position.deck(draft.state.round).cards:
        return "bad_card"
    if event.card == draw.card and not draw.hidden:  # for a face-down card this refusal would reveal its value
        return "no_change"
    effect = effect_of_change(draft, with_corrected_draw(draft.began.round, draw, event.card))
    before, after = ({"draw": draw.number, "card": card} for card in (draw.card, event.card))
    record_ruling(draft, event, hidden=draw.hidden, before=before, after=after)
    return carry_out_ruling(draft, event, effect)


def _move(draft: Draft, event: e.Rule) -> Objection:
    """Ruling `move`: put the draw on the named place."""
    draw = _draw(draft, event, fault_of(draft).draw)
    if draw is None:
        return "bad_draw"
    if event.place is None:
        return "does_not_fit"
    effect = effect_of_change(draft, with_draw_at(draft.began.round, draw, event.place))
    before, after = ({"draw": draw.number, "place": place} for place in (draw.place, event.place))
    record_ruling(draft, event, before=before, after=after)
    return carry_out_ruling(draft, event, effect, draw.number)


def _burn(draft: Draft, event: e.Rule) -> Objection:
    draw = _draw(draft, event, _surplus(draft))
    if draw is None:
        return "bad_draw"
    return _put_away(draft, event, draw, "burnt")


def _void(draft: Draft, event: e.Rule) -> Objection:
    """Ruling `void`: no such card existed, it was read twice or by mistake. The next card takes its place.

    Later answers are withdrawn, since the places of the later cards depended on this card.
    """
    draw = _draw(draft, event, _surplus(draft))
    if draw is None:
        return "bad_draw"
    return _put_away(draft, event, draw, "void")


def _carry(draft: Draft, event: e.Rule) -> Objection:
    """Ruling `carry`: open the next round with the surplus card; burn it if anybody has seen it.

    A seen card would give that person an advantage in the next round, at any odds.
    """
    if event.seen is None:
        return "not_allowed"
    draw = _draw(draft, event, _surplus(draft))
    if draw is None:
        return "bad_draw"
    if draft.state.carried or draw.hidden or not is_in_deck(draft.state, draft.deck, draw):
        return "does_not_fit"  # the card would have to lie open in the next round
    return _put_away(draft, event, draw, "burnt" if event.seen else "carried")


def _put_away(draft: Draft, event: e.Rule, draw: Draw, fate: str) -> Objection:
    """Give a draw its final fate and take it off its place."""
    effect = effect_of_change(draft, without(draft.began.round, [draw.number]))
    after = {"draw": draw.number, "fate": fate, **({"seen": event.seen} if event.ruling == "carry" else {})}
    record_ruling(draft, event, hidden=draw.hidden, before={"draw": draw.number, "card": draw.card}, after=after)
    # the places of the later cards depended on this one
    if fate == "void" and draw.fate == "placed" and not _lies_on_void_hand(draft, draw):
        keep_answers(draft, draft.began.round.script.index(Laid(draw.number)), placed=False)
    record_fate(draft, draw.number, fate)
    return carry_out_ruling(draft, event, effect)


def _lies_on_void_hand(draft: Draft, draw: Draw) -> bool:
    """True if the draw lies on a void hand, so that no later card depends on it."""
    return draft.house.spares_void_hands and draw.place is not None and draft.began.round.is_void(draw.place)


def _draw(draft: Draft, event: e.Rule, meant: int | None) -> Draw | None:
    """Draw that a ruling names, by default the one that is meant; None if it cannot apply to it."""
    number = meant if event.draw is None else event.draw
    draws = (draw for draw in draft.state.round.draws if draw.number == number)
    return next((draw for draw in draws if may_name(event.ruling, draw, draft.state)), None)


def _surplus(draft: Draft) -> int | None:
    """Number of the fault's draw; of the first loose draw if the fault is about no draw."""
    return fault_of(draft).draw or next((draw.number for draw in draft.state.loose_draws), None)


CARD_RULINGS: Mapping[str, Callable[[Draft, e.Rule], Objection]] = {
    "enter": _enter,
    "rescan": _rescan,
    "correct": _correct,
    "move": _move,
    "burn": _burn,
    "void": _void,
    "carry": _carry,
}
