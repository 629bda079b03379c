"""Views: the events of each audience, exactly one for each record, so that no sequence has a gap.

Invariant: the value of a face-down card reaches only the auditor before its reveal. A record that could give one away
says so itself (`face_up`, `hidden`), so a view needs no memory. Free text of a ruling could name such a card: dealer
and server get it once the round is over, whatever it says. Players see even less: no loose card, no free text, no money
of others; kinds that are not in PLAYER are not for them.
"""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import to_builtins
from msgspec.structs import replace

from . import records as r
from .encoding import for_auditor, to_dict
from .movements import MOVING, movement
from .notation import written
from .records import Record
from .state import Round, State
from .viewers import STRANGERS, Viewers
from .withheld import withhold

Audience = Literal["auditor", "manager", "dealer", "server", "player"]
AUDIENCES: tuple[Audience, ...] = ("auditor", "manager", "dealer", "server", "player")

PLAYER: Mapping[str, tuple[str, ...]] = {
    "table_opened": (),
    "table_closed": (),
    "shoe_change": (),
    "shoe_cut": (),
    "shoe_ready": (),
    "opened": ("game", "odds", "round_id", "window", "deadline"),
    "window_opened": ("window", "odds", "deadline"),
    "closed": ("window",),
    "dealt": ("draw", "card", "to", "face_up"),
    "drawn": ("draw",),
    "burnt": ("draw",),
    "carried": ("draw",),
    "voided": ("draw",),
    "asked": ("who", "options", "default", "seconds"),
    "decided": ("who", "decision", "by"),
    "rewound": ("answers",),
    "hand_voided": ("place",),
    "revealed": ("place", "cards"),
    "settled": ("outcome", "manual"),
    "cancelled": (),
    "faulted": (),
    "ruled": ("ruling",),
    "resumed": ("state",),
    "resettled": ("revision", "now"),
}
ANNOUNCED: tuple[Audience, ...] = ("server", "player")  # training is none of theirs
MEANWHILE: tuple[Audience, ...] = ("dealer", "server")  # the reason for a ruling is none of theirs before its end
STUDIOS_OWN = ("person", "to_id", "dealer_id", "second_id")  # ids of its people: for shift manager and auditor
STUDIOS_RECORDS = frozenset({"signed_in", "sign_ins_refused", "handed_over", "exposure_warned"})  # likewise
ENVELOPE = ("seq", "at", "kind", "table", "round")


def view(record: Record, audience: Audience, viewers: Viewers = STRANGERS, *, over: bool = False) -> dict[str, Any]:
    """Event of a record for an audience: the fields that it may see, at least `{seq, kind: "internal"}`.

    `viewers`: the ids under which viewers know players, by default none; `over`: the record's round is over.
    """
    if isinstance(record.what, r.Resettled):
        record = replace(record, what=record.what.told)
    if audience == "auditor":
        return {**_event(record), **for_auditor(record)}
    if isinstance(record.what, r.Checkpoint) or (record.training and audience in ANNOUNCED):
        return _internal(record)
    if record.kind in STUDIOS_RECORDS and audience != "manager":
        return _internal(record)
    told = withhold(record.what)
    if isinstance(told, r.Ruled | r.Extended) and audience in MEANWHILE and not over:
        told = replace(told, because="")
    if audience == "player":
        return _for_players(record, told, viewers)
    event = _event(record if told is record.what else replace(record, what=told))
    if audience == "manager":  # who signs on at which computer is the studio's own business too
        return {**event, **_command(record), **_origin(record)}
    event = {name: value for name, value in event.items() if name not in STUDIOS_OWN}
    return {**event, **_command(record)} if audience == "server" else event


def announced(state: State) -> State:
    """State for audiences to which training rounds are not announced: a training round is left out."""
    if not state.round.terms.training:
        return state
    return replace(state, life="idle", paused_from="idle", round=Round(), fault=None, deadline=None, left=None)


def _event(record: Record) -> dict[str, Any]:
    moved = movement(record.what)
    moves = {"movement": moved and to_builtins(moved)} if isinstance(record.what, MOVING) else {}
    return {**to_dict(record), **written(record.what), **moves}


def _internal(record: Record) -> dict[str, Any]:
    return {"seq": record.seq, "kind": "internal"}


def _origin(record: Record) -> dict[str, Any]:
    """Origin of the command that led to this record, on its first record only; else empty."""
    given = record.input
    return {} if given is None or given.origin is None else {"origin": to_builtins(given.origin)}


def _command(record: Record) -> dict[str, Any]:
    """Client's id of the command that led to this record, on its first record only; else empty."""
    origin = None if record.input is None else record.input.origin
    return {} if origin is None or origin.command is None else {"command": origin.command}


def _for_players(record: Record, what: r.What, viewers: Viewers) -> dict[str, Any]:
    fields = PLAYER.get(record.kind)
    if fields is None or (isinstance(what, r.Resettled) and what.is_later_part):  # the first one has told them all
        return _internal(record)
    event = _event(replace(record, what=viewers.told(what)))
    return {name: event[name] for name in (*ENVELOPE, *fields) if name in event}
