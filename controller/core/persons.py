"""Persons named in a record, and names that may belong to one person.

Names change and are shared; a person has an id, which stands in the record beside the name: with what they do, and with
the round that they deal. Without a registry of persons the name is the id. Names that look alike count as the same:
nobody rules on their own round by writing their name otherwise.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .difference import moved_amounts
from .events import Act, Resettle, Rule
from .position import Position
from .records import Record
from .state import State

BEACON = "beacon"  # acknowledges a fault for whoever has touched the beacon
NOBODY = frozenset({  # names in records that are not names of persons
    BEACON, "anybody", "auto", "clock", "config", "dealer", "kiosk", "play", "player", "script", "server", "shoe",
    "table",
})  # fmt: skip

# Letters of other alphabets, and digits, that look like one of ours (Unicode's confusables, as far as names have them).
_LOOKS = str.maketrans(
    "авекмнорстухіјѕһԁԛԝгпαβεικμνορτυχωγη01lıȷ",
    "abekmhopctyxijshdqwrnabeikmvoptuxwynoiiij",
)
_SHAPELESS = str.maketrans("", "", "\u115f\u1160\u17b4\u17b5")  # invisible letters


def id_of(name: str | None) -> str | None:
    """Id for a name; None if it is no person's name."""
    return None if name in NOBODY else name


@lru_cache(4096)  # the same few names are compared at each act
def likeness(name: str) -> str:
    """Comparison key of a name: without case, spaces, accents and invisible characters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join(letter for letter in folded.translate(_SHAPELESS) if letter.isalnum())
    return letters.translate(_LOOKS) or name


def is_like(one: str | None, another: str | None) -> bool:
    """True if the two names or ids may belong to the same person."""
    return one is not None and another is not None and (one == another or likeness(one) == likeness(another))


def deals(name: str | None, state: State) -> bool:
    """True if the person of this name or id may be the present dealer, or dealt the round."""
    return is_among(dealers_of(state), name)


def dealers_of(state: State) -> tuple[str, ...]:
    """Names and ids of the present dealer and of the dealer of the round."""
    dealers = state.dealer, state.dealer_id, state.round.dealer, state.round.dealer_id
    return tuple(dict.fromkeys(dealer for dealer in dealers if dealer is not None))


def is_among(dealers: Iterable[str], *names: str | None) -> bool:
    """True if a person of one of these names and ids may be one of the dealers."""
    return any(is_like(name, dealer) for name in names for dealer in dealers)


def is_act_on_own_round(event: Act, state: State) -> bool:
    """True if a person acts on a round that they deal or dealt, under any name.

    GLI-19 C.6.8 i.
    """
    return is_among(dealers_of(state), getattr(event, "by", None), event.person)


# ── a second shift manager ───────────────────────────────────────────────────────────────────────────────────────


def needs_second(
    position: Position, before: State, baseline: State, after: State, records: Sequence[Record], by_this: int
) -> bool:
    """True if a ruling needs a second person.

    It does if it alone moves more than one person may (`second_above`), or if it changes the amount moved by all
    rulings of the round and that amount is more. Both persons' identities are proven when they sign in. `by_this`:
    amount moved by this ruling, in minor units.
    """
    limit = before.round.terms.second_above
    if limit is None or not before.live:
        return False
    now = moved_amounts(position, before, baseline, after, records)
    by_all = sum(now.values()) if now != moved_amounts(position, before, baseline) else 0
    return max(by_this, by_all) > limit


def second_objection(state: State, event: Rule | Resettle) -> str | None:
    """Reason code against the second person that a ruling names; None if there is none."""
    seconds = [name for name in (event.second, event.second_id) if name is not None]
    if any(is_like(second, first) for second in seconds for first in (event.by, event.person)):
        return "same_person"
    return "own_round" if is_among(dealers_of(state), *seconds) else None
