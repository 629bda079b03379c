"""Driving a paused round again after a ruling.

The round's script is kept as far as it still fits. Cards after it are loose again, decisions after it are withdrawn.
Then the loose cards are tried in the order in which they came. Invariant: the first card that does not fit is the next
fault and the round stays paused; play goes on only when every card has a place or a fate.
"""

from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace

from ...rules.dealing import SheetFailed
from ...rules.procedure import Ask, Bets, Deal, Reveal, seat_of
from .. import events as e
from .. import records as r
from ..blind import possible_state
from ..draft import Draft
from ..fitting import misfit
from ..known_returns import earliest_returns, face_down_draws, returns
from ..life import LIVE
from ..position import Unplayable
from ..script import Entry, Laid, WindowAnswers
from ..state import Round, State, states_at_rulings
from .affected_decisions import drive_while_fitting, is_question_still_due
from .bets import follow_ons, withdraw_follow_ons
from .cards import compare_place, fault_card
from .dealers import relieve
from .devices import fault_cut_off
from .reports import next_report
from .rounds import answer_if_automatic, complete, deal_obstacle, progress, settle


def drive_again(draft: Draft) -> None:
    """Cut the script back to what fits, then place the loose cards; the first that does not fit is the next fault."""
    if not draft.drives:
        return
    if draft.state.round.joined is not None and draft.state.live:
        if draft.is_reopened:
            leave_out(draft)
        rewind(draft)
    for draw in draft.state.loose_draws:
        if not answer_automatic_steps(draft):
            return
        due = draft.due
        code = misfit(draft, due, draw)
        if code is not None or not isinstance(due, Deal) or draw.card is None:
            fault_card(draft, code or "extra_card", draw.number)
            return
        draft.write(r.Dealt(draw.number, draw.card, due.to, due.face_up, draw.source))
        compare_place(draft, draw)
    answer_automatic_steps(draft)


def state_without_ruling(draft: Draft) -> State:
    """State that the pause leads to without a ruling: the loose cards are laid on the places due.

    Other cards lie in place of the hidden ones, whose values would decide how far the round goes.
    """
    if not draft.began.live:
        return draft.began
    trial = draft.at_state(possible_state(draft.position, draft.began))
    try:
        drive_again(trial)
    except (SheetFailed, Unplayable):
        return draft.began
    return trial.state


def rewind(draft: Draft, most: int | None = None) -> None:
    """Cut the script back to what still fits.

    `most`: keep at most so many answers, and withdraw the decisions of the open window.
    """
    round_ = draft.state.round
    dealing = draft.position.start(round_)
    count, asking = drive_while_fitting(draft, dealing, most), round_.asking
    other = asking is not None and (most is not None or not is_question_still_due(draft, dealing.due, asking))
    if count < len(round_.script) or other:
        keep_answers(draft, count)


def leave_out(draft: Draft) -> None:
    """Remove answers and cards of hands that now end earlier, in a round that is over.

    Later decisions of other hands stand, as nobody can be asked again. Stakes of removed decisions go back.
    """
    ended = set[str]()  # seats of which a decision was removed
    while (leftover := _unasked_entry(draft, ended)) is not None:
        place, entry = leftover
        round_ = draft.state.round
        script = (*round_.script[:place], *round_.script[place + 1 :])
        draws = round_.draws
        if isinstance(entry, Laid):
            draws = round_.draws_with(replace(draws[entry.draw - 1], fate="loose"))
        elif isinstance(entry, WindowAnswers):
            withdraw_follow_ons(draft, decisions_in_play(round_, entry.decisions))
            ended |= {seat_of(who) for who in entry.decisions} if draft.house.corrects_together else set()
        draft.state = replace(draft.state, round=replace(draft.state.round, script=script, draws=draws))


def _unasked_entry(draft: Draft, ended: Collection[str]) -> tuple[int, Entry] | None:
    """First entry of the script that does not fit, with its index, if its question is not due; else None.

    Also a card of a seat that has `ended`, unless a card is due there.
    """
    round_ = draft.state.round
    dealing = draft.position.start(round_)
    count = drive_while_fitting(draft, dealing)
    if count == len(round_.script):
        return None
    due = dealing.due
    names, options = (due.who, due.options) if isinstance(due, Ask) else ((), ())
    match entry := round_.script[count]:
        case WindowAnswers(decisions=decisions) if not ({*names} & {*decisions} and {*options} & {*decisions.values()}):
            return count, entry
        case Laid(draw=number):
            place = round_.draws[number - 1].place or ""
            is_over = seat_of(place) in ended and not (isinstance(due, Deal) and due.to == place)
            return (count, entry) if (place not in names if names else is_over) else None
    return None


