"""Open fault on the shift manager's page: what happened, the time waited, the possible rulings.

An offered ruling has its required inputs and defaults. The core decides whether it is possible, with which effect.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ...core.clock import SECOND, to_text
from ...core.decide.deadlines import MOST_CALLS, unruled_at
from ...core.fault_catalogue import CATALOGUE
from ...core.house import Terms
from ...core.offers import hands_in_play, may_extend, not_now, offered
from ...core.state import Draw, Fault, State
from ...core.withheld import told
from ...rules.procedure import Deal
from ...text.terms import SUSPECT
from . import manager_texts as m
from .at_fault import at_fault, called_for, has_come, read_now, slid_again, told_as, what_happened
from .look import Look
from .manager_words import ManagerWords
from .ruling_effects import NEEDS, answer, aside, capital, effect, is_aside, may_name, question, sign, with_card
from .stop import comes_next, loose_title


class OfferedRuling(Struct, frozen=True):
    """Ruling on offer, with its inputs and defaults."""

    ruling: str
    label: str
    title: str  # the label with its card, where that is known
    means: str  # of the card that is meant
    needs: tuple[str, ...]  # of draw, card, place, seen
    draw: int | None  # that is meant, where no other is named
    place: str | None
    draws: tuple[int, ...]  # that may be named
    places: tuple[str, ...]  # that may be named; empty: any
    reasons: tuple[str, ...]  # to choose from; none is chosen beforehand
    advised: str  # why this one is to be made now
    usual: str = ""  # says that this one is usual at such a fault
    answer: str = ""  # what it answers to the question that the fault asks, with its title
    aside: bool = False  # apart from the others: see `ShownFault.aside`
    key: int = 0  # digit of the keyboard, the same as long as a fault is open; 0: it has none


class NotNow(Struct, frozen=True):
    """Ruling that is not possible now, with the reason."""

    ruling: str
    label: str
    why: str
    usual: str = ""
    key: int = 0  # digit that it will have; 0: none


class ShownFault(Struct, frozen=True, kw_only=True):
    """Open fault with its rulings, in the viewer's language."""

    seq: int
    code: str
    head: str
    text: str
    expected: str
    got: str
    draw: int | None
    cards: tuple[int, ...]  # numbers of the cards that it is about
    alike: tuple[int, ...]  # of the other copies of its card
    loose: str  # title of the cards without a place
    since: str
    seen_by: str | None
    seen: str
    called: str  # how loud
    calls_at: str | None = None  # time of the next call if nobody acknowledges
    rule_by: str | None = None  # until when a ruling is to be made
    then: str = ""  # and what becomes of the round after that
    more: str = ""  # the key that gives three more minutes, where there may be more
    suspect: str  # what speaks against the deck
    touched: str  # what was made on the card, or on what was seen
    asks: str = ""  # what is to be decided
    aside: str = ""  # when the rulings apart are to be made
    usual: NotNow | None = None  # the usual ruling, if it waits for somebody at the table
    rulings: tuple[OfferedRuling, ...] = ()
    not_now: tuple[NotNow, ...] = ()
    waits: tuple[str, ...]  # what was reported since, in its order


def open_fault(look: Look, words: ManagerWords) -> ShownFault | None:
    """Open fault for the page; None if there is none. A halted table takes no ruling, and its clocks stand still."""
    fault = look.state.fault
    if fault is None or look.halted is not None:
        return None if fault is None else _shown(look, fault, words)
    terms = look.state.round.terms if look.state.live else look.house.terms
    usual, calls_at = _waiting(look, fault, words), _calls_at(fault, terms)
    shown, waiting = _shown(look, fault, words), None if usual is None else usual.ruling
    code, draw = told_as(look.state, fault), None if fault.draw is None else look.state.round.draws[fault.draw - 1]
    return replace(
        shown,
        seen=shown.seen if calls_at is None else words.say(m.CALLING),
        calls_at=calls_at,
        rule_by=_rule_by(fault, terms),
        then=_then(fault, terms, words),
        more=words.ruling("extend") if may_extend(look.state) else "",
        asks=question(code, draw, look.due, words, waiting),
        aside=aside(look.state, fault.code, words, waiting),
        usual=usual,
        rulings=tuple(sorted(_rulings(look, fault, usual, words), key=lambda one: one.key)),
        not_now=tuple(one for one in _not_now(look, words) if usual is None or one.ruling != usual.ruling),
    )


def _shown(look: Look, fault: Fault, words: ManagerWords) -> ShownFault:
    """Fault as it is told at a halted table too."""
    about = at_fault(look)
    return ShownFault(
        seq=fault.seq,
        code=fault.code,
        head=called_for(look.state, fault, words.words),
        text=what_happened(look, fault, words),
        expected=words.expected(fault.due),
        got=words.got(told(fault)),
        draw=fault.draw,
        cards=tuple(sorted(about.draws)),
        alike=tuple(sorted(about.alike)),
        loose=loose_title(look.state, words.words),
        since=to_text(fault.since),
        seen_by=fault.seen_by,
        seen=words.say(m.SEEN).format(name=fault.seen_by) if fault.seen_by else words.say(m.UNSEEN),
        called=words.say(m.CALLED).format(count=fault.escalations + 1),
        suspect=words.say(_suspect(fault)) if fault.suspect else "",
        touched=capital("; ".join(words.touched_at(fault, look.house.game, look.house.currency))),
        waits=tuple(words.got(one.came) for one in look.state.waiting),
    )


