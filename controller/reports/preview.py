"""Preview of a ruling, computed on a copy of the state and discarded.

Invariant: a preview reveals no more than the record would, and nothing that depends on a face-down card. Previews are
not recorded, so somebody could otherwise use them to find out such a card. They are computed without it (`blind`).
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ..core import events as e
from ..core import records as r
from ..core.blind import possible_states
from ..core.causes import Cause, Due
from ..core.clock import Time
from ..core.decide import decide
from ..core.decide.redrive import state_without_ruling
from ..core.decide.ruling_effects import choices
from ..core.difference import difference
from ..core.draft import Draft
from ..core.faults import due_of
from ..core.house import House
from ..core.position import Position
from ..core.records import RoundDifference
from ..core.state import Draw, State
from ..games import GAMES
from ..rules.cards import Card

Shown = TypeVar("Shown", bound=Struct)


class CardFate(Struct, frozen=True):
    """Card and its fate. `card` is None if it is face down or unread."""

    card: Card | None
    fate: str
    place: str | None


class DrawChange(Struct, frozen=True):
    """Draw that the ruling changes; `before` is None for a new one."""

    draw: int
    before: CardFate | None
    after: CardFate


class FollowingFault(Struct, frozen=True):
    """Fault that would follow the ruling."""

    code: str
    due: Due
    came: Cause
    rulings: tuple[str, ...]


class Refunds(Struct, frozen=True):
    """Stakes returned by a cancelled round; the total is in minor units."""

    count: int
    total: int
    currency: str


class RulingEffect(Struct, frozen=True):
    """Effect of a ruling. A None field does not apply, or depends on a face-down card (`open`)."""

    draw: int | None = None  # draw that the ruling is about
    life: str | None = None  # life of the round after the ruling
    due: Due = None  # expected step after the ruling
    outcome: dict[str, Any] | None = None  # outcome of the round after the ruling
    next: FollowingFault | None = None
    cards: tuple[DrawChange, ...] = ()
    refunds: Refunds | None = None
    manual: bool = False  # the round is marked: a card was entered or corrected by hand
    touched: RoundDifference = RoundDifference()  # differences of the round before and after the ruling
    choice: e.Choice | None = None  # what happens to the affected decisions and bets
    choices: tuple[e.Choice, ...] = ()  # possible choices; the first is the default
    open: bool = False
    second: bool = False  # True: the ruling needs a second person
    refused: str | None = None  # reason of a refusal that depends on a face-down card (`open`)


class PreviewRefused(Struct, frozen=True):
    """Refusal that the ruling would get. `choices`: choices with which it would be accepted."""

    reason: str
    choices: tuple[e.Choice, ...] = ()


def foresee(house: House, state: State, ruling: e.Rule, at: Time) -> RulingEffect | PreviewRefused:
    """Effect of the ruling if it were made now. Nothing is recorded, and `state` is not changed."""
    position = Position(GAMES)
    guesses = possible_states(position, state)
    effects = [_try_ruling(house, position, guess, state, ruling, at) for guess in guesses]
    accepted = [effect for effect in effects if isinstance(effect, RulingEffect)]
    if effects and isinstance(effects[0], PreviewRefused):
        if all(effect == effects[0] for effect in effects):
            return replace(effects[0], choices=_accepted_choices(house, position, guesses[0], ruling, at, CHOICES))
        return RulingEffect(open=True, refused=effects[0].reason)
    whole = _common_effect(accepted)
    if len(accepted) < len(effects):
        whole = replace(whole, open=True)
    return (
        replace(whole, choices=_accepted_choices(house, position, guesses[0], ruling, at, whole.choices))
        if guesses
        else whole
    )


CHOICES: tuple[e.Choice, ...] = ("stand", "cancel")  # choices to try if the default choice is refused


def _accepted_choices(
    house: House, position: Position, state: State, ruling: e.Rule, at: Time, candidates: Sequence[e.Choice]
) -> tuple[e.Choice, ...]:
    """Return those of the `candidates` choices (stand, anew, withdraw ...) with which the ruling would be accepted."""
    alone = _without_limit(state)
    tried = {choice: decide(house, position, alone, replace(ruling, touched=choice), at) for choice in candidates}
    refused = (r.RulingRefused, r.Ignored)
    return tuple(
        choice for choice, draft in tried.items() if not any(isinstance(one.what, refused) for one in draft.records)
    )


def _try_ruling(
    house: House, position: Position, guess: State, before: State, ruling: e.Rule, at: Time
) -> RulingEffect | PreviewRefused:
    """Effect of the ruling if the hidden cards are those of `guess`; with a second person if one is needed."""
    effect = _effect_of(decide(house, position, guess, ruling, at), guess, before)
    if effect != PreviewRefused("needs_second"):
        return effect
    effect = _effect_of(decide(house, position, _without_limit(guess), ruling, at), guess, before)
    return replace(effect, second=True) if isinstance(effect, RulingEffect) else effect


def _without_limit(state: State) -> State:
    return replace(state, round=replace(state.round, terms=replace(state.round.terms, second_above=None)))


def _effect_of(draft: Draft, guess: State, before: State) -> RulingEffect | PreviewRefused:
    """Effect of a draft, compared with the state `before`."""
    whats = [record.what for record in draft.records]
    refused = next((what for what in whats if isinstance(what, r.RulingRefused)), None)
    if refused is not None:
        return PreviewRefused(refused.reason)
    ruled = next((what for what in whats if isinstance(what, r.Ruled)), None)
    if ruled is None:  # the ruling `extend` only gives more time
        return RulingEffect(life=draft.state.life)
    state = draft.state
    refunds = [what.stake for what in whats if isinstance(what, r.Refunded)]
    return RulingEffect(
        draw=ruled.after.get("draw"),
        life=state.life,
        due=due_of(state, draft.due) if state.live and state.fault is None else None,
        outcome=state.round.outcome,
        next=_next(draft),
        cards=tuple(_changes(before.round.draws, state.round.draws)),
        refunds=Refunds(len(refunds), sum(refunds), state.identity.currency) if state.life == "cancelled" else None,
        manual=state.round.manual,
        touched=difference(draft.position, guess, state_without_ruling(draft), state, draft.records),
        choice=ruled.choice,
        choices=choices(ruled.touched, before.round.terms.wrong_odds),
    )


def _next(draft: Draft) -> FollowingFault | None:
    fault = draft.state.fault
    if fault is None or not any(isinstance(record.what, r.Faulted) for record in draft.records):
        return None
    return FollowingFault(fault.code, fault.due, fault.visible_cause, fault.rulings)


def _changes(before: Sequence[Draw], after: Sequence[Draw]) -> Iterator[DrawChange]:
    for draw in after:
        old = before[draw.number - 1] if draw.number <= len(before) else None
        before_ruling = None if old is None else _fate_of(old, old.visible_card)
        after_ruling = _fate_of(draw, None if old is not None and old.hidden else draw.visible_card)
        if before_ruling != after_ruling:
            yield DrawChange(draw.number, before_ruling, after_ruling)


def _fate_of(draw: Draw, card: Card | None) -> CardFate:
    return CardFate(card, draw.fate, draw.place)


def _common_effect(effects: Sequence[RulingEffect]) -> RulingEffect:
    """Effect with the fields that are equal in all possible effects."""
    if not effects:
        return RulingEffect(open=True)
    first, nothing = effects[0], RulingEffect()
    if all(effect == first for effect in effects):
        return first
    cards = tuple(change for change in first.cards if all(change in effect.cards for effect in effects))
    touched = _common(first.touched, RoundDifference(), [effect.touched for effect in effects])
    return replace(_common(first, nothing, effects), cards=cards, touched=touched, open=True)


def _common(first: Shown, nothing: Shown, effects: Sequence[Shown]) -> Shown:
    """Fields with equal values in all effects; other fields as in `nothing`."""
    differ = {
        name for name in first.__struct_fields__ for effect in effects if getattr(effect, name) != getattr(first, name)
    }
    return replace(first, **{name: getattr(nothing, name) for name in differ})
