"""Compose the dealer's screen at the table.

There is always exactly one instruction, and it is the largest text on the screen. During a fault it says what to do
with the cards. Hidden cards are shown as backs, and cards without a place where they were seen.
"""

from msgspec import Struct

from ...core.hands import SECOND, decisions, is_void, settled_hands
from ...core.life import RESTING
from ...core.state import State
from ...rules.face import Layout
from ...text import glossary
from ...text.faults import Words
from ...text.money import money
from ...text.naming import decision, title
from ...text.results import sentence
from . import texts as t
from .at_fault import at_fault
from .clearing import steps
from .keys import ScreenKey, keys
from .look import Look
from .next_step import Next, announced
from .places import ScreenPlace, places, shown_results
from .shoe_steps import Step, shoe_steps
from .stop import Stop, stop_of, where_to_lay
from .timing import TimeLeft, clock
from .voided import voided


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
    next: Next
    announce: str  # what the dealer says aloud now
    then: Next | None  # step after the cards are cleared or moved, shown after a touch of the page
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
    stop: Stop | None
    sign_on: Next | None  # next step if no dealer is signed on and one may sign on at this screen
    may_leave: bool  # True: a dealer is signed on and has not announced to leave
    words: dict[str, str]  # other texts of the page


def dealer(look: Look, words: Words) -> DealerScreen:
    """Compose the dealer's screen from the table's current state."""
    state, game = look.state, look.house.game
    (now, then, clears), stop = _steps(look, words), stop_of(look, words)
    return DealerScreen(
        table=state.table,
        layout=game.face.layout,
        title=title(game),
        round=round_name(look, words),
        dealer=words.say(t.DEALT_BY if state.dealer else t.NOBODY_DEALS).format(name=state.dealer),
        life=state.life,
        flags=flags(look, words),
        next=now,
        announce=announced(look, words) if stop is None else "",
        then=then,
        clears=clears,
        result=_result(look, words) if look.halted is None else "",
        clock=clock(look),
        bets=_bets(state, words),
        shoe=_shoe(look, words),
        decided=_decided(state, words),
        people=_people(look, words),
        places=places(look, words, state.round, shown_results(look) if stop is None else {}, at_fault(look)),
        keys=keys(look, words),
        steps=shoe_steps(look, words),
        stop=stop,
        sign_on=_sign_on(state, words) if stop is None else None,
        may_leave=state.dealer is not None and not state.leaving,
        words={name: words.say(text) for name, text in _WORDS.items()} | {"loose": where_to_lay(look.state, words)},
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


def _steps(look: Look, words: Words) -> tuple[Next, Next | None, str]:
    """Next step, the step after clearing, and the cards to clear; for a halted table only a message."""
    if look.halted is not None:
        return Next(words.say(t.NOTHING_RECORDED), "", "halted"), None, ""
    return steps(look, words)


def _sign_on(state: State, words: Words) -> Next | None:
    """Step that asks a dealer to sign on; None if a dealer is signed on or a round is live."""
    waits = state.dealer is None and state.life in RESTING
    return Next(words.say(t.SIGN_ON_HEAD), "", "press") if waits else None


def round_name(look: Look, words: Words) -> str:
    """Name of the current round, with its number if there is one."""
    number = look.state.round.number
    return words.say(t.ROUND).format(number=number) if number else words.say(t.NO_ROUND)


def _result(look: Look, words: Words) -> str:
    if is_void(look.state):
        return voided(look, words, look.state.round.number)
    outcome = look.state.round.outcome
    return sentence(look.house.game, outcome, words, settled_hands(look.state)) if outcome else ""


def _bets(state: State, words: Words) -> str:
    bets = state.round.bets
    if not bets:
        return ""
    return words.say(t.BETS).format(count=len(bets), total=money(bets.total, state.identity.currency))


def _shoe(look: Look, words: Words) -> str:
    shoe, deck = look.state.shoe, look.house.deck
    if not shoe.size or shoe.changing:
        return ""
    left = shoe.shown_left
    said = t.SHOE_IS_CUT if shoe.cut else t.SHOE_CHANGE_IN if deck.change_below else t.SHOE_LEFT
    return words.say(said).format(left=left, until=max(0, left - deck.change_below))


def _decided(state: State, words: Words) -> str:
    asking = state.round.asking
    if asking is None or len(asking.who) == 1:
        return ""
    return words.say(t.DECIDED).format(decided=len(asking.decided), asked=len(asking.who))


def _people(look: Look, words: Words) -> tuple[AskedParticipant, ...]:
    """Asked participants who have no seat of their own, the undecided ones first."""
    round_, seats = look.state.round, look.house.game.seats
    made = dict.fromkeys(round_.asking.who, "") if round_.asking else {}
    made |= {who: decision(look.house.game, said[-1], words) for who, said in decisions(round_).items()}
    people = [AskedParticipant(who, said) for who, said in made.items() if who.removesuffix(SECOND) not in seats]
    return tuple(sorted(people, key=lambda person: bool(person.said)))


# ── flags and faults ─────────────────────────────────────────────────────────────────────────────────────────────


def flags(look: Look, words: Words) -> tuple[Flag, ...]:
    """Return the notices that apply now, such as training, last round or a lost device."""
    state, live = look.state, look.state.live
    told = (
        (look.training, "training", t.TRAINING),
        (state.round.manual and state.life not in RESTING, "manual", t.MANUAL_FLAG),
        (live and not state.open, "last", t.LAST_ROUND),
        (state.leaving, "last", t.LEAVING),
        (live and state.shoe.cut, "last", t.CUT),
        *((device in state.lost, "warning", text) for device, text in t.DEVICES_LOST.items()),
    )
    return tuple(Flag(kind, words.say(text)) for stands, kind, text in told if stands)
