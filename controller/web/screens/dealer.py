"""Compose the dealer's screen at the table.

There is always exactly one instruction, and it is the largest text on the screen. During a fault it says what to do
with the cards. Hidden cards are shown as backs, and cards without a place where they were seen.
"""

from msgspec import Struct

from ...core.hands import decisions, settled_hands
from ...core.life import RESTING
from ...core.state import State
from ...rules.face import Layout
from ...rules.procedure import seat_of
from ...text import glossary
from ...text.faults import Words
from ...text.money import money
from ...text.naming import decision, title
from ...text.results import sentence
from . import texts as t
from .at_fault import at_fault
from .clearing import steps
from .keys import ScreenKey, keys
from .next_step import NextStep, announcement
from .places import ScreenPlace, places, shown_results
from .shoe_steps import Step, shoe_steps
from .stop_screen import StopScreen, card_title, stop_of
from .table_snapshot import TableSnapshot
from .timing import TimeLeft, clock
from .void_text import cancelled_round_text


class Flag(Struct, frozen=True):
    """Short notice beside the next step."""

    kind: str  # training, warning, manual, last
    text: str


class AskedParticipant(Struct, frozen=True):
    """Participant who has been asked for a decision."""

    name: str
    said: str  # the decision; empty: not decided yet


class DealerScreen(Struct, frozen=True):
    """Content of the dealer's whole screen."""

    table: str
    layout: Layout
    title: str
    round: str
    dealer: str
    life: str
    flags: tuple[Flag, ...]
    next: NextStep
    announce: str  # what the dealer says aloud now
    then: NextStep | None  # step after the cards are cleared or moved, shown after a touch of the page
    clears: str  # key of the cards to clear or move: if it changes, the page shows the instruction again
    result: str  # result of a complete or finished round
    clock: TimeLeft | None
    bets: str
    shoe: str  # cards left in the shoe, and cards until the shoe is changed
    decided: str
    people: tuple[AskedParticipant, ...]
    places: tuple[ScreenPlace, ...]
    keys: tuple[ScreenKey, ...]
    steps: tuple[Step, ...]  # steps of a shoe change
    stop: StopScreen | None
    sign_on: NextStep | None  # next step if no dealer is signed on and one may sign on at this screen
    may_leave: bool  # True: a dealer is signed on and has not announced to leave
    words: dict[str, str]  # other texts of the page


def dealer(snapshot: TableSnapshot, words: Words) -> DealerScreen:
    """Compose the dealer's screen from the table's current state."""
    state, game = snapshot.state, snapshot.house.game
    (now, then, clears), stop = _steps(snapshot, words), stop_of(snapshot, words)
    return DealerScreen(
        table=state.table,
        layout=game.face.layout,
        title=title(game),
        round=round_name(snapshot, words),
        dealer=words.say(t.DEALT_BY if state.dealer else t.NOBODY_DEALS).format(name=state.dealer),
        life=state.life,
        flags=flags(snapshot, words),
        next=now,
        announce=announcement(snapshot, words) if stop is None else "",
        then=then,
        clears=clears,
        result=_result(snapshot, words) if snapshot.halted is None else "",
        clock=clock(snapshot),
        bets=_bets(state, words),
        shoe=_shoe(snapshot, words),
        decided=_describe_decided(state, words),
        people=_people(snapshot, words),
        places=places(snapshot, words, state.round, {} if stop else shown_results(snapshot), at_fault(snapshot)),
        keys=keys(snapshot, words),
        steps=shoe_steps(snapshot, words),
        stop=stop,
        sign_on=_sign_on(state, words) if stop is None else None,
        may_leave=state.dealer is not None and not state.leaving,
        words={name: words.say(text) for name, text in _WORDS.items()} | {"loose": card_title(snapshot.state, words)},
    )


