"""The round from OPEN BETS to settlement: what happens by itself, and what the dealer's keys do.

A round starts only by a deliberate act; what follows from the rule sheet alone follows by `progress`.
"""

from collections.abc import Iterable, Iterator

from ...rules.procedure import Ask, Bets, Deal, Participants, Reveal, plain
from .. import events as e
from .. import records as r
from .. import sheet
from ..came import Came, EmptyShoe, NoSeat, Why
from ..draft import Draft
from ..fitting import can_be_dealt, first_flaw
from ..house import House
from ..life import LIVE
from ..odds import first_odds, further_odds
from ..persons import id_of
from ..state import Draw, Shoe, State
from ..ulid import round_id
from .bets import refund_bets, settle_bets, withdraw_absent
from .checkpoints import checkpoint
from .devices import fault_cut_off
from .reports import answer_reports


def open_round(draft: Draft, event: e.Open) -> None:
    """OPEN BETS: a round begins, unless something stands in its way."""
    house, state = draft.house, draft.state
    if reason := obstacle(house, state) if event.round in (None, state.next_round) else "other_round":
        draft.write(r.StartRefused(reason))
        return
    draft.write(
        r.Opened(
            game=house.game.name,
            version=house.game.version,
            settings=plain(house.settings),
            terms=house.pinned_terms(),
            odds=first_odds(house, state),
            digest=sheet.digest(house.game),
            by=event.by,
            dealer_id=state.dealer_id or id_of(state.dealer),
            round_id=round_id(state.identity.epoch, house.table, state.next_round, draft.at),
            currency=draft.currency,
        )
    )


def obstacle(house: House, state: State) -> str | None:
    """Why no round can start now: the first reason."""
    return next(obstacles(house, state), None)


def obstacles(house: House, state: State) -> Iterator[str]:
    """All that stands in the way of a round."""
    deck = house.deck
    checks = (
        (state.life == "paused", "paused"),
        (state.life in LIVE, "round_live"),
        (bool(state.doubts), "record_damaged"),
        (not state.open, "table_closed"),
        (house.posted_digest not in (None, sheet.digest(house.game)), "rules_mismatch"),
        (state.dealer is None, "no_dealer"),
        ("server" in state.lost, "server_lost"),
        ("shoe" in state.lost or state.shoe.changing or not is_of(state.shoe, house), "shoe_missing"),
        (deck.every_round and not state.shoe.shuffled, "not_shuffled"),
        (state.shoe.suspect, "deck_suspect"),
        (state.shoe.cut and state.shoe.after_cut >= (house.terms.cut_card == "one_more"), "cut_card_out"),
        (state.shoe.size - state.shoe.out < deck.change_below, "shoe_low"),
    )
    return (reason for stands, reason in checks if stands)


def is_of(shoe: Shoe, house: House) -> bool:
    """Whether a shoe is one of this game, as the table is set now."""
    return (shoe.game, shoe.size) == (house.game.name, house.deck.size)


def close_bets(draft: Draft, event: e.Close) -> None:
    """NO MORE BETS."""
    if event.round not in (None, draft.state.round.number):
        draft.ignore(event, "other_round")
    elif draft.state.life == "betting":
        close_window(draft, event.by)
    else:
        draft.ignore(event)


def close_window(draft: Draft, by: str) -> None:
    """The open betting window ends; with the first one it is known who takes part."""
    withdraw_absent(draft)
    window = draft.state.round.window
    joined = participants(draft) if window == 1 else Participants()
    draft.write(r.Closed(by, window, joined.players, joined.seats))
    if draft.house.game.seats and window == 1 and not joined.seats:
        void(draft, NoSeat())
    else:
        progress(draft)


def participants(draft: Draft) -> Participants:
    """Everybody with a bet on the market that counts; in a seated game the seats they are for, in dealing order."""
    game = draft.house.game
    joined = [bet for bet in draft.state.round.bets.values() if game.joins in (None, bet.spot.market)]
    taken = {bet.spot.seat for bet in joined}
    return Participants(
        players=tuple(dict.fromkeys(bet.player for bet in joined)),
        seats=tuple(seat for seat in game.seats if seat in taken),
    )


def progress(draft: Draft) -> None:
    """Go on as far as nobody is needed: a carried card, a reveal, a question, a betting window, the end."""
    while _step(draft):
        pass


