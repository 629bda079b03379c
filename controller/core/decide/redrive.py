"""Driving a paused round again after a ruling.

The round's script is kept as far as it still fits; what comes after it is loose again (cards) or withdrawn (decisions).
Then the loose cards are tried in the order they came. The one rule: the first that does not fit is the next fault, and
the round stays paused; only when all have a place or a fate does play go on.
"""

from ...rules.dealing import Dealing
from ...rules.procedure import Ask, Bets, Deal, Reveal, Step
from .. import events as e
from .. import records as r
from ..draft import Draft
from ..fitting import misfit
from ..house import Terms
from ..life import LIVE
from ..state import Answered, Asking, Entry, Laid
from .bets import follow_ons, withdraw_follow_ons
from .cards import compare_place, fault_card
from .dealers import relieve
from .devices import fault_cut_off
from .reports import next_report
from .rounds import answers_itself, no_card_can_come, progress, settle


def drive_again(draft: Draft) -> None:
    """Rewind to what fits, then place the loose cards; the first that cannot be placed is the next fault."""
    if draft.state.round.joined is not None and draft.state.live:
        rewind(draft)
    for draw in draft.state.loose:
        if not turn_over(draft):
            return
        due = draft.due
        code = misfit(draft, due, draw)
        if code is not None or not isinstance(due, Deal) or draw.card is None:
            fault_card(draft, code or "extra_card", draw.number)
            return
        draft.write(r.Dealt(draw.number, draw.card, due.to, due.face_up, draw.source))
        compare_place(draft, draw)
    turn_over(draft)


def rewind(draft: Draft, most: int | None = None) -> None:
    """Cut the script back to what still fits. `most`: so many answers stand, and no decision of an open window does."""
    round_ = draft.state.round
    dealing = draft.position.start(round_)
    kept = 0
    for entry in round_.script[:most]:
        if not _goes_in(draft, dealing, entry):
            break
        dealing.answer(draft.position.answer(round_, entry))
        kept += 1
    asking = round_.asking
    if kept < len(round_.script) or (asking is not None and (most is not None or not _asks(dealing.due, asking))):
        cut_back(draft, kept)


def cut_back(draft: Draft, kept: int, *, placed: bool = True) -> None:
    """Only so many answers stand: the cards after them are loose again, the decisions withdrawn. `placed`: those cards
    lie where they were laid; else nobody knows where they lie."""
    round_ = draft.state.round
    cut, asking = round_.script[kept:], round_.asking
    withdrawn = [entry.decisions for entry in cut if isinstance(entry, Answered)]
    if asking is not None:
        withdrawn.append(asking.decided)
    stakes = {bet.id: bet.stake for decisions in withdrawn for bet in follow_ons(draft, decisions)}
    decided = {who: decision for one in withdrawn for who, decision in one.items()}
    draft.write(r.Rewound(kept, decided, len(stakes), sum(stakes.values()), draft.currency))
    for decisions in withdrawn:
        withdraw_follow_ons(draft, decisions)
    for entry in cut:
        if isinstance(entry, Laid):
            draw = draft.state.round.draws[entry.draw - 1]
            place = draw.place if placed else None
            draft.write(r.Drawn(draw.number, draw.card, place, draw.hidden, draw.source))


def _goes_in(draft: Draft, dealing: Dealing, entry: Entry) -> bool:
    round_ = draft.state.round
    if isinstance(entry, Laid):
        return misfit(draft, dealing.due, round_.draws[entry.draw - 1]) is None
    return draft.position.answer(round_, entry).fits(dealing.due)


def _asks(due: Step | None, asking: Asking) -> bool:
    return isinstance(due, Ask) and (due.who, due.options) == (asking.who, asking.options)


def turn_over(draft: Draft) -> bool:
    """As far as it goes by itself. Whether that brought no fault to light."""
    before = draft.state.fault
    while answers_itself(draft):
        pass
    return draft.state.fault == before


def go_on(draft: Draft, *, confirmed: bool) -> None:
    """Play resumes in the state of the step due now, unless the ruling has shown the next fault.

    `confirmed`: a shift manager has ruled on the cards themselves. Where that leaves nothing due the ruling is the
    confirmation of the result: the dealer's key or the shoe's result could add nothing to it.
    """
    state = draft.state
    if _is_faulted(draft):
        return
    heard = any(isinstance(waiting.came, e.ShoeSays) for waiting in state.waiting) and not state.shoe.advisory
    if fault_cut_off(draft) or next_report(draft):
        return
    if isinstance(draft.due, Deal) and (lacking := no_card_can_come(draft)):
        draft.fault(*lacking)
        return
    tell_corrected(draft)
    progress(draft)
    if _is_faulted(draft):
        return
    draft.write(r.Resumed(_life_of(draft)))
    by = _confirmed_by(state.round.terms, confirmed=confirmed, heard=heard)
    if draft.state.life == "complete" and by is not None:
        settle(draft, by)
    relieve(draft)


def _confirmed_by(terms: Terms, *, confirmed: bool, heard: bool) -> str | None:
    """Who confirms a round that is complete, if anybody has. `heard`: the shoe's result came during the pause."""
    if confirmed:
        return "manager"
    return terms.confirm if terms.confirm == "auto" or (heard and terms.confirm == "shoe") else None


def _is_faulted(draft: Draft) -> bool:
    """Whether a fault has come to light in what is being decided."""
    return draft.state.fault is not None and draft.state.fault.seq > draft.started


def tell_corrected(draft: Draft) -> None:
    """A card that was corrected where it lies is dealt anew in the record, for everybody who saw it as another."""
    for draw in draft.state.round.draws:
        if draw.fate == "placed" and draw.card and draw.place and draw.told is None:
            draft.write(r.Dealt(draw.number, draw.card, draw.place, not draw.hidden, draw.source))


def _life_of(draft: Draft) -> str:
    match draft.due:
        case Bets():
            return "betting"
        case Deal() | Reveal():
            return "dealing"
        case Ask():
            return "deciding"
    before = draft.state.paused_from
    return "complete" if before in LIVE else before
