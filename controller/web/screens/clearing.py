"""What the dealer must do with the cards on the table before the next step.

The cards of a cancelled round are cleared. After a ruling, burnt cards are taken off, a card that counts at another
place is put there, and a card that opens the next round is kept. None of this is recorded: the instruction disappears
with a touch of the page, or with the next card that is dealt.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...core.hands import is_to_clear
from ...core.state import Draw, Round
from ...text.faults import Words
from ...text.naming import card_sign, face, place_name
from . import texts as t
from .next_step import NextStep, next_step, step_between_rounds
from .table_snapshot import TableSnapshot


class CardsToHandle(NamedTuple):
    """Draws that the dealer has to take off, move or keep after a ruling, in the order of their numbers."""

    off: tuple[Draw, ...] = ()
    put: tuple[Draw, ...] = ()  # cards to put at the places where they count
    kept: tuple[Draw, ...] = ()  # cards to keep for the next round


def steps(snapshot: TableSnapshot, words: Words) -> tuple[NextStep, NextStep | None, str]:
    """Return the next step, the step after it, and a key by which a page recognises what to put right.

    The second is None unless cards are to be cleared, taken off, moved or kept first.
    """
    state = snapshot.state
    work = cards_to_handle(state.round) if state.live and state.fault is None else CardsToHandle()
    if any(work):
        cards = " ".join(f"{draw.number} {draw.place or draw.fate}" for draws in work for draw in draws)
        return _put_right(work, words), next_step(snapshot, words), f"{state.round.number}: {cards}"
    after = step_between_rounds(snapshot, words) if is_to_clear(state) else None
    return next_step(snapshot, words), after, str(state.round.number)


def cards_to_handle(round_: Round) -> CardsToHandle:
    """Find the cards that the dealer has to take off, move or keep after the rulings since the last dealt card.

    Cards without a place, kept cards and cards entered by a ruling lie apart from all hands.
    """
    lay = _draws_at_pauses(round_)
    changed = [draw for draw in round_.draws if any(_differs(draw, draws) for draws in lay)]
    return CardsToHandle(
        tuple(draw for draw in changed if draw.fate == "burnt" and draw.out),
        tuple(draw for draw in changed if draw.fate == "placed"),
        tuple(draw for draw in changed if draw.fate == "carried" and not has_come_back(draw, round_)),
    )


def has_come_back(card: Draw, round_: Round) -> bool:
    """True if a card kept for the next round belongs to this round again, because a card before it was struck."""
    return any(draw.source == "carried" and draw.number > card.number for draw in round_.draws)


def _draws_at_pauses(round_: Round) -> Sequence[Sequence[Draw]]:
    """Draws as they lay when the round was paused last, and in earlier pauses if no card has come since."""
    now, rulings = round_.draws, round_.judged[round_.stopped :]
    if now and now[-1].source == "carried" and not any(draw.fate == "carried" for draw in now):
        return [now[:-1]]  # the last card was kept in the round before; the others lie as the rulings left them
    if not rulings or any(draw.source == "reader" for draw in now[len(rulings[-1].draws) :]):
        return []
    count = len(rulings[0].draws)
    return [one.draws for one in round_.judged[: round_.stopped + 1] if len(one.draws) == count]


def _differs(draw: Draw, before: Sequence[Draw]) -> bool:
    """True if the draw lay at another place or apart before, or has been burnt or kept since."""
    was = before[draw.number - 1] if draw.number <= len(before) else None
    return was is None or _waits(was, before) or was.place != draw.place or was.fate != draw.fate != "placed"


def _waits(card: Draw, draws: Sequence[Draw]) -> bool:
    """True for a card of the round before that still lies apart: no card has been placed since it came in."""
    return card.source == "carried" and all(later.fate != "placed" for later in draws[card.number :])


def _put_right(work: CardsToHandle, words: Words) -> NextStep:
    """Instruction to the dealer: the headline says what to do, the line below it with which cards."""
    if not (work.put or work.kept):
        return NextStep(words.say(t.TAKE_OFF), ", ".join(face(draw, words).name for draw in work.off), "deal")
    heads = (t.TAKE_OFF, t.PLACE_CARD if len(work.put) == 1 else t.PLACE_CARDS, t.KEEP)
    tasks = [head for head, draws in zip(heads, work, strict=True) if draws]
    off = [words.say(t.OFF_THE_TABLE).format(cards=_signs(work.off, words))] if work.off else []
    notes = [words.say(t.OPENS_NEXT).format(card=_signs(work.kept, words))] if work.kept else []
    head = tasks[0] if len(tasks) == 1 else t.PUT_RIGHT
    return NextStep(words.say(head), "; ".join([*off, *_places(work, words), *notes]), "deal")


def _places(work: CardsToHandle, words: Words) -> list[str]:
    to = words.say(t.PUT_AT)
    return [to.format(card=_signs([draw], words), place=place_name(draw.place or "", words)) for draw in work.put]


def _signs(draws: Iterable[Draw], words: Words) -> str:
    return ", ".join(
        face(draw, words).name if (card := draw.visible_card) is None else card_sign(card) for draw in draws
    )