def _step(draft: Draft) -> bool:
    if answers_itself(draft):
        return True
    state = draft.state
    match draft.due:
        case Deal(to=place, face_up=face_up) if state.carried:
            draft.write(r.Dealt(len(state.round.draws) + 1, state.carried, place, face_up, "carried"))
            return True
        case Deal() if draft.running and (lacking := no_card_can_come(draft)):
            draft.fault(*lacking)
        case Ask() as ask if state.round.asking is None:
            draft.write(r.Asked(ask.who, ask.options, ask.default, ask.seconds or state.round.terms.decision_seconds))
        case Bets(window=window):
            odds = further_odds(draft.position, state)
            if not _is_open_at(draft, odds):
                draft.write(r.WindowOpened(window, odds))
        case None:
            complete(draft)
    return False


def answers_itself(draft: Draft) -> bool:
    """Whether what was due has answered itself: a reveal, or a further betting window that was closed before."""
    round_ = draft.state.round
    match draft.due:
        case Reveal(place=place) if round_.terms.reveal == "auto":
            return reveal(draft, place)
        case Bets(window=window) if 1 < window <= round_.shut:
            draft.write(r.Closed("table", window))
        case _:
            return False
    return True


def no_card_can_come(draft: Draft) -> tuple[str, Came] | None:
    """The fault if a card is due that cannot come: there is no shoe, or too few cards are left in it for the round."""
    shoe = draft.state.shoe
    if "shoe" in draft.state.lost:
        return "device_lost", e.LostDevice("shoe")
    left = shoe.size - shoe.out
    enough = left > 0 and can_be_dealt(draft, left)
    return None if enough else ("shoe_exhausted", EmptyShoe(max(0, left)))


def _is_open_at(draft: Draft, odds: dict[str, str]) -> bool:
    """Whether the window is open, at these odds: where a ruling has changed what they follow from it opens anew."""
    state = draft.state
    return state.life == "betting" or (state.life == "paused" and state.left is not None and state.round.odds == odds)


def reveal(draft: Draft, place: str) -> bool:
    """The face-down cards of a place are turned over, unless one of them is wrong."""
    lying = [draw for draw in draft.state.round.draws if draw.fate == "placed" and draw.place == place]
    if not _are_sound(draft, lying):
        return False
    draft.write(r.Revealed(place, tuple(draw.card for draw in lying if draw.card)))
    return True


def _are_sound(draft: Draft, lying: Iterable[Draw]) -> bool:
    """Whether nothing is wrong with those of them that lie face down still. The first that is wrong is a fault, told
    as that of any card which comes open."""
    flaw = first_flaw(draft, (draw for draw in lying if draw.hidden))
    if flaw is not None:
        draw, code = flaw
        draft.fault(code, e.CardOut(draw.card), draw=draw.number)
    return flaw is None


def complete(draft: Draft) -> None:
    """Nothing is due any more. The result waits for whoever confirms it; what still lies face down is checked first."""
    outcome = draft.position.outcome(draft.state) if draft.state.live else None
    if outcome is None or not _are_sound(draft, (one for one in draft.state.round.draws if one.fate == "placed")):
        return
    if draft.state.round.outcome != outcome.record():
        draft.write(r.Completed(outcome.record()))
    if draft.state.life == "complete" and draft.state.round.terms.confirm == "auto":
        settle(draft, "auto")


def settle(draft: Draft, by: str) -> None:
    """The result is confirmed: outcome, every bet and the checkpoint are one event."""
    outcome = draft.position.outcome(draft.state)
    assert outcome is not None  # noqa: S101 - only a complete round settles
    draft.write(r.Settled(outcome.record(), by, draft.state.round.manual))
    settle_bets(draft, outcome)
    checkpoint(draft)


def void(draft: Draft, why: Why) -> None:
    """ERROR HANDLING: the round is cancelled, every stake goes back."""
    loose, stakes = draft.state.loose, [bet.stake for bet in draft.state.round.bets.values()]
    draft.write(r.Cancelled(why, len(stakes), sum(stakes), draft.currency))
    for draw in loose:
        draft.write(r.Voided(draw.number, draw.card, draw.hidden))
    answer_reports(draft, "cancel")
    refund_bets(draft)
    checkpoint(draft)
    fault_cut_off(draft)  # which no end of a round takes back


def finish(draft: Draft, event: e.Pressed) -> None:
    """FINISH: the dealer says that the round is over, or turns over where the table waits for the key."""
    due, state = draft.due, draft.state
    if not draft.running:
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
    """By the table's terms; and where the shoe should but cannot, because it is gone or lost track in a fault."""
    return state.round.terms.confirm == "dealer" or state.round.faults > 0 or "shoe" in state.lost
