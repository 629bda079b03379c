"""Fold of the table around the rounds: open or closed, dealer, shoe and devices."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from .. import records as r
from ..copies import count_seen
from ..deck_account import with_deck, with_round
from ..events import Babbles
from ..records.journal import NAMING
from ..shoe import DeckPast, Shoe
from ..state import Anchor, Loss, RecordIdentity, State

MOST_BETS = 1_000_000  # of a round: more than any takes


def _configured(state: State, what: r.Configured, _: r.Record) -> State:
    identity = RecordIdentity(what.epoch, what.family, what.currency, what.rounds, what.studio)
    return replace(state, identity=identity, game=what.game, keeps_revisions=what.deciding >= NAMING)


def _loss_accepted(state: State, what: r.LossAccepted, _: r.Record) -> State:
    losses = (*state.losses, Loss(what.before, state.seq, what.lost))
    identity, round_ = replace(state.identity, epoch=what.epoch), state.round
    if state.live:  # the lost records may have stakes: their ids must never be used again
        round_ = replace(round_, taken=(round_.taken // MOST_BETS + 1) * MOST_BETS)
    return replace(state, identity=identity, losses=losses, doubts={}, round=round_)


def _damaged(state: State, what: r.RecordDamaged, _: r.Record) -> State:
    return replace(state, doubts={**state.doubts, what.check: what.first})


def _sound(state: State, what: r.RecordSound, _: r.Record) -> State:
    return replace(state, doubts={check: first for check, first in state.doubts.items() if check != what.check})


def _anchor_begun(state: State, what: r.AnchorBegun, _: r.Record) -> State:
    return replace(state, anchor=Anchor(what.id, what.apart))


def _anchor_lost(state: State, what: r.AnchorLost, _: r.Record) -> State:
    return replace(state, no_anchor="required" if what.required else "lost")


def _dealer_changed(state: State, what: r.DealerChanged, _: r.Record) -> State:
    return replace(state, dealer=what.to, dealer_id=None if what.to_id == what.to else what.to_id, leaving=False)


def _shoe_change(state: State, what: r.ShoeChange, _: r.Record) -> State:
    if what.reading:
        return replace(state, shoe=replace(state.shoe, changing=True, reading=True))  # it still has its carried card
    before, since = state.shoe, len(state.round.draws)
    cut = (before.new_cut, before.uncut) if before.reading else (False, None)  # recorded during the old shoe's readout
    return replace(state, shoe=Shoe(id="", changing=True, since=since, new_cut=cut[0], uncut=cut[1]), carried=None)


def _read_out(state: State, what: r.ReadOut, _: r.Record) -> State:
    read = {**state.shoe.read_out, what.card or "": state.shoe.read_out.get(what.card or "", 0) + 1}
    return replace(state, shoe=replace(state.shoe, read_out=read))


def _shoe_cut(state: State, what: r.ShoeCut, _: r.Record) -> State:
    if what.of_new is not True:
        return state
    return replace(state, shoe=replace(state.shoe, new_cut=True, uncut=None))


def _cut_skipped(state: State, what: r.CutSkipped, _: r.Record) -> State:
    return replace(state, shoe=replace(state.shoe, uncut=what.because))


def _shoe_ready(state: State, what: r.ShoeReady, _: r.Record) -> State:
    shoe, decks = state.shoe, state.decks
    burnt_in = shoe if shoe.changing and not shoe.reading else Shoe(since=len(state.round.draws))
    if what.deck:
        decks = with_deck(decks, what.deck, DeckPast())
    return replace(
        state,
        shoe=replace(
            burnt_in,
            id=what.id,
            game=state.game,
            size=what.cards,
            changing=False,
            deck=what.deck or "",
            new_cut=False,
            uncut=None,
            first_unread=False,
        ),
        carried=None,
        shoes=state.shoes + 1,
        decks=decks,
    )


def _shuffled(state: State, what: r.Shuffled, _: r.Record) -> State:
    shoe, decks, deck = state.shoe, state.decks, what.deck or ""
    if shoe.deck:
        decks = with_deck(decks, shoe.deck, with_round(decks.get(shoe.deck, DeckPast()), count_seen(state), shoe.size))
    if deck:
        decks = with_deck(decks, deck, decks.get(deck, DeckPast()))
    full = Shoe(
        what.id,
        state.game,
        shoe.size,
        since=len(state.round.draws),
        shuffled=True,
        advisory=shoe.advisory,
        deck=deck,
        suspect=decks[deck].suspect if deck else shoe.suspect,
    )
    return replace(state, shoe=full, carried=None, shoes=state.shoes + 1, decks=decks)


def _deck_suspect(state: State, _what: r.DeckSuspect, _: r.Record) -> State:
    decks, deck = state.decks, state.shoe.deck
    if deck:
        decks = {**decks, deck: replace(decks.get(deck, DeckPast()), suspect=True)}
    return replace(state, shoe=replace(state.shoe, suspect=True), decks=decks)


def _cut_card(state: State, _what: r.CutCardDrawn, _: r.Record) -> State:
    return replace(state, shoe=replace(state.shoe, cut=True))


def _stood_by(state: State, _what: r.ShoeStoodBy, _: r.Record) -> State:
    return replace(state, shoe=replace(state.shoe, advisory=False))


def _device_lost(state: State, what: r.DeviceLost, _: r.Record) -> State:
    return replace(state, lost=tuple(sorted({*state.lost, what.device})))


def _device_found(state: State, what: r.DeviceFound, _: r.Record) -> State:
    return replace(state, lost=tuple(device for device in state.lost if device != what.device))


def _device_cut_off(state: State, what: r.DeviceCutOff, _: r.Record) -> State:
    excess = Babbles(what.device, what.heard, what.seconds)
    return replace(state, lost=tuple(sorted({*state.lost, what.device})), cut_off=(*state.cut_off, excess))


def _device_taken_back(state: State, what: r.DeviceTakenBack, _: r.Record) -> State:
    lost = tuple(device for device in state.lost if device != what.device)
    return replace(state, lost=lost, cut_off=tuple(one for one in state.cut_off if one.device != what.device))


FOLDS: Mapping[type, Callable[[State, Any, r.Record], State]] = {
    r.Configured: _configured,
    r.LossAccepted: _loss_accepted,
    r.RecordDamaged: _damaged,
    r.RecordSound: _sound,
    r.AnchorBegun: _anchor_begun,
    r.AnchorLost: _anchor_lost,
    r.AnchorBack: lambda state, _what, _: replace(state, no_anchor=""),
    r.WitnessUnheard: lambda state, what, _: replace(state, unheard=what.first),
    r.WitnessHeard: lambda state, _what, _: replace(state, unheard=0),
    r.TableOpened: lambda state, _what, _: replace(state, open=True),
    r.TableClosed: lambda state, _what, _: replace(state, open=False),
    r.DealerChanged: _dealer_changed,
    r.DealerLeaving: lambda state, _what, _: replace(state, leaving=True),
    r.ShoeChange: _shoe_change,
    r.ReadOut: _read_out,
    r.ShoeCut: _shoe_cut,
    r.CutSkipped: _cut_skipped,
    r.ShoeReady: _shoe_ready,
    r.DeckSuspect: _deck_suspect,
    r.Shuffled: _shuffled,
    r.CutCardDrawn: _cut_card,
    r.ShoeStoodBy: _stood_by,
    r.DeviceLost: _device_lost,
    r.DeviceFound: _device_found,
    r.DeviceCutOff: _device_cut_off,
    r.DeviceTakenBack: _device_taken_back,
}
