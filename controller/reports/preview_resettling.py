"""Preview of a resettlement: the amount of each bet before and after. Nothing is recorded.

Invariant: as for the preview of a ruling, nothing depends on a card that stayed face down; it is computed without it.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..core import events as e
from ..core import records as r
from ..core.blind import possible_states
from ..core.causes import Due
from ..core.clock import Time
from ..core.decide.resettlements import compute_result, differences, is_too_late, objection
from ..core.draft import Draft
from ..core.house import House
from ..core.notation import due_text
from ..core.past_round import PastRound, decode_past
from ..core.position import Position
from ..core.state import State
from ..games import GAMES

NOT_YET = frozenset({"needs_second"})  # refusals that end once the second person has confirmed
OF_THE_CARD = frozenset({"no_change", "bad_card"})  # refusals because of a card's value itself


class ResettlePreview(Struct, frozen=True):
    """Effect of settling a round anew.

    `reason`: code of the refusal, None if it would be accepted; other fields are filled as far as they are known.
    """

    round: int
    revision: int  # number of the revision that this resettlement would be
    reason: str | None = None
    was: dict[str, Any] | None = None  # outcome; null: void
    now: dict[str, Any] | None = None
    movements: tuple[r.BetDifference, ...] = ()
    more: int = 0  # bets of the round that are not among the movements
    total: int = 0  # sum of all differences, in minor units
    currency: str = ""
    due: str | None = None  # missing card or decision, in words
    step: Due = None  # missing card or decision, as data
    loose: tuple[int, ...] = ()  # draws that the corrected round leaves without a place
    open: bool = False  # a card that stayed face down decides on the refusal or the outcome
    unknown: bool = False  # it decides on the outcome: `now` and the amounts are empty; a void round needs no card


def foresee_resettlement(house: House, state: State, event: e.Resettle, at: Time) -> ResettlePreview:
    """Effect of a resettlement if two people did it now. `event` must contain its round."""
    past, draft = decode_past(event.past), Draft(house, Position(GAMES), state, at)
    if past is None:
        return ResettlePreview(event.round, 0, "no_round")
    guesses = possible_states(draft.position, past.state)
    ends = [_preview(draft, event, replace(past, state=guess)) for guess in guesses]
    if all(end == ends[0] for end in ends):
        return ends[0]
    others = [end for end in ends if end.reason not in OF_THE_CARD] or ends[:1]
    if all(end == others[0] for end in others):
        return replace(others[0], open=True)
    return ResettlePreview(event.round, past.revision + 1, was=past.outcome, open=True, unknown=True)


def _preview(draft: Draft, event: e.Resettle, past: PastRound) -> ResettlePreview:
    """Effect on this round; its face-down cards may have other values than in the record."""
    result = compute_result(draft, event, past)
    values = (past.revision + 1, bar(draft, event, past), past.outcome)
    if result.reason is not None:
        step = None if result.side is None else result.side.due
        due = None if result.side is None else due_text(step)
        return ResettlePreview(event.round, values[0], values[1] or result.reason, past.outcome, due=due, step=step)
    moved, currency = tuple(differences(past, result.past)), draft.state.identity.currency
    return ResettlePreview(
        event.round, *values, result.past.outcome, moved,
        total=sum(one.difference for one in moved), currency=currency,
        loose=tuple(draw.number for draw in result.past.state.loose_draws if draw not in past.state.loose_draws),
    )  # fmt: skip


def bar(draft: Draft, event: e.Resettle, past: PastRound) -> str | None:
    """Reason code why these people cannot settle the round anew, whatever they correct; None if they can."""
    why = objection(draft, event, past)
    if why not in NOT_YET:
        return why
    return "too_late" if is_too_late(draft, past) else None  # no second person can change that