def _suspect(fault: Fault) -> str:
    """What an open second copy says of the deck; a fault about that copy asks whether it is there."""
    return m.SUSPECT_IF if fault.code == "duplicate_card" else SUSPECT


def _calls_at(fault: Fault, terms: Terms) -> str | None:
    if fault.seen_by is not None or fault.escalations >= MOST_CALLS:
        return None
    return to_text(fault.since + terms.acknowledge_seconds * (fault.escalations + 1) * SECOND)


def _rule_by(fault: Fault, terms: Terms) -> str | None:
    if fault.offered or "cancel" not in fault.rulings or _only_cancels(fault, terms):
        return None
    return to_text(unruled_at(fault, terms.ruling_seconds))


def _only_cancels(fault: Fault, terms: Terms) -> bool:
    """True if nothing but cancelling is possible: to advise it later says nothing."""
    return fault.rulings == ("cancel",) and terms.unruled == "offer"


def _then(fault: Fault, terms: Terms, words: ManagerWords) -> str:
    if "cancel" not in fault.rulings or _only_cancels(fault, terms):
        return ""
    return words.say(m.OVERDUE if fault.offered else m.THEN[terms.unruled])


def _rulings(look: Look, fault: Fault, usual: NotNow | None, words: ManagerWords) -> Iterator[OfferedRuling]:
    keys, code = _keys(fault), told_as(look.state, fault)
    for name in offered(look.state, look.due):
        draws = tuple(draw.number for draw in look.state.round.draws if may_name(name, draw, look.state))
        meant = _meant(name, look, fault)
        named = meant if meant in draws else draws[0] if len(draws) == 1 else None
        card = sign(_taken(name, named, look.state), look.state)
        yield OfferedRuling(
            ruling=name,
            label=words.ruling(name),
            title=with_card(name, code, card, look.due, words),
            answer=answer(code, name, look.due, words),
            means=effect(name, code, card, look.due, words),
            needs=NEEDS.get(name, ()),
            draw=named,
            place=look.due.to if name == "move" and isinstance(look.due, Deal) else None,
            draws=draws,
            places=tuple(hands_in_play(look.state.round)) if name == "void_hand" else (),
            reasons=words.reasons(fault.code, name),
            advised=words.say(m.OFFERED) if name == "cancel" and fault.offered else "",
            usual=words.say(m.USUAL) if name == _usual(look.state, fault) and not fault.offered else "",
            key=keys.get(name, 0),
            aside=is_aside(name, code, fault, waits=usual is not None),
        )


def _taken(ruling: str, named: int | None, state: State) -> Draw | None:
    """Draw that a ruling takes: the one named, or by resuming the first that came in the pause."""
    if ruling == "resume":
        return state.loose[0] if comes_next(state) else None
    return None if named is None else state.round.draws[named - 1]


def _keys(fault: Fault) -> Mapping[str, int]:
    """Digits of the rulings that the fault allows now or later, in the order in which they stand."""
    rulings = [name for name in CATALOGUE[fault.code].rulings if name in fault.allowed]
    rulings.sort(key=lambda name: (fault.code, name) not in m.ANSWERS)  # what answers the question comes first
    return {name: number for number, name in enumerate(rulings, 1)}


def _waiting(look: Look, fault: Fault, words: ManagerWords) -> NotNow | None:
    """The usual ruling, if it is not possible before somebody at the table has done something."""
    usual = _usual(look.state, fault)
    if usual not in m.WAITS or usual not in not_now(look.state, look.due):
        return None
    return NotNow(usual, words.ruling(usual), words.say(m.WAITS[usual]), words.say(m.USUAL), _keys(fault).get(usual, 0))


def _usual(state: State, fault: Fault) -> str | None:
    """Ruling that does what the procedure says of this fault: its first; None if that depends on what was seen.

    A card that was slid again and not read is entered: nobody waits for a third slide.
    """
    if slid_again(state) and read_now(state) is None:
        return "enter"
    return CATALOGUE[fault.code].rulings[0] if fault.code in HAS_USUAL | WAITS else None


def _not_now(look: Look, words: ManagerWords) -> Iterator[NotNow]:
    """Rulings that are not possible now; not those that nobody looks for any more."""
    gone = {"rescan": slid_again(look.state), "enter": has_come(look.state)}
    for name, reason in not_now(look.state, look.due).items():
        if not gone.get(name, False):
            yield NotNow(name, words.ruling(name), words.refusal(name, reason))


HAS_USUAL = {"card_before_close", "extra_card", "unread_card", "foreign_card", "wrong_place", "missing_card"}
WAITS = {"device_lost", "server_lost"}  # the usual ruling is made once what is lost is there again


def _meant(ruling: str, look: Look, fault: Fault) -> int | None:
    """Draw that a ruling takes by default; None if it has no default."""
    if ruling in ("burn", "void", "carry") and fault.draw is None:
        return next((draw.number for draw in look.state.loose), None)
    return fault.draw