def keep_answers(draft: Draft, count: int, *, placed: bool = True) -> None:
    """Keep only the first `count` answers: later cards are loose again, later decisions are withdrawn.

    `placed`: the cards keep their place in the record; False: nobody knows where they lie.
    """
    round_ = draft.state.round
    cut, asking = round_.script[count:], round_.asking
    withdrawn = [decisions_in_play(round_, entry.decisions) for entry in cut if isinstance(entry, WindowAnswers)]
    if asking is not None:
        withdrawn.append(asking.decided)
    stakes = {bet.id: bet.stake for decisions in withdrawn for bet in follow_ons(draft, decisions)}
    decided = {who: decision for one in withdrawn for who, decision in one.items()}
    draft.write(r.Rewound(count, decided, len(stakes), sum(stakes.values()), draft.currency))
    for decisions in withdrawn:
        withdraw_follow_ons(draft, decisions)
    for entry in cut:
        if isinstance(entry, Laid):
            draw = draft.state.round.draws[entry.draw - 1]
            place = draw.place if placed else None
            draft.write(r.Drawn(draw.number, draw.card, place, draw.hidden, draw.source))


def decisions_in_play(round_: Round, decisions: Mapping[str, str]) -> dict[str, str]:
    """Decisions of hands that are not void, by player or seat."""
    return {who: decision for who, decision in decisions.items() if not round_.is_void(who)}


def answer_automatic_steps(draft: Draft) -> bool:
    """Apply all answers that need no person, such as reveals. Returns True if no new fault was raised."""
    before = draft.state.fault
    while answer_if_automatic(draft, draft.due):
        pass
    return draft.state.fault == before


def go_on(draft: Draft, *, confirmed: bool) -> None:
    """Resume play in the state of the step due now, unless the ruling has caused the next fault.

    `confirmed`: a shift manager has ruled on the cards themselves. If nothing is due then and the result is unchanged,
    the ruling confirms the round: the dealer's key or the shoe's result could add nothing. A ruling that changes a
    result never confirms it. A past round that was reopened stays paused.
    """
    state = draft.state
    if _is_faulted(draft) or draft.is_reopened:
        return
    record_corrected_cards(draft)
    if draft.due is None:
        complete(draft)
    if _is_faulted(draft):
        return
    by_shoe = any(isinstance(waiting.came, e.ShoeSays) for waiting in state.waiting) and not state.shoe.advisory
    if fault_cut_off(draft) or next_report(draft):
        return
    if isinstance(draft.due, Deal) and (lacking := deal_obstacle(draft)):
        draft.fault(*lacking)
        return
    progress(draft)
    if _is_faulted(draft):
        return
    draft.write(r.Resumed(_life_of(draft)))
    if draft.state.life == "complete" and (by := _confirmer(draft, confirmed=confirmed, heard=by_shoe)) is not None:
        settle(draft, by)
    relieve(draft)


def _confirmer(draft: Draft, *, confirmed: bool, heard: bool) -> str | None:
    """Return who confirmed a complete round ("manager", "auto", "shoe"); None if nobody did.

    `heard`: the shoe's result came during the pause.
    """
    terms = draft.state.round.terms
    if confirmed and not _has_other_result(draft):
        return "manager"
    return terms.confirm if terms.confirm == "auto" or (heard and terms.confirm == "shoe") else None


def _has_other_result(draft: Draft) -> bool:
    """True if the result or a payment differs now from an earlier ruling's, or from that without this ruling."""
    if not draft.began.live:
        return False
    states = (*states_at_rulings(draft.began), state_without_ruling(draft))
    sure = states[:-1] if face_down_draws(draft.began) else states
    now, results = _result(draft, draft.state), [_result(draft, state) for state in sure]
    if any(was is not None and was != now for was in results):
        return True
    amounts = earliest_returns(returns(draft.position, state, face_down_draws(draft.began)) for state in states)
    goes_back = returns(draft.position, draft.state)
    return any(amount is not None and goes_back.get(bet) != amount for bet, amount in amounts.items())


def _result(draft: Draft, state: State) -> tuple[dict[str, Any], tuple[str, ...]] | None:
    """Result of the round and the hands that are void in it; None without a result."""
    outcome = draft.position.outcome(state)
    return None if outcome is None else (outcome.record(), state.round.void)


def _is_faulted(draft: Draft) -> bool:
    """True if the event being decided has caused a fault."""
    return draft.state.fault is not None and draft.state.fault.seq > draft.started


def record_corrected_cards(draft: Draft) -> None:
    """Record corrected cards as dealt again, for everybody who saw the wrong value."""
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
