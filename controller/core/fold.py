"""State is the fold of records: `apply` takes a state and one record to the next state.

The one rule: it looks at nothing but the record. No rule sheet, clock or config is asked, so that an old record folds
to the same state for ever.
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from ..procedure import Participants
from . import records as r
from .clock import SECOND, Time
from .house import Terms
from .life import turn
from .state import Answered, Asking, Bet, Draw, Fate, Fault, Laid, Round, Shoe, Shown, Shut, State


class BrokenFold(Exception):
    """A record that does not follow from those before it."""


def fold(state: State, records: Iterable[r.Record]) -> State:
    """The state after these records."""
    for record in records:
        state = apply(state, record)
    return state


def apply(state: State, record: r.Record) -> State:
    """The state after one more record. Raises BrokenFold if its number is not the next one."""
    if record.seq != state.seq + 1:
        raise BrokenFold(f"record {record.seq} came after record {state.seq}")
    after = _APPLY[type(record.what)](state, record.what, record)
    since = _dealing_since(state, after, record)
    return replace(after, table=record.table, seq=record.seq, at=record.at, dealing_since=since)


def _dealing_since(before: State, after: State, record: r.Record) -> Time | None:
    """From when the next card is waited for."""
    if after.life != "dealing":
        return None
    new = before.life != "dealing" or isinstance(record.what, r.Dealt | r.Revealed)
    return record.at if new else before.dealing_since


def _with(draws: tuple[Draw, ...], draw: Draw) -> tuple[Draw, ...]:
    """The draws with this one, in the place of what was known of it or as one more."""
    return (*draws[: draw.number - 1], draw, *draws[draw.number :])


# ── table, dealer, shoe ──────────────────────────────────────────────────────────────────────────────────────────


def _dealer_changed(state: State, what: r.DealerChanged, _: r.Record) -> State:
    return replace(state, dealer=what.to)


def _shoe_change(state: State, _what: r.ShoeChange, _: r.Record) -> State:
    return replace(state, shoe=Shoe(id="", changing=True, since=len(state.round.draws)), carried=None)


def _shoe_ready(state: State, what: r.ShoeReady, _: r.Record) -> State:
    burnt_in = state.shoe if state.shoe.changing else Shoe(since=len(state.round.draws))
    return replace(
        state, shoe=replace(burnt_in, id=what.id, size=what.cards, changing=False), carried=None, shoes=state.shoes + 1
    )


def _shuffled(state: State, what: r.Shuffled, _: r.Record) -> State:
    shoe = state.shoe
    full = Shoe(what.id, shoe.size, since=len(state.round.draws), shuffled=True, advisory=shoe.advisory)
    return replace(state, shoe=full, carried=None, shoes=state.shoes + 1)


def _cut_card(state: State, _what: r.CutCard, _: r.Record) -> State:
    return replace(state, shoe=replace(state.shoe, cut=True))


def _stood_by(state: State, _what: r.ShoeStoodBy, _: r.Record) -> State:
    return replace(state, shoe=replace(state.shoe, advisory=False))


# ── the round ────────────────────────────────────────────────────────────────────────────────────────────────────


def _opened(state: State, what: r.Opened, record: r.Record) -> State:
    terms = msgspec.convert(what.terms, Terms)  # one that an earlier version did not know has its default
    seen = dict(state.shoe.seen)
    for draw in state.round.draws[state.shoe.since :]:
        if draw.card and draw.fate != "carried":  # that one is a draw of this round
            seen[draw.card] = seen.get(draw.card, 0) + 1
    return replace(
        state,
        life=turn(state.life, "open"),
        shoe=replace(state.shoe, seen=seen, since=0, shuffled=False),
        round=Round(record.round or 0, what.game, what.version, what.settings, terms, record.dealer, what.odds),
        deadline=record.at + terms.betting_seconds * SECOND,
    )


def _window_opened(state: State, what: r.WindowOpened, record: r.Record) -> State:
    window = replace(state.round, window=what.window, odds=what.odds)
    time = state.round.terms.betting_seconds * SECOND
    if state.life == "paused":
        return replace(state, round=window, left=time)
    return replace(state, life=turn(state.life, "reopen"), round=window, deadline=record.at + time)


def _bet_accepted(state: State, what: r.BetAccepted, _: r.Record) -> State:
    bet = Bet(what.bet, what.player, what.market, what.stake, what.odds, state.round.window)
    return replace(state, round=replace(state.round, bets={**state.round.bets, what.bet: bet}))


def _bet_gone(state: State, what: r.BetWithdrawn | r.Paid | r.Refunded, _: r.Record) -> State:
    bets = state.round.bets.copy()
    bets.pop(what.bet, None)
    return replace(state, round=replace(state.round, bets=bets))


def _player_gone(state: State, what: r.PlayerGone, _: r.Record) -> State:
    return replace(state, gone=(*state.gone, what.player))


def _player_back(state: State, what: r.PlayerBack, _: r.Record) -> State:
    return replace(state, gone=tuple(player for player in state.gone if player != what.player))


def _closed(state: State, what: r.Closed, _: r.Record) -> State:
    round_ = replace(state.round, shut=max(state.round.shut, what.window))
    if what.window == 1:
        round_ = replace(round_, joined=Participants(what.players, what.seats))
    else:
        round_ = replace(round_, script=(*round_.script, Shut(what.window)))
    if state.life == "paused":
        return replace(state, round=round_)
    return replace(state, life=turn(state.life, "close"), round=round_, deadline=None)


def _dealt(state: State, what: r.Dealt, _: r.Record) -> State:
    number, round_ = what.draw, state.round
    laid = Draw(number, what.card, None, "placed", what.to, not what.face_up, what.source, what.card)
    if number == len(round_.draws) + 1:
        out = state.shoe.out + (what.source != "carried")
        state = replace(state, shoe=replace(state.shoe, out=out))
    else:
        old = round_.draws[number - 1]
        laid = replace(laid, read=old.read, ruled=old.ruled, source=old.source)
    carried = None if what.source == "carried" else state.carried
    script = round_.script if Laid(number) in round_.script else (*round_.script, Laid(number))
    return replace(state, round=replace(round_, draws=_with(round_.draws, laid), script=script), carried=carried)


def _drawn(state: State, what: r.Drawn, _: r.Record) -> State:
    round_ = state.round
    if what.draw <= len(round_.draws):  # it had a place until the round was rewound
        return state
    draw = Draw(what.draw, what.card, None, "loose", what.at_place, what.hidden, what.source)
    return replace(
        state,
        round=replace(round_, draws=_with(round_.draws, draw)),
        shoe=replace(state.shoe, out=state.shoe.out + 1),
    )


def _asked(state: State, what: r.Asked, record: r.Record) -> State:
    asking = replace(state.round, asking=Asking(what.who, what.options, what.default), silent=())
    time = what.seconds * SECOND
    if state.life == "paused":
        return replace(state, round=asking, left=time)
    return replace(state, life=turn(state.life, "ask"), round=asking, deadline=record.at + time)


def _decided(state: State, what: r.Decided, _: r.Record) -> State:
    round_, asking = state.round, state.round.asking
    if asking is None:
        raise BrokenFold(f"{what.who} decided and nobody was asked")
    decided = {**asking.decided, what.who: what.decision}
    silent = (*round_.silent, what.who) if what.by == "table" else round_.silent
    if what.bet is not None and what.player is not None and what.market is not None and what.stake is not None:
        bet = Bet(what.bet, what.player, what.market, what.stake)
        round_ = replace(round_, bets={**round_.bets, bet.id: bet})
    if len(decided) < len(asking.who):
        return replace(state, round=replace(round_, asking=replace(asking, decided=decided), silent=silent))
    script = (*round_.script, Answered(decided))
    round_ = replace(round_, asking=None, script=script, silent=silent)
    return replace(state, life=turn(state.life, "answer"), round=round_, deadline=None)


def _rewound(state: State, what: r.Rewound, _: r.Record) -> State:
    round_ = state.round
    loose = {entry.draw for entry in round_.script[what.answers :] if isinstance(entry, Laid)}
    draws = tuple(replace(draw, fate="loose") if draw.number in loose else draw for draw in round_.draws)
    left = state.left if round_.asking is None else None  # a question asked anew has its whole time
    round_ = replace(round_, draws=draws, script=round_.script[: what.answers], asking=None, outcome=None)
    return replace(state, round=round_, left=left)


def _revealed(state: State, what: r.Revealed, _: r.Record) -> State:
    draws = tuple(
        replace(draw, hidden=False) if draw.place == what.place and draw.fate == "placed" else draw
        for draw in state.round.draws
    )
    script = (*state.round.script, Shown(what.place))
    return replace(state, round=replace(state.round, draws=draws, script=script))


def _completed(state: State, what: r.Completed, _: r.Record) -> State:
    life = state.life if state.life == "paused" else turn(state.life, "complete")
    return replace(state, life=life, round=replace(state.round, outcome=what.outcome))


def _settled(state: State, _what: r.Settled, _: r.Record) -> State:
    return replace(state, life=turn(state.life, "settle"))


def _cancelled(state: State, _what: r.Cancelled, _: r.Record) -> State:
    return replace(
        state,
        life=turn(state.life, "cancel"),
        fault=None,
        deadline=None,
        left=None,
        round=replace(state.round, asking=None, outcome=None),
    )


# ── faults and rulings ───────────────────────────────────────────────────────────────────────────────────────────


def _faulted(state: State, what: r.Faulted, record: r.Record) -> State:
    fault = Fault(record.seq, what.code, what.expected, what.got, what.rulings, what.draw, what.hidden, record.at)
    state = replace(state, fault=fault, round=replace(state.round, faults=state.round.faults + 1))
    if state.life == "paused":
        return state
    left = None if state.deadline is None else max(0, state.deadline - record.at)
    return replace(state, life=turn(state.life, "pause"), paused_from=state.life, deadline=None, left=left)


def _acknowledged(state: State, what: r.Acknowledged, _: r.Record) -> State:
    return state if state.fault is None else replace(state, fault=replace(state.fault, seen_by=what.by))


def _escalated(state: State, what: r.Escalated, _: r.Record) -> State:
    fault = state.fault
    if fault is None:
        return state
    if what.target == "cancellation":
        return replace(state, fault=replace(fault, offered=True))
    return replace(state, fault=replace(fault, escalations=fault.escalations + 1))


def _restarted(state: State, _what: r.Restarted, record: r.Record) -> State:
    fault = state.fault
    return state if fault is None else replace(state, fault=replace(fault, since=record.at, escalations=0))


def _ruled(state: State, what: r.Ruled, _: r.Record) -> State:
    if what.ruling in r.PAST_THE_SHOE:
        state = replace(state, shoe=replace(state.shoe, advisory=True))
    if what.ruling in ("enter", "correct"):
        state = replace(state, round=replace(state.round, manual=True))
    if "draw" not in what.after:
        return state
    draw = state.round.draws[what.after["draw"] - 1]
    changes = {field: what.after[name] for name, field in _RULED.items() if name in what.after}
    draws = _with(state.round.draws, replace(draw, **changes))
    return replace(state, round=replace(state.round, draws=draws))


_RULED = {"card": "ruled", "place": "place", "source": "source"}


def _burnt(state: State, what: r.Burnt, _: r.Record) -> State:
    if state.shoe.changing:
        seen = dict(state.shoe.seen)
        if what.card:
            seen[what.card] = seen.get(what.card, 0) + 1
        return replace(state, shoe=replace(state.shoe, seen=seen, out=state.shoe.out + 1))
    return _put_away(state, what.draw, "burnt")


def _carried(state: State, what: r.Carried, _: r.Record) -> State:
    return replace(_put_away(state, what.draw, "carried"), carried=what.card)


def _voided(state: State, what: r.Voided, _: r.Record) -> State:
    if state.life == "paused":  # the same card was read again as another draw: it left the shoe once
        state = replace(state, shoe=replace(state.shoe, out=state.shoe.out - 1))
    return _put_away(state, what.draw, "void")


def _put_away(state: State, number: int, fate: Fate) -> State:
    draw = replace(state.round.draws[number - 1], fate=fate, place=None)
    script = tuple(entry for entry in state.round.script if entry != Laid(number))
    return replace(state, round=replace(state.round, draws=_with(state.round.draws, draw), script=script))


def _resumed(state: State, what: r.Resumed, record: r.Record) -> State:
    life = turn(state.life, "resume", what.state)
    timed = state.left is not None and life in ("betting", "deciding")
    deadline = record.at + (state.left or 0) if timed else None
    outcome = None if life in ("betting", "dealing", "deciding") else state.round.outcome
    round_ = replace(state.round, outcome=outcome)
    return replace(state, life=life, round=round_, fault=None, deadline=deadline, left=None)


# ── refusals and devices ─────────────────────────────────────────────────────────────────────────────────────────


def _device_lost(state: State, what: r.DeviceLost, _: r.Record) -> State:
    return replace(state, lost=tuple(sorted({*state.lost, what.device})))


def _device_found(state: State, what: r.DeviceFound, _: r.Record) -> State:
    return replace(state, lost=tuple(device for device in state.lost if device != what.device))


def _nothing(state: State, _what: object, _: r.Record) -> State:
    return state


_APPLY: dict[type, Callable[[State, Any, r.Record], State]] = {
    r.TableOpened: lambda state, _what, _: replace(state, open=True),
    r.TableClosed: lambda state, _what, _: replace(state, open=False),
    r.DealerChanged: _dealer_changed,
    r.ShoeChange: _shoe_change,
    r.ShoeCut: _nothing,
    r.ShoeReady: _shoe_ready,
    r.Shuffled: _shuffled,
    r.CutCard: _cut_card,
    r.ShoeStoodBy: _stood_by,
    r.Opened: _opened,
    r.WindowOpened: _window_opened,
    r.BetAccepted: _bet_accepted,
    r.BetRefused: _nothing,
    r.BetWithdrawn: _bet_gone,
    r.PlayerGone: _player_gone,
    r.PlayerBack: _player_back,
    r.Closed: _closed,
    r.Dealt: _dealt,
    r.Drawn: _drawn,
    r.Asked: _asked,
    r.Decided: _decided,
    r.DecisionRefused: _nothing,
    r.Rewound: _rewound,
    r.Revealed: _revealed,
    r.Completed: _completed,
    r.Settled: _settled,
    r.Paid: _bet_gone,
    r.Cancelled: _cancelled,
    r.Refunded: _bet_gone,
    r.Disputed: _nothing,
    r.Checkpoint: _nothing,
    r.Faulted: _faulted,
    r.Acknowledged: _acknowledged,
    r.Escalated: _escalated,
    r.Restarted: _restarted,
    r.Ruled: _ruled,
    r.RulingRefused: _nothing,
    r.Burnt: _burnt,
    r.Carried: _carried,
    r.Voided: _voided,
    r.Resumed: _resumed,
    r.StartRefused: _nothing,
    r.Ignored: _nothing,
    r.DeviceLost: _device_lost,
    r.DeviceFound: _device_found,
    r.TelegramsMissing: _nothing,
}
