"""Reports from the table: a fault at once, or a queue during a pause.

A report that comes during a pause is the next fault, unless the ruling that ends the pause has answered it. Invariant:
no report is dropped. It becomes a fault, or the record says what answered it.
"""

from collections.abc import Mapping

from msgspec import Struct

from ...rules.procedure import Bets, Deal
from .. import events as e
from .. import records as r
from ..causes import Report
from ..draft import Draft
from ..knowledge import forbids
from ..open_fault import QueuedReport
from ..records import RoundDifference
from ..state import State
from .affected_decisions import effect_of_change, without


class RaisedFault(Struct, frozen=True):
    """Fault that a report raises: its code and the draw it is about."""

    code: str
    draw: int | None = None


def report(draft: Draft, event: Report) -> bool:
    """Handle a report of a person or device. Returns False if it changes nothing."""
    fault, draw = draft.state.fault, _dropped_draw(draft.state, event)
    raised = raised_by(draft, event, draw)
    if fault is None:
        if raised is not None:
            _pause(draft, raised, event)
    elif is_reported(draft.state, event, draw):
        draft.ignore(event, "reported_already")
        return True
    elif raised is not None or _is_result(draft, event):
        draft.write(r.Reported(event, draw))
        return True
    return raised is not None


def is_reported(state: State, event: Report, draw: int | None = None) -> bool:
    """True if the same report has raised the open fault, or waits already."""
    fault = state.fault
    reports = [(one.came, one.draw) for one in state.waiting] + ([] if fault is None else [(fault.came, fault.draw)])
    return (event, draw) in reports


def next_report(draft: Draft) -> bool:
    """Raise the next waiting report as a fault; record those that the ruling has answered.

    Returns True if there is a next fault.
    """
    while draft.state.waiting:
        first = draft.state.waiting[0]
        raised = raised_by(draft, first.came, first.draw)
        if raised is not None:
            _pause(draft, raised, first.came, first.seq)
            return True
        draft.write(r.ReportAnswered(first.seq, "ruling"))
    return False


def answer_reports(draft: Draft, by: r.AnsweredBy, *, lost: str | None = None) -> None:
    """Record waiting reports as answered: all of them, or only the loss of the device `lost`."""
    for waiting in draft.state.waiting:
        if lost is None or _is_loss_of(waiting, lost):
            draft.write(r.ReportAnswered(waiting.seq, by))


def raised_by(draft: Draft, event: Report, draw: int | None = None) -> RaisedFault | None:
    """Fault that this report raises in the present round, paused or not; None if it raises none.

    `draw`: number of the draw that it is about.
    """
    if event == e.KeyPressed("manager"):
        return RaisedFault("dealer_call")
    return _live_fault(draft, event, draw) if draft.state.live else None


def _live_fault(draft: Draft, event: Report, draw: int | None) -> RaisedFault | None:
    match event:
        case e.KeyPressed(key=key):
            return _key_fault(draft.state, key, draw)
        case e.ShoeSays():
            return _result(draft, event)
        case e.LostDevice(device=device) if device in draft.state.lost:
            return _loss(draft, device)
        case e.TelegramsLost() if draft.state.round.terms.telegram_loss == "fault":
            return RaisedFault("telegram_lost")
    return RaisedFault(_ALWAYS[type(event)]) if type(event) in _ALWAYS else None


def _key_fault(state: State, key: e.Key, draw: int | None) -> RaisedFault | None:
    """Fault that CARD DROPPED or CARD SEEN raises in a live round. `draw`: number of the draw that fell."""
    if key == "dropped" and draw in draws_on_table(state):
        return RaisedFault("card_dropped", draw)
    seen = key == "exposed" and draws_on_table(state, hidden=True)
    return RaisedFault("hidden_card_exposed") if seen else None


def is_new_report(state: State, event: e.KeyPressed) -> bool:
    """True if CARD DROPPED or CARD SEEN, pressed in this live round, raises a fault or waits as the next one."""
    draw = _dropped_draw(state, event)
    return _key_fault(state, event.key, draw) is not None and not is_reported(state, event, draw)


_ALWAYS: Mapping[type, str] = {
    e.ShoeFails: "shoe_error",
    e.JournalBack: "journal_failed",
    e.ProgramBack: "restarted",
}


def draws_on_table(state: State, *, hidden: bool = False) -> list[int]:
    """Numbers of the draws on the table; with `hidden`, only those face down."""
    draws = (draw for draw in state.round.draws if draw.lies)
    return [draw.number for draw in draws if draw.hidden or not hidden]


def agrees(event: e.ShoeSays, outcome: dict[str, object]) -> bool:
    """True if the winner and pairs that the shoe reports equal the computed outcome."""
    pairs = outcome.get("pairs")
    same_pairs = event.pairs is None or not isinstance(pairs, list | tuple) or set(event.pairs) == set(pairs)
    return event.winner == outcome.get("winner") and same_pairs


def _pause(draft: Draft, raised: RaisedFault, event: Report, waited: int | None = None) -> None:
    """Pause the round. If a hidden card was seen while a decision is open or to come, `resume` is barred."""
    exposed = raised.code == "hidden_card_exposed"
    numbers = draws_on_table(draft.state, hidden=True) if exposed else [raised.draw] if raised.draw is not None else []
    barred = ("resume",) if exposed and forbids(draft.position, draft.state, numbers) else ()
    effect = effect_of_change(draft, without(draft.state.round, numbers)) if numbers else RoundDifference()
    draft.fault(raised.code, event, draw=raised.draw, without=barred, report=waited, touched=effect)


def _result(draft: Draft, event: e.ShoeSays) -> RaisedFault | None:
    if draft.state.shoe.advisory:
        return None
    if isinstance(draft.due, Deal):
        return RaisedFault("missing_card")
    outcome = draft.position.outcome(draft.state) if draft.due is None else None
    compared = outcome is not None and "winner" in (record := outcome.record())  # not every game has one winner
    return RaisedFault("result_mismatch") if compared and not agrees(event, record) else None


def _loss(draft: Draft, device: str) -> RaisedFault | None:
    """Fault raised by the loss of a device; None: only a warning.

    In a live round a lost shoe is a fault; a lost panel only if the table is set so. The game server is waited for
    while bets are open; after the close the round is dealt to its end.
    """
    if device == "server":
        return RaisedFault("server_lost") if isinstance(draft.due, Bets) else None
    matters = device == "shoe" or (device == "panel" and draft.state.round.terms.panel_loss == "fault")
    return RaisedFault("device_lost") if matters else None


def _dropped_draw(state: State, event: Report) -> int | None:
    """Number of the draw that a "dropped" report is about: the last one on the table."""
    return max(draws_on_table(state), default=None) if event == e.KeyPressed("dropped") else None


def _is_result(draft: Draft, event: Report) -> bool:
    """True if this is a shoe's result in a live round; it may confirm the outcome once play goes on."""
    return isinstance(event, e.ShoeSays) and draft.state.live


def _is_loss_of(waiting: QueuedReport, device: str) -> bool:
    return isinstance(waiting.came, e.LostDevice) and waiting.came.device == device
