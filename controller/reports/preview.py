"""What a ruling would lead to, before it is made: the ruling is decided on the side, as it would be, and thrown away.

The one rule: it tells no more than the record would, and nothing that depends on a card lying face down. A preview
leaves no trace, so it must not be a way to ask for such a card: it is made without looking at them (`blind`).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..core import events as e
from ..core import records as r
from ..core.blind import possible
from ..core.came import Came, Due
from ..core.clock import Time
from ..core.decide import decide
from ..core.draft import Draft
from ..core.faults import due_of
from ..core.house import House
from ..core.position import Position
from ..core.state import Draw, State
from ..core.touched import Choice, Touched, choices
from ..core.withheld import seen, told
from ..games import GAMES
from ..rules.cards import Card


class Lies(Struct, frozen=True):
    """A card, and what has become of it. `card` is null where it is face down or was not read."""

    card: Card | None
    fate: str
    place: str | None


class Change(Struct, frozen=True):
    """A draw that the ruling changes; `before` is null for one that it makes."""

    draw: int
    before: Lies | None
    after: Lies


class Next(Struct, frozen=True):
    """The fault that the ruling would bring to light."""

    code: str
    due: Due
    came: Came
    rulings: tuple[str, ...]


class Refunds(Struct, frozen=True):
    """What a cancelled round returns, in minor units."""

    count: int
    total: int
    currency: str


class Foreseen(Struct, frozen=True):
    """What a ruling leads to. What is null is not so, or depends on a card that lies face down (`open`)."""

    draw: int | None = None  # that is ruled on
    life: str | None = None  # of the round, afterwards
    due: Due = None  # what must come next
    outcome: dict[str, Any] | None = None  # what the round has come to
    next: Next | None = None
    cards: tuple[Change, ...] = ()
    refunds: Refunds | None = None
    manual: bool = False  # the round is marked: a card was entered or corrected by hand
    touched: Touched = Touched()  # what was made on the card
    choice: Choice | None = None  # what becomes of it
    choices: tuple[Choice, ...] = ()  # and what else could; the first is taken where nothing is said
    open: bool = False
    second: bool = False  # it needs a second person


class Refused(Struct, frozen=True):
    """It would be refused, for this reason."""

    reason: str


def foresee(house: House, state: State, ruling: e.Rule, at: Time) -> Foreseen | Refused:
    """What the ruling would lead to now. Nothing is recorded, and `state` is what it was."""
    guesses = possible(Position(GAMES), state)
    ends = [_seen(house, guess, state, ruling, at) for guess in guesses]
    leads = [end for end in ends if isinstance(end, Foreseen)]
    return _agreed(leads) if leads or not ends else ends[0]


def _seen(house: House, guess: State, before: State, ruling: e.Rule, at: Time) -> Foreseen | Refused:
    """What it comes to if the hidden cards are these; with the second person, where one is needed."""
    end = _end(decide(house, Position(GAMES), guess, ruling, at), before, ruling)
    if end != Refused("needs_second"):
        return end
    alone = replace(guess, round=replace(guess.round, terms=replace(guess.round.terms, second_above=None)))
    end = _end(decide(house, Position(GAMES), alone, ruling, at), before, ruling)
    return replace(end, second=True) if isinstance(end, Foreseen) else end


def _end(draft: Draft, before: State, ruling: e.Rule) -> Foreseen | Refused:
    """What this draft comes to, as far as it may be told of `before`."""
    whats = [record.what for record in draft.records]
    refused = next((what for what in whats if isinstance(what, r.RulingRefused)), None)
    if refused is not None:
        return Refused(refused.reason)
    state, ruled = draft.state, next(what for what in whats if isinstance(what, r.Ruled))
    refunds = [what.stake for what in whats if isinstance(what, r.Refunded)]
    return Foreseen(
        draw=ruled.after.get("draw"),
        life=state.life,
        due=due_of(state, draft.due) if state.live and state.fault is None else None,
        outcome=state.round.outcome,
        next=_next(draft),
        cards=tuple(_changes(before.round.draws, state.round.draws)),
        refunds=Refunds(len(refunds), sum(refunds), state.identity.currency) if state.life == "cancelled" else None,
        manual=state.round.manual,
        touched=ruled.touched,
        choice=ruled.choice,
        choices=choices(ruled.touched, before.round.terms.wrong_odds, may_stand=ruling.ruling == "correct"),
    )


def _next(draft: Draft) -> Next | None:
    fault = draft.state.fault
    if fault is None or not any(isinstance(record.what, r.Faulted) for record in draft.records):
        return None
    return Next(fault.code, fault.due, told(fault), fault.rulings)


def _changes(before: Sequence[Draw], after: Sequence[Draw]) -> Iterator[Change]:
    for draw in after:
        old = before[draw.number - 1] if draw.number <= len(before) else None
        lay = None if old is None else _lies(old, seen(old))
        lies = _lies(draw, None if old is not None and old.hidden else seen(draw))
        if lay != lies:
            yield Change(draw.number, lay, lies)


def _lies(draw: Draw, card: Card | None) -> Lies:
    return Lies(card, draw.fate, draw.place)


def _agreed(ends: Sequence[Foreseen]) -> Foreseen:
    """What all of them have in common."""
    if not ends:
        return Foreseen(open=True)
    first, nothing = ends[0], Foreseen()
    if all(end == first for end in ends):
        return first
    differ = {name for name in first.__struct_fields__ for end in ends if getattr(end, name) != getattr(first, name)}
    untold = {name: getattr(nothing, name) for name in differ}
    cards = tuple(change for change in first.cards if all(change in end.cards for end in ends))
    return replace(first, **{**untold, "cards": cards, "open": True})
