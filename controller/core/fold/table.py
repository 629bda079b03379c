"""What becomes of the table around the rounds: open or closed, its dealer, its shoe, its devices."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from .. import records as r
from ..events import Babbles
from ..state import Identity, Shoe, State


def _configured(state: State, what: r.Configured, _: r.Record) -> State:
    identity = Identity(what.epoch, what.family, what.currency, what.rounds, what.studio)
    return replace(state, identity=identity, game=what.game)


def _dealer_changed(state: State, what: r.DealerChanged, _: r.Record) -> State:
    return replace(state, dealer=what.to)


def _shoe_change(state: State, _what: r.ShoeChange, _: r.Record) -> State:
    return replace(state, shoe=Shoe(id="", changing=True, since=len(state.round.draws)), carried=None)


def _shoe_ready(state: State, what: r.ShoeReady, _: r.Record) -> State:
    burnt_in = state.shoe if state.shoe.changing else Shoe(since=len(state.round.draws))
    return replace(
        state,
        shoe=replace(burnt_in, id=what.id, game=state.game, size=what.cards, changing=False),
        carried=None,
        shoes=state.shoes + 1,
    )


def _shuffled(state: State, what: r.Shuffled, _: r.Record) -> State:
    shoe = state.shoe
    full = Shoe(what.id, state.game, shoe.size, since=len(state.round.draws), shuffled=True, advisory=shoe.advisory)
    return replace(state, shoe=full, carried=None, shoes=state.shoes + 1)


def _cut_card(state: State, _what: r.CutCard, _: r.Record) -> State:
    return replace(state, shoe=replace(state.shoe, cut=True))


def _stood_by(state: State, _what: r.ShoeStoodBy, _: r.Record) -> State:
    return replace(state, shoe=replace(state.shoe, advisory=False))


def _device_lost(state: State, what: r.DeviceLost, _: r.Record) -> State:
    return replace(state, lost=tuple(sorted({*state.lost, what.device})))


def _device_found(state: State, what: r.DeviceFound, _: r.Record) -> State:
    return replace(state, lost=tuple(device for device in state.lost if device != what.device))


def _device_cut_off(state: State, what: r.DeviceCutOff, _: r.Record) -> State:
    babbles = Babbles(what.device, what.heard, what.seconds)
    return replace(state, lost=tuple(sorted({*state.lost, what.device})), cut_off=(*state.cut_off, babbles))


def _device_taken_back(state: State, what: r.DeviceTakenBack, _: r.Record) -> State:
    lost = tuple(device for device in state.lost if device != what.device)
    return replace(state, lost=lost, cut_off=tuple(one for one in state.cut_off if one.device != what.device))


FOLDS: Mapping[type, Callable[[State, Any, r.Record], State]] = {
    r.Configured: _configured,
    r.TableOpened: lambda state, _what, _: replace(state, open=True),
    r.TableClosed: lambda state, _what, _: replace(state, open=False),
    r.DealerChanged: _dealer_changed,
    r.ShoeChange: _shoe_change,
    r.ShoeReady: _shoe_ready,
    r.Shuffled: _shuffled,
    r.CutCard: _cut_card,
    r.ShoeStoodBy: _stood_by,
    r.DeviceLost: _device_lost,
    r.DeviceFound: _device_found,
    r.DeviceCutOff: _device_cut_off,
    r.DeviceTakenBack: _device_taken_back,
}
