"""Base classes of all events, and the origin of an event."""

from typing import Literal

from msgspec import Struct

Key = Literal[
    "open", "close", "finish", "manager", "dropped", "exposed", "shuffled", "change", "cut", "ready", "leave"
]  # fmt: skip
Device = Literal["shoe", "panel", "beacon", "badge_reader", "server"]
SignInDoor = Literal["manager", "dealer", "kiosk"]  # the managers' pages; as dealer at the table; the dealer's screen
Proof = Literal["pin", "badge", "badge_pin"]  # means of identification
Check = Literal["chain", "anchor", "witness"]  # check of the whole record: by its hashes; by the anchor; by the bus
NoAnchor = Literal["", "lost", "required"]  # usable or none; cannot be used; cannot be used, so that no round opens
Ruling = Literal[
    "resume", "enter", "rescan", "correct", "move", "burn", "void", "carry", "deal", "void_hand", "cancel", "extend"
]  # fmt: skip
Choice = Literal["anew", "withdraw", "stand", "cancel"]  # what happens to decisions and bets that a ruling affects


class Origin(Struct, frozen=True, omit_defaults=True, gc=False):
    """Origin of an event that somebody sent: the identified sender, and the id of their command."""

    via: str  # unix:USER, web:PERSON, web:kiosk, token:CLIENT, floor:FLOOR or platform:PLATFORM
    command: str | None = None  # a repeat with the same sender and id is not carried out again


class EventBase(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Base of all events; the field `kind` holds the tag of the subclass."""


class Act(EventBase, frozen=True, kw_only=True, omit_defaults=True):
    """Act of a person; `by` is their name."""

    person: str | None = None  # their id, if there is a registry of persons; else the name is the id
