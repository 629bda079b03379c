"""Fold of a round from opening to end: bets, cards on the table, decisions and outcome."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import msgspec
from msgspec.structs import replace

from .. import events as e
from .. import records as r
from ..book import NO_BETS, Bet
from ..clock import SECOND
from ..copies import count_seen
from ..house import Terms
from ..life import NoTransition, next_state
from ..script import Laid, PlaceShown, WindowAnswers, WindowClosed
from ..spot import Spot
from ..state import DecisionWindow, Draw, Round, RoundParticipants, State


def _opened(state: State, what: r.Opened, record: r.Record) -> State:
    terms = msgspec.convert(what.terms, Terms)  # a term that an earlier version did not know has its default
    counts = dict(count_seen(state))  # a carried card becomes a draw of this round
    return replace(
        state,
        life=next_state(state.life, "open"),
        shoe=replace(state.shoe, seen=counts, since=0, shuffled=False, after_cut=state.shoe.after_cut + state.shoe.cut),
        round=Round(
            number=record.round or 0,
            id=what.round_id,
            game=what.game,
            version=what.version,
            settings=what.settings,
            terms=terms,
            dealer=record.dealer,
            odds=what.odds,
            digest=what.digest,
            dealer_id=state.dealer_id,
        ),
        deadline=record.at + terms.betting_seconds * SECOND,
    )


def _window_opened(state: State, what: r.WindowOpened, record: r.Record) -> State:
    best = {**state.round.best_odds}
    for market, odds in state.round.odds.items():
        best[market] = max(odds, best.get(market, odds), key=Decimal)
    window = replace(state.round, window=what.window, odds=what.odds, best_odds=best)
    time = state.round.terms.betting_seconds * SECOND
    if state.life == "paused":
        return replace(state, round=window, left=time)
    return replace(state, life=next_state(state.life, "reopen"), round=window, deadline=record.at + time)


def _bet_accepted(state: State, what: r.BetAccepted, record: r.Record) -> State:
    spot, round_ = Spot.parse(what.market), state.round
    event = record.input and record.input.event
    origin = e.Origin(event.via, event.id) if isinstance(event, e.PlaceBet) and event.id is not None else None
    of_class = what.player_class or None
    fields = what.odds, round_.window, len(round_.draws)
    bet = Bet(what.bet, what.player, spot, what.stake, *fields, player_class=of_class, origin=origin)
    return replace(state, round=round_.with_bet(bet))


def _bet_repriced(state: State, what: r.BetRepriced, _: r.Record) -> State:
    bets = state.round.bets
    bet = bets[what.bet]
    repriced = replace(bet, odds=what.odds, taken=bet.taken or what.was)
    return replace(state, round=replace(state.round, bets=bets.copy_with(repriced)))


def _bet_gone(state: State, what: r.BetWithdrawn | r.Paid | r.Refunded, _: r.Record) -> State:
    round_ = state.round
    by_ruling = isinstance(what, r.BetWithdrawn) and state.life == "paused"
    returned = {**round_.returned, what.bet: what.stake} if by_ruling else round_.returned
    bets = round_.bets.without(what.bet)
    owed = round_.owed if bets else NO_BETS
    return replace(state, round=replace(round_, bets=bets, returned=returned, owed=owed))


def _exposure_warned(state: State, _what: r.ExposureWarned, _: r.Record) -> State:
    return replace(state, round=replace(state.round, exposed=True))


def _player_gone(state: State, what: r.PlayerGone, _: r.Record) -> State:
    return replace(state, gone=(*state.gone, what.player))


def _player_back(state: State, what: r.PlayerBack, _: r.Record) -> State:
    return replace(state, gone=tuple(player for player in state.gone if player != what.player))


def _closed(state: State, what: r.Closed, _: r.Record) -> State:
    round_ = replace(state.round, shut=max(state.round.shut, what.window), hurried=None)
    if what.window == 1:
        round_ = replace(round_, joined=RoundParticipants(what.players, what.seats))
    else:
        round_ = replace(round_, script=(*round_.script, WindowClosed(what.window)))
    if state.life != "betting":  # this window was closed before; a ruling has led the round to it once more
        return replace(state, round=round_)
    return replace(state, life=next_state(state.life, "close"), round=round_, deadline=None)


def _ignored(state: State, what: r.Ignored, record: r.Record) -> State:
    """Remember a first press of NO MORE BETS; nothing else that is ignored changes anything."""
    if what.reason != "press_again":
        return state
    return replace(state, round=replace(state.round, hurried=record.at))


def _dealt(state: State, what: r.Dealt, _: r.Record) -> State:
    number, round_ = what.draw, state.round
    shown = what.face_up or what.source == "carried"  # a carried card was shown in the round before
    laid = Draw(number, what.card, None, "placed", what.to, not what.face_up, what.source, what.card, shown=shown)
    if number == len(round_.draws) + 1:
        carried = what.source == "carried"  # it left the shoe in the round before
        shoe = replace(state.shoe, out=state.shoe.out + (not carried))
        state = replace(state, shoe=shoe, carried=None if carried else state.carried)
    else:
        old = round_.draws[number - 1]
        laid = replace(laid, read=old.read, ruled=old.ruled, source=old.source, shown=laid.shown or old.shown)
    script = round_.script if Laid(number) in round_.script else (*round_.script, Laid(number))
    return replace(state, round=replace(round_, draws=round_.draws_with(laid), script=script))


def _drawn(state: State, what: r.Drawn, _: r.Record) -> State:
    round_ = state.round
    if what.draw <= len(round_.draws):  # it had a place until the round was rewound
        again = replace(round_.draws[what.draw - 1], place=what.at_place)
        return replace(state, round=replace(round_, draws=round_.draws_with(again)))
    shown, about = what.card is not None and not what.hidden, (what.at_place, what.hidden, what.source)
    draw = Draw(what.draw, what.card, None, "loose", *about, said=what.said, shown=shown)
    return replace(
        state,
        round=replace(round_, draws=round_.draws_with(draw)),
        shoe=replace(state.shoe, out=state.shoe.out + 1),
    )


def _asked(state: State, what: r.Asked, record: r.Record) -> State:
    asking = DecisionWindow(what.who, what.options, what.default, seq=record.seq, void=what.void)
    round_, time = replace(state.round, asking=asking, silent=()), what.seconds * SECOND
    if state.life == "paused":
        return replace(state, round=round_, left=time)
    return replace(state, life=next_state(state.life, "ask"), round=round_, deadline=record.at + time)


def _decided(state: State, what: r.Decided, _: r.Record) -> State:
    round_, asking = state.round, state.round.asking
    if asking is None:
        raise NoTransition(state.life, "answer")
    decided = {**asking.decided, what.who: what.decision}
    silent = (*round_.silent, what.who) if what.by == "table" else round_.silent
    if what.bet is not None and what.player is not None and what.market is not None and what.stake is not None:
        round_ = round_.with_bet(Bet(what.bet, what.player, Spot.parse(what.market), what.stake))
    if len(decided) < len(asking.who):
        return replace(state, round=replace(round_, asking=replace(asking, decided=decided), silent=silent))
    round_ = replace(_with_answers(round_, asking, decided), silent=silent)
    return replace(state, life=next_state(state.life, "answer"), round=round_, deadline=None)


def _with_answers(round_: Round, asking: DecisionWindow, decided: dict[str, str]) -> Round:
    """Round with its open question answered; void hands take the default."""
    every = {**decided, **dict.fromkeys(asking.void, asking.default)}
    return replace(round_, asking=None, script=(*round_.script, WindowAnswers(every)))


def _hand_voided(state: State, what: r.HandVoided, _: r.Record) -> State:
    round_, asking = state.round, state.round.asking
    round_ = replace(round_, void=(*round_.void, what.place))
    if what.left_out:
        round_ = replace(round_, left_out=(*round_.left_out, what.place))
    if asking is None or not any(map(round_.is_void, asking.who)):
        return replace(state, round=round_)
    who = tuple(one for one in asking.who if not round_.is_void(one))
    if not who:
        return replace(state, round=replace(round_, asking=None), left=None)
    decided = {one: decision for one, decision in asking.decided.items() if one in who}
    void = (*asking.void, *(one for one in asking.who if one not in who))
    asking = replace(asking, who=who, decided=decided, void=void)
    if len(decided) == len(who):
        return replace(state, round=_with_answers(round_, asking, decided), left=None)
    return replace(state, round=replace(round_, asking=asking))


def _rewound(state: State, what: r.Rewound, _: r.Record) -> State:
    round_ = state.round
    loose = {entry.draw for entry in round_.script[what.answers :] if isinstance(entry, Laid)}
    draws = tuple(replace(draw, fate="loose") if draw.number in loose else draw for draw in round_.draws)
    left = state.left if round_.asking is None else None  # a question asked anew has its whole time
    round_ = replace(round_, draws=draws, script=round_.script[: what.answers], asking=None, outcome=None)
    return replace(state, round=round_, left=left)


def _revealed(state: State, what: r.PlaceRevealed, _: r.Record) -> State:
    draws = tuple(
        replace(draw, hidden=False, shown=True) if draw.place == what.place and draw.fate == "placed" else draw
        for draw in state.round.draws
    )
    script = (*state.round.script, PlaceShown(what.place))
    return replace(state, round=replace(state.round, draws=draws, script=script))


def _completed(state: State, what: r.Completed, _: r.Record) -> State:
    life = state.life if state.life == "paused" else next_state(state.life, "complete")
    return replace(state, life=life, round=replace(state.round, outcome=what.outcome))


def _settled(state: State, _what: r.Settled, _: r.Record) -> State:
    old_round = state.round
    owed = old_round.bets if old_round.terms.ceilings else NO_BETS
    round_ = replace(old_round, judged=(), stopped=0, returned={}, best_odds={}, owed=owed)
    return replace(state, life=next_state(state.life, "settle"), round=round_)


def _cancelled(state: State, _what: r.Cancelled, _: r.Record) -> State:
    return replace(
        state,
        life=next_state(state.life, "cancel"),
        fault=None,
        deadline=None,
        left=None,
        round=replace(state.round, asking=None, outcome=None, judged=(), stopped=0, returned={}, best_odds={}),
    )


FOLDS: Mapping[type, Callable[[State, Any, r.Record], State]] = {
    r.Opened: _opened,
    r.WindowOpened: _window_opened,
    r.BetAccepted: _bet_accepted,
    r.BetWithdrawn: _bet_gone,
    r.BetRepriced: _bet_repriced,
    r.ExposureWarned: _exposure_warned,
    r.PlayerGone: _player_gone,
    r.PlayerBack: _player_back,
    r.Closed: _closed,
    r.Ignored: _ignored,
    r.Dealt: _dealt,
    r.Drawn: _drawn,
    r.Asked: _asked,
    r.Decided: _decided,
    r.HandVoided: _hand_voided,
    r.Rewound: _rewound,
    r.PlaceRevealed: _revealed,
    r.Completed: _completed,
    r.Settled: _settled,
    r.Paid: _bet_gone,
    r.Cancelled: _cancelled,
    r.Refunded: _bet_gone,
}
