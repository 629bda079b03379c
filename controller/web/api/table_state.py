"""State of a table for each audience, without the fields that the audience may not see.

A face-down card is null for every audience. Players see no more than in the events that they receive.
"""

from msgspec.structs import replace

from ...core import book
from ...core.clock import SECOND, to_text
from ...core.coded_message import CodedMessage
from ...core.exposure import exposure
from ...core.faults import due_of
from ...core.notation import cause_text, due_text
from ...core.offers import blocked_rulings, possible_rulings
from ...core.open_fault import Fault
from ...core.state import Draw, State
from ...core.viewers import STRANGERS, Viewers
from ...core.views import ANNOUNCED, without_training_round
from ...rules.cards import Card
from ...rules.game import Game
from ...rules.procedure import Ask, Step
from ...text.coded import render
from ...text.records import INVESTIGATED
from .commands import Role
from .state_message import (
    BetsInPlay,
    LooseCard,
    OpenCase,
    OpenFault,
    RoundExposure,
    ShoeCards,
    TableState,
    WaitingReport,
)


def build_state(
    state: State,
    due: Step | None,
    halted: CodedMessage | str | None,
    role: Role,
    viewers: Viewers = STRANGERS,
    sheet: Game | None = None,
) -> TableState:
    """Build the state that one role may see.

    `due`: expected step. `halted`: why the table cannot record. `viewers`: names under which players are shown to each
    other. `sheet`: rule sheet of the round, for its exposure.
    """
    if role in ANNOUNCED:
        state, due = without_training_round(state), None if state.round.terms.training else due
    if role == "player":
        return _public(_apply_pseudonyms(state, viewers), viewers.step(due), halted)
    return replace(
        _for_staff(state, _public(state, due, halted), halted),
        fault=None if state.fault is None else _fault(state, state.fault, due),
        exposure=None if role != "manager" or sheet is None else _exposure(state, sheet),
    )


def _for_staff(state: State, public: TableState, halted: CodedMessage | str | None) -> TableState:
    round_, shoe, asking = state.round, state.shoe, state.round.asking
    return replace(
        public,
        halted=None if halted is None else render(halted),
        outcome=round_.outcome,
        paused_from=state.paused_from if state.life == "paused" else None,
        loose=tuple(LooseCard(draw.number, draw.visible_card, draw.place) for draw in state.loose_draws),
        question=None if asking is None else asking.seq,
        decided=None if asking is None else asking.decided,
        dealer=state.dealer,
        shoe=ShoeCards(shoe.id, shoe.shown_cards_left, shoe.cut, shoe.shuffled, shoe.changing),
        bets=_stakes(round_.bets),
        lost=state.lost,
        gone=state.gone,
        cases=tuple(
            OpenCase(one.seq, one.round, to_text(one.since), cause_text(one.came), one.came) for one in state.cases
        ),
    )


def _public(state: State, due: Step | None, halted: CodedMessage | str | None) -> TableState:
    round_ = state.round
    return TableState(
        table=state.table,
        seq=state.seq,
        epoch=state.identity.epoch,
        at=to_text(state.at),
        halted=None if halted is None else INVESTIGATED,
        open=state.open,
        life=state.life,
        round=round_.number,
        window=round_.window,
        round_id=round_.id or None,
        currency=state.identity.currency,
        game=round_.game,
        due=None if due is None else _step(due, round_.terms.decision_seconds),
        expected=due_text(due_of(state, due)),
        places=_places(round_.draws),
        deadline=None if state.deadline is None else to_text(state.deadline),
        left=None if state.left is None else state.left / SECOND,
        outcome=round_.outcome if state.life in ("settled", "cancelled") else None,
        manual=round_.manual,
    )


def _apply_pseudonyms(state: State, viewers: Viewers) -> State:
    outcome = state.round.outcome
    return state if outcome is None else replace(state, round=replace(state.round, outcome=viewers.outcome(outcome)))


def _step(due: Step, seconds: int) -> Step:
    return replace(due, seconds=seconds) if isinstance(due, Ask) and due.seconds is None else due


def _places(draws: tuple[Draw, ...]) -> dict[str, tuple[Card | None, ...]]:
    """Cards of each place, in the order they were dealt."""
    places: dict[str, tuple[Card | None, ...]] = {}
    for draw in draws:
        if draw.fate == "placed" and draw.place:
            places[draw.place] = (*places.get(draw.place, ()), draw.visible_card)
    return places


def _fault(state: State, fault: Fault, due: Step | None) -> OpenFault:
    cause = fault.visible_cause
    return OpenFault(
        fault.seq,
        to_text(fault.since),
        fault.code,
        due_text(fault.due),
        cause_text(cause),
        fault.due,
        cause,
        possible_rulings(state, due),
        fault.draw,
        blocked_rulings(state, due),
        tuple(WaitingReport(one.seq, cause_text(one.came), one.came) for one in state.waiting),
    )


def _exposure(state: State, sheet: Game) -> RoundExposure | None:
    terms = state.round.terms
    warning = terms.exposure_warning if isinstance(terms.exposure_warning, int) else None
    if not state.live:
        return None
    return RoundExposure(exposure(sheet, state.round, state.identity.currency), warning, state.round.exposed)


def _stakes(bets: book.Book) -> BetsInPlay:
    markets = {str(spot): staked.total for spot, staked in bets.staked.items()}
    return BetsInPlay(len(bets), sum(markets.values()), markets)
