"""Decisions that a ruling affects.

A decision is affected if it no longer fits the round, if it was based on a card that is another card now, or if it
came after an affected one.
"""

from collections.abc import Collection

from msgspec.structs import replace

from ...rules.cards import Card
from ...rules.dealing import Dealing
from ...rules.procedure import Ask, Step
from .. import records as r
from ..difference import decisions_from
from ..draft import Draft
from ..fitting import first_flaw, misfit
from ..knowledge import hands_in_play, sights
from ..position import pass_over_void, without_void
from ..script import Entry, Laid, PlaceShown, WindowAnswers
from ..state import DecisionWindow, Draw, Round, draws_on, script_without


def is_answered_by(draft: Draft, dealing: Dealing, entry: Entry) -> bool:
    """True if an entry of the script answers the step that is due."""
    round_ = draft.state.round
    if isinstance(entry, Laid):
        return misfit(draft, dealing.due, round_.draws[entry.draw - 1]) is None
    if isinstance(entry, PlaceShown) and first_flaw(draft, draws_on(round_, entry.place)):
        return False
    return draft.position.answer(round_, entry).fits(dealing.due)


def is_question_still_due(draft: Draft, due: Step | None, asking: DecisionWindow) -> bool:
    """True if the open question is the same as the step that is due."""
    step = without_void(draft.state.round, due)
    return isinstance(step, Ask) and (step.who, step.options) == (asking.who, asking.options)


def drive_while_fitting(draft: Draft, dealing: Dealing, most: int | None = None) -> int:
    """Drive the dealing through the answers of the script as long as they fit; return the number that fit.

    `most`: try at most this many; None: all.
    """
    round_ = draft.state.round
    for count, entry in enumerate(round_.script[:most]):
        pass_over_void(round_, dealing, draft.position.answer(round_, entry))
        if not is_answered_by(draft, dealing, entry):
            return count
        draft.position.take(dealing, round_, entry)
    pass_over_void(round_, dealing)
    return len(round_.script[:most])


def effect_of_change(draft: Draft, changed: Round) -> r.RoundDifference:
    """Decisions affected by a change of the round, with their stakes and the draws that followed."""
    round_ = draft.state.round
    if not draft.state.live or round_.joined is None:
        return r.RoundDifference()
    trial = draft.fork()
    trial.state = replace(trial.state, round=changed)
    return decisions_from(draft.position.game(round_), round_, _first_affected(trial, round_))


def _first_affected(trial: Draft, was: Round) -> int | None:
    """Index in the script of the first affected decision; None if no decision is affected."""
    now, dealing = trial.state.round, trial.position.start(trial.state.round)
    fits = drive_while_fitting(trial, dealing)
    seen_then, seen_now = list(sights(trial.position, was)), list(sights(trial.position, now))
    for number, (place, moved) in enumerate(zip(_windows(was), _windows(now), strict=True)):
        if moved >= fits or seen_now[number : number + 1] != seen_then[number : number + 1]:
            return place
    if was.asking is None or not was.asking.decided:
        return None
    stays = fits == len(now.script) and is_question_still_due(trial, dealing.due, was.asking)
    return None if stays and seen_now[-1:] == seen_then[-1:] else len(was.script)


def _windows(round_: Round) -> list[int]:
    """Indexes in the script of the decisions by hands that are not void."""
    return [
        place
        for place, entry in enumerate(round_.script)
        if isinstance(entry, WindowAnswers) and hands_in_play(round_, entry.decisions)
    ]


# ── rounds as a ruling would have them ───────────────────────────────────────────────────────────────────────────


def with_corrected_draw(round_: Round, draw: Draw, card: Card) -> Round:
    """Copy of the round in which the draw is this card."""
    return replace(round_, draws=round_.draws_with(replace(draw, ruled=card)))


def with_draw_at(round_: Round, draw: Draw, place: str) -> Round:
    """Copy of the round in which the draw lies on this place."""
    return replace(round_, draws=round_.draws_with(replace(draw, place=place)))


def without(round_: Round, numbers: Collection[int]) -> Round:
    """Copy of the round without these draws in its script."""
    return replace(round_, script=script_without(round_, numbers))
