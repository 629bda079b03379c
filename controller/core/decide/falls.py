"""Which decisions a ruling affects: those that do not fit the round any more, or were made on other cards than those
that lie there now, and all that came after the first of them.
"""

from collections.abc import Collection

from msgspec.structs import replace

from ...rules.cards import Card
from ...rules.dealing import Dealing
from ...rules.procedure import Ask, Step
from .. import records as r
from ..difference import falling
from ..draft import Draft
from ..fitting import first_flaw, misfit
from ..knowledge import in_play, sights
from ..position import pass_over_void, without_void
from ..state import Answered, Asking, Draw, Entry, Laid, Round, Shown, lying_on


def goes_in(draft: Draft, dealing: Dealing, entry: Entry) -> bool:
    """Whether an entry of the script answers the step that is due."""
    round_ = draft.state.round
    if isinstance(entry, Laid):
        return misfit(draft, dealing.due, round_.draws[entry.draw - 1]) is None
    if isinstance(entry, Shown) and first_flaw(draft, lying_on(round_, entry.place)):
        return False
    return draft.position.answer(round_, entry).fits(dealing.due)


def still_asks(draft: Draft, due: Step | None, asking: Asking) -> bool:
    """Whether the question that is open is the one due."""
    asked = without_void(draft.state.round, due)
    return isinstance(asked, Ask) and (asked.who, asked.options) == (asking.who, asking.options)


def fitting(draft: Draft, dealing: Dealing, most: int | None = None) -> int:
    """How many answers of the script fit, the first `most` of them; the dealing is driven through these."""
    round_ = draft.state.round
    for kept, entry in enumerate(round_.script[:most]):
        pass_over_void(round_, dealing, draft.position.answer(round_, entry))
        if not goes_in(draft, dealing, entry):
            return kept
        draft.position.take(dealing, round_, entry)
    pass_over_void(round_, dealing)
    return len(round_.script[:most])


def affected(draft: Draft, changed: Round) -> r.Difference:
    """The decisions that would not stand by themselves in the changed round: with their stakes and what followed."""
    round_ = draft.state.round
    if not draft.state.live or round_.joined is None:
        return r.Difference()
    trial = draft.aside()
    trial.state = replace(trial.state, round=changed)
    return falling(draft.position.game(round_), round_, _first(trial, round_))


def _first(trial: Draft, was: Round) -> int | None:
    """The answer of the script before the first decision that is affected; null: none is."""
    now, dealing = trial.state.round, trial.position.start(trial.state.round)
    fits = fitting(trial, dealing)
    seen_then, seen_now = list(sights(trial.position, was)), list(sights(trial.position, now))
    for number, (place, moved) in enumerate(zip(_windows(was), _windows(now), strict=True)):
        if moved >= fits or seen_now[number : number + 1] != seen_then[number : number + 1]:
            return place
    if was.asking is None or not was.asking.decided:
        return None
    stays = fits == len(now.script) and still_asks(trial, dealing.due, was.asking)
    return None if stays and seen_now[-1] == seen_then[-1] else len(was.script)


def _windows(round_: Round) -> list[int]:
    """The answers of the script in which a hand decided that is not void."""
    return [
        place
        for place, entry in enumerate(round_.script)
        if isinstance(entry, Answered) and in_play(round_, entry.decisions)
    ]


# ── rounds as a ruling would have them ───────────────────────────────────────────────────────────────────────────


def corrected(round_: Round, draw: Draw, card: Card) -> Round:
    """The round with the draw as this card."""
    return replace(round_, draws=round_.draws_with(replace(draw, ruled=card)))


def moved(round_: Round, draw: Draw, place: str) -> Round:
    """The round with the draw on this place."""
    return replace(round_, draws=round_.draws_with(replace(draw, place=place)))


def without(round_: Round, numbers: Collection[int]) -> Round:
    """The round without these draws."""
    return replace(round_, script=tuple(entry for entry in round_.script if not _lays(entry, numbers)))


def _lays(entry: Entry, numbers: Collection[int]) -> bool:
    return isinstance(entry, Laid) and entry.draw in numbers
