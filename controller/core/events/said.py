"""Base classes of all events, and the origin of an event."""

from typing import Literal

from msgspec import Struct

Key = Literal[
    "open", "close", "finish", "manager", "dropped", "exposed", "shuffled", "change", "cut", "ready", "leave"
]  # fmt: skip
Device = Literal["shoe", "panel", "beacon", "badge_reader", "server"]
SignInDoor = Literal["manager", "dealer", "kiosk"]  # a page of theirs; the table, to deal; the dealer's own screen
Proof = Literal["pin", "badge", "badge_pin"]  # how somebody has shown who they are
Check = Literal["chain", "anchor", "witness"]  # of the whole record: by its hashes; by what a file, the bus remembers
NoAnchor = Literal["", "lost", "required"]  # the anchor cannot be used; nor does a round open without it
Ruling = Literal[
    "resume", "enter", "rescan", "correct", "move", "burn", "void", "carry", "deal", "void_hand", "cancel", "extend"
]  # fmt: skip
Choice = Literal["anew", "withdraw", "stand", "cancel"]  # what becomes of decisions and bets that a ruling affects


class Origin(Struct, frozen=True, omit_defaults=True, gc=False):
    """Origin of an event that somebody sent: the identified sender, and the id of their command."""

    via: str  # unix:USER
    command: str | None = None  # the same again under this key is not done again


class Said(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """Base of all events; the field `kind` holds the tag of the subclass."""


class Act(Said, frozen=True, kw_only=True, omit_defaults=True):
    """Act of a person; `by` is their name."""

    person: str | None = None  # their id, where somebody keeps a registry of persons; else the name is it
