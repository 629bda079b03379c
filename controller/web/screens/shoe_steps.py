"""Steps of a shoe change, as the dealer's screen shows them."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ...core.decide.shoe_change import BURNT_UNREAD, ShoeStep, cards_to_burn, count_burnt, shoe_step
from ...text.faults import Words
from ...text.keys import KEYS
from ...text.table_story import describe_rest
from . import texts as t
from .table_snapshot import TableSnapshot

CUT, UNCUT, READY = ({"command": "shoe", "do": do} for do in ("cut", "uncut", "ready"))
ORDER: tuple[ShoeStep, ...] = ("cut", "load", "burn", "count", "ready")


class Step(Struct, frozen=True):
    """One step of a shoe change. Only the step that is due has keys."""

    step: str
    text: str
    done: bool
    due: bool = False
    label: str = ""  # label of its key; empty: no key
    command: Mapping[str, str] | None = None  # command that the key sends
    asks: tuple[str, ...] = ()  # fields that the dealer types
    skip: str = ""  # label of the key that skips this step; empty: it cannot be skipped
    skips: Mapping[str, str] | None = None  # command that skips it, with a reason as `because`
    reasons: tuple[str, ...] = ()  # usual reasons for skipping


def shoe_steps(snapshot: TableSnapshot, words: Words) -> tuple[Step, ...]:
    """Steps of the current shoe change; none if the shoe is not being changed."""
    due = shoe_step(snapshot.house, snapshot.state)
    return () if due is None else tuple(_steps(snapshot, words, due))


def _steps(snapshot: TableSnapshot, words: Words, due: ShoeStep) -> Iterator[Step]:
    terms = snapshot.house.terms
    ended = f": {describe_rest(words.say, snapshot.ended)}" if snapshot.ended else ""
    yield Step("away", words.say(t.SHOE_AWAY) + ended, done=True)
    yield _cut(snapshot, words, due)
    size = snapshot.house.deck.size
    has_load = terms.burn in t.SHOE_BURN or due == "load"  # else loading is part of the step `ready` or `count`
    if has_load:
        yield _step("load", words.say(t.SHOE_IN).format(size=size), due)
    if terms.burn in t.SHOE_BURN or due == "burn":
        yield _step("burn", _burn(snapshot, words), due)
    elif burnt := count_burnt(snapshot.state.shoe):  # no burn is required, but the dealer has burnt some cards
        yield Step("burn", words.say(t.SHOE_BURNT).format(count=burnt), done=True)
    if terms.count_in:
        fields = tuple(t.SHOE_FIELDS) if due == "count" else ()
        yield _step(
            "count",
            words.say(t.SHOE_COUNT if has_load else t.SHOE_IN_COUNT).format(size=size),
            due,
            words.say(KEYS["ready"]),
            READY,
            fields,
        )
    else:
        yield _step("ready", words.say(t.SHOE_THEN if has_load else t.SHOE_IN_THEN).format(size=size), due)


def _burn(snapshot: TableSnapshot, words: Words) -> str:
    shoe, policy = snapshot.state.shoe, snapshot.house.terms.burn
    burnt, count = count_burnt(shoe), cards_to_burn(shoe, policy)
    is_unread = policy == "first_card" and shoe.first_unread
    most = BURNT_UNREAD[-1] if is_unread else count
    if policy not in t.SHOE_BURN or (most is not None and burnt > most):
        return words.say(t.SHOE_TOO_MANY)
    if is_unread:
        return words.say(t.SHOE_BURN_UNREAD).format(burnt=burnt)
    return words.say(t.SHOE_BURN[policy]).format(burnt=burnt, wanted="…" if count is None else count)


def _step(
    step: ShoeStep,
    text: str,
    due: ShoeStep,
    label: str = "",
    command: Mapping[str, str] | None = None,
    asks: tuple[str, ...] = (),
) -> Step:
    is_due = step == due
    return Step(step, text, ORDER.index(step) < ORDER.index(due), is_due, label if is_due else "", command, asks)


def _cut(snapshot: TableSnapshot, words: Words, due: ShoeStep) -> Step:
    """Cut of the cards: to be done, done, or skipped for a reason."""
    uncut = snapshot.state.shoe.uncut
    if due != "cut":
        text = words.say(t.SHOE_CUT) if uncut is None else words.say(t.SHOE_UNCUT).format(because=uncut)
        return Step("cut", text, done=True)
    reasons = tuple(map(words.say, t.UNCUT_REASONS))
    return Step(
        "cut",
        words.say(t.SHOE_CUT),
        done=False,
        due=True,
        label=words.say(KEYS["cut"]),
        command=CUT,
        skip=words.say(t.SKIP_CUT),
        skips=UNCUT,
        reasons=reasons,
    )
