"""The round from OPEN BETS to settlement: automatic steps and the dealer's keys.

A round starts only by a deliberate act. `progress` takes all steps that the rule sheet orders without a person.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, UnsetType

from ...rules.dealing import RuleSheetCall
from ...rules.procedure import Ask, Bets, Deal, Outcome, Participants, Reveal, Step
from .. import events as e
from .. import records as r
from ..causes import Cause, EmptyShoe, NoSeat, VoidReason
from ..clock import SECOND
from ..draft import Draft
from ..fitting import can_be_dealt, first_flaw
from ..knowledge import forbids
from ..odds import further_odds
from ..state import Draw, State, draws_on
from ..windows import deadline, window_mismatch
from . import payments
from .bets import withdraw_absent, withdraw_short
from .reports import answer_reports

TWICE = 2 * SECOND  # longest time between the two presses of NO MORE BETS that close early


def close_bets(draft: Draft, event: e.Close) -> None:
    """Close betting (NO MORE BETS); ignored if the betting window that is meant is not open."""
    if reason := window_mismatch(draft.state, event.round, event.window):
        draft.ignore(event, reason)
    elif draft.state.life == "betting":
        close_window(draft, event.by)
    else:
        draft.ignore(event)


def close_by_key(draft: Draft, event: e.KeyPressed) -> None:
    """Close betting by the dealer's key: before the time is up it has to be pressed twice within 2 s."""
    state = draft.state
    if state.life != "betting" or state.deadline is None or not draft.house.closes_by_two_presses:
        close_bets(draft, e.Close())
    elif state.round.hurried is None or draft.at - state.round.hurried > TWICE:
        draft.ignore(event, "press_again")
    else:
        close_window(draft, e.Close().by, early=-((draft.at - state.deadline) // SECOND))


def close_window(draft: Draft, by: str, early: int | UnsetType = UNSET) -> None:
    """Close the open betting window; the first close fixes the participants. `early`: seconds before its deadline."""
    withdraw_absent(draft)
    withdraw_short(draft)
    window = draft.state.round.window
    joined = participants(draft) if window == 1 else Participants()
    draft.write(r.Closed(by, window, joined.players, joined.seats, early))
    if draft.house.game.seats and window == 1 and not joined.seats:
        void(draft, NoSeat())
    else:
        progress(draft)


def participants(draft: Draft) -> Participants:
    """Participants: players with a bet on the joining market, and their seats in dealing order."""
    game = draft.house.game
    joined = [bet for bet in draft.state.round.bets.values() if game.joins in (None, bet.spot.market)]
    seats = {bet.spot.seat for bet in joined}
    return Participants(
        players=tuple(dict.fromkeys(bet.player for bet in joined)),
        seats=tuple(seat for seat in game.seats if seat in seats),
    )


def progress(draft: Draft) -> None:
    """Take all steps that need no person: a carried card, a reveal, a question, a betting window, the end."""
    while _step(draft):
        pass


def _step(draft: Draft) -> bool:
    state, due = draft.state, draft.due
    if answer_if_automatic(draft, due):
        return True
    match due:
        case Deal(to=place, face_up=face_up) if state.carried:
            draft.write(r.Dealt(len(state.round.draws) + 1, state.carried, place, face_up, "carried"))
            return True
        case Deal() if draft.is_running and (lacking := deal_obstacle(draft)):
            draft.fault(*lacking)
        case Ask() | Bets():
            _open(draft, due)
        case None:
            complete(draft)
    return False


def _open(draft: Draft, due: Ask | Bets) -> None:
    """Open the question or betting window that is due; a fault if somebody knows a hidden card.

    While the game server is lost, the new window is held at once, like a window that is open when the server is lost.
    """
    state = draft.state
    if forbids(draft.position, state):
        draft.fault("hidden_card_exposed", e.KeyPressed("exposed"), without=("resume",))
    elif isinstance(due, Ask):
        if state.round.asking is None:
            seconds, every = due.seconds or state.round.terms.decision_seconds, draft.position.dealing(state.round).due
            void = tuple(who for who in getattr(every, "who", ()) if who not in due.who)
            draft.write(r.Asked(due.who, due.options, due.default, seconds, void))
    elif not _is_open_at(draft, odds := further_odds(draft.position, state)):
        draft.write(r.WindowOpened(due.window, odds, _deadline(draft)))
        if "server" in state.lost and draft.house.waits_for_server:
            draft.fault("server_lost", e.LostDevice("server"))


def _deadline(draft: Draft) -> str | UnsetType | None:
    """Deadline of a betting window that opens now; None while paused, unset in older records."""
    if not draft.house.records_windows:
        return UNSET
    return None if draft.state.life == "paused" else deadline(draft.at, draft.state.round.terms)


def answer_if_automatic(draft: Draft, due: Step | None) -> bool:
    """Answer the step due if it is a reveal, or a betting window that was closed before. Returns True if it did."""
    round_ = draft.state.round
    match due:
        case Reveal(place=place) if round_.terms.reveal == "auto":
            return reveal(draft, place)
        case Bets(window=window) if 1 < window <= round_.shut:
            draft.write(r.Closed("table", window))
        case _:
            return False
    return True


def deal_obstacle(draft: Draft) -> tuple[str, Cause] | None:
    """Fault if no card can be dealt: the shoe is lost or holds too few cards for the round.

    None if all is well.
    """
    shoe = draft.state.shoe
    if "shoe" in draft.state.lost:
        return "device_lost", e.LostDevice("shoe")
    left = shoe.cards_left
    enough = left > 0 and can_be_dealt(draft, left)
    return None if enough else ("shoe_exhausted", EmptyShoe(shoe.shown_cards_left))


def _is_open_at(draft: Draft, odds: dict[str, str]) -> bool:
    """True if the window that is due is open already, or held by the pause at exactly these odds."""
    state = draft.state
    return state.life == "betting" or (state.life == "paused" and state.left is not None and state.round.odds == odds)


def _face_down(draft: Draft) -> list[Draw]:
    return [draw for draw in draft.state.round.draws if draw.fate == "placed" and draw.hidden]


def reveal(draft: Draft, place: str) -> bool:
    """Turn over the face-down cards of a place. Returns False, with a fault, if one of them is wrong."""
    lying = draws_on(draft.state.round, place)
    if not _are_sound(draft, lying):
        return False
    draft.write(r.PlaceRevealed(place, tuple(draw.card for draw in lying if draw.card)))
    return True


def _are_sound(draft: Draft, turned: Iterable[Draw]) -> bool:
    """True if all these cards are right once face up. The first wrong one raises a fault."""
    flaw = first_flaw(draft, turned)
    if flaw is not None:
        draw, code = flaw
        draft.fault(code, e.CardOut(draw.card), draw=draw.number)
    return flaw is None


def complete(draft: Draft) -> None:
    """Record the result once nothing is due.

    Hidden cards are checked first; then the result waits for confirmation.
    """
    outcome = draft.position.outcome(draft.state) if draft.state.live else None
    if outcome is None or not _are_sound(draft, _face_down(draft)):
        return
    if draft.state.round.outcome != (result := outcome_without_void(draft, outcome)):
        draft.write(r.Completed(result))
    if draft.state.life == "complete" and draft.state.round.terms.confirm == "auto":
        settle(draft, "auto")


def settle(draft: Draft, by: str) -> None:
    """Settle the confirmed round: record its outcome, pay every bet, close it with a checkpoint."""
    payments.check(draft)
    draft.write(r.Settled(outcome_without_void(draft, payments.outcome_of(draft)), by, draft.state.round.manual))
    payments.pay_out(draft)


def outcome_without_void(draft: Draft, outcome: Outcome) -> dict[str, Any]:
    """Outcome for the record, without the results of void hands. Raises SheetFailed if it cannot be recorded."""
    with RuleSheetCall():
        fields = outcome.record()
    is_void = draft.state.round.is_void
    return {
        name: {one: what for one, what in value.items() if not is_void(one)} if isinstance(value, dict) else value
        for name, value in fields.items()
    }


def void(draft: Draft, why: VoidReason) -> None:
    """Cancel the round and return every stake (ERROR HANDLING)."""
    loose, stakes = draft.state.loose_draws, [bet.stake for bet in draft.state.round.bets.values()]
    draft.write(r.Cancelled(why, len(stakes), sum(stakes), draft.currency))
    for draw in loose:
        draft.write(r.Voided(draw.number, draw.card, draw.hidden, draft.ruling))
    answer_reports(draft, "cancel")
    payments.pay_out(draft)


def finish(draft: Draft, event: e.KeyPressed) -> None:
    """Handle the FINISH key: confirm the result, turn over a place, or report a missing card."""
    due, state = draft.due, draft.state
    if not draft.is_running:
        draft.ignore(event)
    elif isinstance(due, Deal):
        draft.fault("missing_card", event)
    elif isinstance(due, Reveal):
        if reveal(draft, due.place):
            progress(draft)
    elif state.life == "complete" and dealer_confirms(state):
        settle(draft, "dealer")
    else:
        draft.ignore(event)


def dealer_confirms(state: State) -> bool:
    """True if the dealer's key confirms the result: by the terms, after a fault, or without a shoe."""
    return state.round.terms.confirm == "dealer" or state.round.faults > 0 or "shoe" in state.lost
