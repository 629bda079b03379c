"""Significant events: unusual events at a table, with person, reason and effect.

GLI-19 2.8.8 and 2.9.5 ask for voids, overrides, corrections, outages and changes. Every kind of record that is not
listed as ordinary play is significant, so no new kind can be forgotten. Hidden cards are left out, as in `view`.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..core import events as e
from ..core import records as r
from ..core.fault_catalogue import CATALOGUE
from ..core.fold import state_before
from ..core.house import Terms, plain_terms
from ..text.records import OTHER_TERMS, sentence

Event = dict[str, Any]

ORDINARY = frozenset({
    "configured", "signed_in", "dealer_leaving",
    "shuffled", "shoe_cut", "cut_card", "shoe_stood_by",
    "opened", "window_opened", "bet_accepted", "bet_refused", "bet_withdrawn", "player_gone", "player_back", "closed",
    "dealt", "drawn", "burnt", "carried", "asked", "decided", "decision_refused", "revealed",
    "completed", "settled", "paid", "refunded", "checkpoint", "ignored",
})  # fmt: skip
OUTAGES = (e.ShoeFails, e.JournalBack)  # recorded as ignored, because they are about no round
FOLLOWING = frozenset({"cancelled", "voided", "rewound", "resumed"})  # kinds of records that follow from a ruling
ITSELF = {  # actor of kinds of records without a person
    **dict.fromkeys((*FOLLOWING, "escalated"), "table"),
    **dict.fromkeys(
        (
            "restarted",
            "record_damaged",
            "record_sound",
            "anchor_lost",
            "anchor_back",
            "witness_unheard",
            "witness_heard",
            "clock_set",
        ),
        "program",
    ),
}


class Significant(Struct, frozen=True):
    """Significant event of a table, with who did it, who authorised it, and values before and after."""

    seq: int
    at: str
    table: str
    round: int | None
    shoe: str | None
    dealer: str | None
    training: bool
    kind: str
    what: str
    actor: str | None
    via: str | None  # account that sent the command
    authoriser: str | None
    reason: str | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    fault: int | None  # number of the fault that the event is, is about or follows from
    code: str | None  # code of that fault


class _Watch:
    """State of earlier records that later events need, such as terms and open faults."""

    def __init__(self, tell: Callable[[r.Record], Event]) -> None:
        self._tell = tell
        self._fault: tuple[int, str] | None = None  # number and code of the open fault
        self._ended = 0  # number of the record that ended the last round
        self._ruled_by: str | None = None  # people who ruled on that fault
        self._via: str | None = None  # account that sent the last input
        self._terms: dict[str, Any] = {}  # terms of the last round

    def see(self, record: r.Record) -> Significant | None:
        """Convert a record to a significant event; None if it is ordinary play."""
        what = record.what
        if isinstance(what, r.Resettled):
            record = replace(record, what=what.whole_record)
        if record.input is not None:
            self._via = None if record.input.origin is None else record.input.origin.via
        changed = self._changed_terms(what) if isinstance(what, r.Opened) else None
        self._follow(record)
        event = None if _is_ordinary(record) and not changed else self._significant(self._tell(record), changed)
        if isinstance(what, r.Resumed):
            self._fault = None
        return event

    def _follow(self, record: r.Record) -> None:
        """Follow the open fault and its ruling; at the begin of a file, take over the terms of the last round."""
        what = record.what
        if isinstance(what, r.Faulted):
            self._fault, self._ruled_by = (record.seq, what.code), None
        elif isinstance(what, r.Ruled):
            self._ruled_by = what.by if what.second is None else f"{what.by} + {what.second}"
        elif isinstance(what, r.Settled | r.Cancelled):
            self._ended = record.seq
        elif isinstance(what, r.Opened | r.Checkpoint) and (self._fault is None or self._fault[0] < self._ended):
            self._fault = self._ruled_by = None  # but a fault after the end of the last round is still open
        if isinstance(what, r.Checkpoint) and not self._terms:
            self._terms = _terms_before(record)

    def _changed_terms(self, opened: r.Opened) -> tuple[Event, Event] | None:
        """Return terms that differ from the round before: old and new values by name, or None."""
        terms = msgspec.convert(opened.terms, Terms)
        before, now = self._terms, _terms(opened.game, opened.version, opened.settings, terms)
        self._terms = now
        names = [name for name in (before | now) if before.get(name) != now.get(name)]
        if not before or not names:
            return None
        return {name: before.get(name) for name in names}, {name: now.get(name) for name in names}

    def _significant(self, event: Event, changed: tuple[Event, Event] | None) -> Significant:
        kind = event["kind"]
        fault, code = (self._fault or (None, None)) if kind in FOLLOWING else self._fault_of(event)
        before, after = changed or _change(event)
        return Significant(
            seq=event["seq"],
            at=event["at"],
            table=event["table"],
            round=event.get("round"),
            shoe=event.get("shoe"),
            dealer=event.get("dealer"),
            training=bool(event.get("training")),
            kind=kind,
            what=sentence(event) + (OTHER_TERMS if changed else ""),
            actor=self._actor(event),
            via=self._via,
            authoriser=self._authoriser(event),
            reason=_reason(event),
            before=before,
            after=after,
            fault=fault,
            code=code,
        )

    def _fault_of(self, event: Event) -> tuple[int | None, str | None]:
        """Number and code of the fault that an event raises or names; its code is None if it is not the open one."""
        number = event["seq"] if event["kind"] == "faulted" else event.get("fault")
        is_open = self._fault is not None and number == self._fault[0]
        return number, self._fault[1] if is_open and self._fault else None

    def _authoriser(self, event: Event) -> str | None:
        if event["kind"] == "resettled":
            return f"{event['by']} + {event['second']}"
        follows = event["kind"] in FOLLOWING and self._fault is not None
        return self._ruled_by if follows or event["kind"] == "ruled" or _by_manager(event) else None

    def _actor(self, event: Event) -> str | None:
        """Name the actor of an event: a person by name, else a device, the table or the program."""
        match event["kind"]:
            case "faulted":
                return _source(event)
            case "dealer_changed":
                return str(event["by"] or event["to"] or event["before"])
            case "start_refused" | "starts_refused":
                return event.get("dealer")
            case kind if kind in ITSELF or _by_manager(event):
                return ITSELF.get(kind, "table")
        by: str | None = event.get("by") or event.get("device")
        return event.get("dealer") if by == "dealer" else "table" if by in ("auto", "clock") else by


def significant(
    records: Iterable[r.Record], tell: Callable[[r.Record], Event]
) -> Iterator[tuple[r.Record, Significant]]:
    """Yield the significant events of a table, each with its record.

    `tell`: converts a record to the event that may be shown.
    """
    watch = _Watch(tell)
    for record in records:
        event = watch.see(record)
        if event:
            yield record, event


def _is_ordinary(record: r.Record) -> bool:
    if isinstance(record.what, r.Settled):
        return not record.what.manual
    if isinstance(record.what, r.Ignored):
        return not isinstance(record.what.came, OUTAGES)
    if isinstance(record.what, r.Resettled):
        return record.what.is_later_part
    return record.kind in ORDINARY


def _source(fault: Event) -> str | None:
    """Name the source of a fault: the dealer, a device or the program; the dealer if unknown."""
    entry = CATALOGUE.get(fault["code"])
    if entry is None or entry.cause == "procedure":
        return fault.get("dealer")
    return "program" if entry.cause == "program" else fault["came"].get("device", "shoe")


def _by_manager(event: Event) -> bool:
    return bool(event["kind"] == "settled" and event["by"] == "manager")


def _terms_before(checkpoint: r.Record) -> dict[str, Any]:
    """Return the terms of the round that a checkpoint ends; empty if no round was played before it."""
    last = state_before(checkpoint).round
    return _terms(last.game, last.version, last.settings, last.terms) if last.number else {}


def _terms(game: str, version: str, settings: dict[str, Any], terms: Terms) -> dict[str, Any]:
    """Return the terms of a round by name; without the odds, which may follow from the cards."""
    parts = {"settings": settings, "terms": plain_terms(terms)}
    named = {f"{part}.{name}": value for part, section in parts.items() for name, value in section.items()}
    return {"game": game, "version": version, **named}


def _reason(event: Event) -> str | None:
    if event["kind"] == "faulted":
        return f"expected {event['expected']}, got {event['got']}"
    return event.get("because") or event.get("reason") or event.get("uncut") or None


def _change(event: Event) -> tuple[Event | None, Event | None]:
    """Return the changed values of an event by name, before and after; None if it changes none."""
    match event["kind"]:
        case "dealer_changed":
            return {"dealer": event["before"]}, {"dealer": event["to"]}
        case "shoe_change":
            return {"shoe": event.get("shoe")}, None
        case "shoe_ready":
            return {"shoe": event.get("shoe")}, {"shoe": event["id"], "cards": event["cards"]}
        case "resumed":
            return {"state": "paused"}, {"state": event["state"]}
        case "rewound":
            return {"decisions": event["decisions"]}, {"answers": event["answers"]}
        case "voided":
            return {"draw": event["draw"], "card": event["card"]}, {"draw": event["draw"], "fate": "void"}
        case "settled":
            return None, {"outcome": event["outcome"]}
    return event.get("before") or None, event.get("after") or None
