"""Views: the events of each audience, exactly one for each record, so that no sequence has a gap.

Invariant: the value of a face-down card reaches only the auditor before its reveal. A record that could give one away
has a field for that (`face_up`, `hidden`), so a view needs no memory. Free text of a ruling could name such a card:
dealer and server get it once the round is over, whatever it says. Players see even less: no loose card, no free text,
no money of others; kinds that are not in PLAYER are not for them.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import to_builtins
from msgspec.structs import replace

from . import records as r
from .encoding import for_auditor, to_dict
from .movements import MOVING, movement
from .notation import written_fields
from .records import Record
from .state import Round, State
from .viewers import STRANGERS, Viewers
from .withholding import withhold

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
ANNOUNCED: tuple[Audience, ...] = ("server", "player")  # training rounds are not for these
MEANWHILE: tuple[Audience, ...] = ("dealer", "server")  # these get the reason for a ruling only once the round is over
STUDIOS_OWN = ("person", "to_id", "dealer_id", "second_id")  # ids of its people: for shift manager and auditor
STUDIOS_RECORDS = frozenset({"signed_in", "sign_ins_refused", "handed_over", "exposure_warned"})  # likewise
ENVELOPE = ("seq", "at", "kind", "table", "round")


def view(record: Record, audience: Audience, viewers: Viewers = STRANGERS, *, over: bool = False) -> dict[str, Any]:
    """Event of a record for an audience: the fields that it may see, at least `{seq, kind: "internal"}`.

    `viewers`: makes the pseudonyms that viewers see in place of players' ids; by default they see none. `over`: the
    record's round is over.
    """
    return views(record, (audience,), viewers, over=over)[0]


def views(record: Record, audiences: Iterable[Audience], viewers: Viewers, *, over: bool) -> list[dict[str, Any]]:
    """Event of a record for each of these audiences, as `view` makes it; parts in common are built once."""
    if isinstance(record.what, r.Resettled):
        record = replace(record, what=record.what.for_viewers)
    content = withhold(record.what)
    shown = record if content is record.what else replace(record, what=content)
    events, event = list[dict[str, Any]](), dict[str, Any]()
    for audience in audiences:
        if audience == "auditor":
            events.append({**_event(record), **for_auditor(record)})
        elif isinstance(content, r.Checkpoint) or (record.training and audience in ANNOUNCED):
            events.append(_internal(record))
        else:
            event = event or _event(shown)
            events.append(_visible_fields(event, shown, audience, viewers, over=over))
    return events


def _visible_fields(
    event: Mapping[str, Any], record: Record, audience: Audience, viewers: Viewers, *, over: bool
) -> dict[str, Any]:
    """Fields of an event that an audience other than the auditor may see."""
    if event["kind"] in STUDIOS_RECORDS and audience != "manager":
        return _internal(record)
    if audience == "player":
        return _for_players(event, record, viewers)
    if audience == "manager":  # the origin is for the studio alone: who signs on at which computer
        return {**event, **_command(record), **_origin(record)}
    narrowed = {name: value for name, value in event.items() if name not in STUDIOS_OWN}
    if isinstance(record.what, r.Ruled | r.Extended) and audience in MEANWHILE and not over:
        narrowed["because"] = ""
    return {**narrowed, **_command(record)} if audience == "server" else narrowed


def without_training_round(state: State) -> State:
    """State for audiences to which training rounds are not announced: a training round is left out."""
    if not state.round.terms.training:
        return state
    return replace(state, life="idle", paused_from="idle", round=Round(), fault=None, deadline=None, left=None)


def _event(record: Record) -> dict[str, Any]:
    moves = {"movement": to_builtins(movement(record.what))} if isinstance(record.what, MOVING) else {}
    return {**to_dict(record), **written_fields(record.what), **moves}


def _internal(record: Record) -> dict[str, Any]:
    return {"seq": record.seq, "kind": "internal"}


def _origin(record: Record) -> dict[str, Any]:
    """Origin of the command that led to this record, on its first record only; else empty."""
    input_ = record.input
    return {} if input_ is None or input_.origin is None else {"origin": to_builtins(input_.origin)}


def _command(record: Record) -> dict[str, Any]:
    """Client's id of the command that led to this record, on its first record only; else empty."""
    origin = None if record.input is None else record.input.origin
    return {} if origin is None or origin.command is None else {"command": origin.command}


def _for_players(event: Mapping[str, Any], record: Record, viewers: Viewers) -> dict[str, Any]:
    fields, what = PLAYER.get(event["kind"]), record.what
    if fields is None or (isinstance(what, r.Resettled) and what.is_later_part):  # the first part showed them all
        return _internal(record)
    content = viewers.for_viewers(what)
    event = event if content is what else _event(replace(record, what=content))
    return {name: event[name] for name in (*ENVELOPE, *fields) if name in event}