_WORDS = {
    "stale": t.STALE,
    "stop": t.STALE_HANDS,
    "seen": t.SEEN_AT,
    "asked": t.NOT_DECIDED,
    "players": t.PLAYERS_ARE_TOLD,
    "keys": t.KEYS_LABEL,
    "glossary": glossary.TITLE,
    "cleared": t.CLEARED,
    "refused": t.REFUSED,
    **t.SIGN_ON,
    **t.SHOE_FIELDS,
    **t.SKIP_WORDS,
}


def _steps(snapshot: TableSnapshot, words: Words) -> tuple[NextStep, NextStep | None, str]:
    """Next step, the step after clearing, and the cards to clear; for a halted table only a message."""
    if snapshot.halted is not None:
        return NextStep(words.say(t.NOTHING_RECORDED), "", "halted"), None, ""
    return steps(snapshot, words)


def _sign_on(state: State, words: Words) -> NextStep | None:
    """Step that asks a dealer to sign on; None if a dealer is signed on or a round is live."""
    waits = state.dealer is None and state.life in RESTING
    return NextStep(words.say(t.SIGN_ON_HEAD), "", "press") if waits else None


def round_name(snapshot: TableSnapshot, words: Words) -> str:
    """Name of the current round, with its number if there is one."""
    number = snapshot.state.round.number
    return words.say(t.ROUND).format(number=number) if number else words.say(t.NO_ROUND)


def _result(snapshot: TableSnapshot, words: Words) -> str:
    if snapshot.state.is_void:
        return cancelled_round_text(snapshot, words, snapshot.state.round.number)
    outcome = snapshot.state.round.outcome
    return sentence(snapshot.house.game, outcome, words, settled_hands(snapshot.state)) if outcome else ""


def _bets(state: State, words: Words) -> str:
    bets = state.round.bets
    if not bets:
        return ""
    return words.say(t.BETS).format(count=len(bets), total=money(bets.total, state.identity.currency))


def _shoe(snapshot: TableSnapshot, words: Words) -> str:
    shoe, deck = snapshot.state.shoe, snapshot.house.deck
    if not shoe.size or shoe.changing:
        return ""
    left = shoe.shown_cards_left
    text = t.SHOE_IS_CUT if shoe.cut else t.SHOE_CHANGE_IN if deck.change_below else t.SHOE_LEFT
    return words.say(text).format(left=left, until=max(0, left - deck.change_below))


def _describe_decided(state: State, words: Words) -> str:
    asking = state.round.asking
    if asking is None or len(asking.who) == 1:
        return ""
    return words.say(t.DECIDED).format(decided=len(asking.decided), asked=len(asking.who))


def _people(snapshot: TableSnapshot, words: Words) -> tuple[AskedParticipant, ...]:
    """Asked participants who have no seat of their own, the undecided ones first."""
    round_, seats = snapshot.state.round, snapshot.house.game.seats
    texts = dict.fromkeys(round_.asking.who, "") if round_.asking else {}
    texts |= {who: decision(snapshot.house.game, said[-1], words) for who, said in decisions(round_).items()}
    people = [AskedParticipant(who, said) for who, said in texts.items() if seat_of(who) not in seats]
    return tuple(sorted(people, key=lambda person: bool(person.said)))


# ── flags and faults ─────────────────────────────────────────────────────────────────────────────────────────────


def flags(snapshot: TableSnapshot, words: Words) -> tuple[Flag, ...]:
    """Return the notices that apply now, such as training, last round or a lost device."""
    state, live = snapshot.state, snapshot.live
    notices = (
        (snapshot.terms.training, "training", t.TRAINING),
        (state.round.manual and state.life not in RESTING, "manual", t.MANUAL_FLAG),
        (live and not state.open, "last", t.LAST_ROUND),
        (state.leaving, "last", t.LEAVING),
        (live and state.shoe.cut, "last", t.CUT),
        *((device in state.lost, "warning", text) for device, text in t.DEVICES_LOST.items()),
    )
    return tuple(Flag(kind, words.say(text)) for stands, kind, text in notices if stands)
