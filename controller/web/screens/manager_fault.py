"""Open fault on the shift manager's page: what happened, the time waited, the possible rulings.

An offered ruling has its required inputs and defaults. The core decides whether it is possible, with which effect.
"""

from msgspec import Struct
from msgspec.structs import replace

from ...core.clock import to_text
from ...core.offers import may_extend, possible_rulings
from ...core.open_fault import Fault
from ...core.state import Draw, State
from ...rules.procedure import Deal, Step
from ...text.naming import card_sign
from ...text.table_words import TableWords
from ...text.terms import SUSPECT
from . import manager_texts as m
from .at_fault import AtFault, title_and_text
from .manager_words import ManagerWords
from .offered_rulings import NotNow, OfferedRuling, RulingsOnOffer
from .stop_screen import loose_title
from .table_snapshot import TableSnapshot


class ShownFault(Struct, frozen=True, kw_only=True):
    """Open fault with its rulings, in the viewer's language."""

    seq: int
    code: str
    head: str
    text: str
    expected: str
    got: str
    draw: int | None
    cards: tuple[int, ...]  # numbers of the cards that the fault is about
    alike: tuple[int, ...]  # numbers of the other copies of a duplicate
    loose: str  # title of the cards without a place
    since: str
    seen_by: str | None
    seen: str
    called: str  # how many times the shift manager was called
    calls_at: str | None = None  # time of the next call if nobody acknowledges
    rule_by: str | None = None  # time until which a ruling is to be made
    then: str = ""  # what the table does with the round after that time
    more: str = ""  # label of the key that gives three more minutes, if that is possible
    suspect: str  # doubt about the deck
    touched: str  # bets and decisions based on the card, or on what was seen
    asks: str = ""  # question that the ruling answers
    aside: str = ""  # heading of the rulings apart: when to make them
    usual: NotNow | None = None  # the usual ruling, if somebody at the table has to act before it
    rulings: tuple[OfferedRuling, ...] = ()
    not_now: tuple[NotNow, ...] = ()
    waits: tuple[str, ...]  # reports since the fault, in their order


def open_fault(snapshot: TableSnapshot, about: AtFault, words: ManagerWords) -> ShownFault | None:
    """Open fault for the page; None if there is none. At a halted table it has no rulings and no deadlines.

    `about`: cards and places that the fault is about.
    """
    fault = snapshot.state.fault
    if fault is None or snapshot.halted is not None:
        return None if fault is None else _halted_fault(snapshot, fault, about, words)
    rulings, calls_at = RulingsOnOffer(snapshot, fault, words), fault.next_call(snapshot.terms.acknowledge_seconds)
    rule_by, then = _limit(snapshot, fault, words)
    shown = _halted_fault(snapshot, fault, about, words)
    draw = None if fault.draw is None else snapshot.state.round.draws[fault.draw - 1]
    waiting = None if rulings.waiting is None else rulings.waiting.ruling
    return replace(
        shown,
        seen=shown.seen if calls_at is None else words.say(m.CALLING),
        calls_at=None if calls_at is None else to_text(calls_at),
        rule_by=rule_by,
        then=then,
        more=words.ruling("extend") if may_extend(snapshot.state) else "",
        asks=question(rulings.code, draw, snapshot.due, words, waiting),
        aside=_apart_heading(snapshot.state, fault.code, words, waiting),
        usual=rulings.waiting,
        rulings=rulings.possible_rulings(),
        not_now=rulings.impossible_rulings(),
    )


def _halted_fault(snapshot: TableSnapshot, fault: Fault, about: AtFault, words: ManagerWords) -> ShownFault:
    """Fault without rulings and deadlines, as a halted table shows it."""
    head, text = title_and_text(snapshot, fault, words)
    return ShownFault(
        seq=fault.seq,
        code=fault.code,
        head=head,
        text=text,
        expected=words.due_step(fault.due),
        got=words.describe_cause(fault.visible_cause),
        draw=fault.draw,
        cards=tuple(sorted(about.draws)),
        alike=tuple(sorted(about.alike)),
        loose=loose_title(snapshot.state, words.words),
        since=to_text(fault.since),
        seen_by=fault.seen_by,
        seen=words.say(m.SEEN).format(name=fault.seen_by) if fault.seen_by else words.say(m.UNSEEN),
        called=words.say(m.CALLED).format(count=fault.escalations + 1),
        suspect=words.say(_suspect(fault)) if snapshot.has_doubles else "",
        touched=words.difference_sentence(fault, snapshot.house.game, snapshot.house.currency),
        waits=tuple(words.describe_cause(one.came) for one in snapshot.state.waiting),
    )


def _suspect(fault: Fault) -> str:
    """Text on the deck after an open second copy; with a condition if the fault asks whether that copy is there."""
    return m.SUSPECT_IF if fault.code == "duplicate_card" else SUSPECT


def _limit(snapshot: TableSnapshot, fault: Fault, words: ManagerWords) -> tuple[str | None, str]:
    """Time until which a ruling is to be made, and what the table does then; None if no clock is shown."""
    at, act = snapshot.ruling_limit or (None, "offer")
    if act == "offer" and possible_rulings(snapshot.state, snapshot.due) == ("cancel",):
        return None, ""
    if at is None:
        return None, words.say(m.OVERDUE) if fault.offered else ""
    return to_text(at), words.say(m.THEN[act])


def question(code: str, draw: Draw | None, due: Step | None, words: TableWords, waiting: str | None) -> str:
    """Question of the fault, or what must be done first. `draw`: of the fault; `waiting`: usual ruling that waits."""
    if waiting is not None:
        return words.say(m.ASKS_PATIENCE[waiting])
    if code in m.ASKS_WHERE and draw is not None and isinstance(due, Deal) and (card := draw.visible_card) is not None:
        return words.say(m.ASKS_WHERE[code]).format(card=card_sign(card), place=words.place(due.to))
    return words.say(m.ASKS.get(code) or m.ONE_RULING.get(code, m.ASKS_RULING))


def _apart_heading(state: State, code: str, words: TableWords, waiting: str | None) -> str:
    """Heading of the rulings apart: for use if the usual ruling `waiting` fails, or if a card is wrong."""
    if waiting is not None:
        return words.say(m.ASIDE_ELSE[waiting])
    if code in m.ASIDE_AT:
        return words.say(m.ASIDE_AT[code])
    lying = [draw.visible_card for draw in state.round.draws if draw.lies]
    if len(lying) == 1 and lying[0] is not None:
        return words.say(m.ASIDE_CARD).format(card=card_sign(lying[0]))
    return words.say(m.ASIDE_CARDS)
