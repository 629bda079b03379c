"""What a floor tells its page: a strip for each table, as air traffic control has them, and the people at work.

A strip has the same fields wherever it lies. All texts are in the language of who looks.
"""

from typing import Literal

from msgspec import Struct

Bay = Literal["calls", "watch", "playing", "resting"]
BAYS: tuple[Bay, ...] = ("calls", "watch", "playing", "resting")


class Claim(Struct, frozen=True):
    """Whose a call is. `mine`: of who looks."""

    id: str
    name: str
    at: str
    mine: bool


class Call(Struct, frozen=True):
    """The open fault of a table, or that its record cannot be written (`seq` 0)."""

    seq: int
    code: str
    head: str
    text: str
    since: str  # of the table's time, from which its age is counted
    level: int  # of escalation, from 1
    money: str  # at risk
    seen_by: str | None  # who has said so at the table
    claim: Claim | None


class Alarm(Struct, frozen=True):
    """A warning, with the act that it asks for. It is held until it is acknowledged and over."""

    key: str  # TABLE:KIND:DETAIL
    kind: str
    head: str
    act: str  # what somebody is to do about it
    since: str
    standing: bool  # its cause is there
    acknowledged: str | None  # by whom
    shelved: str | None  # until when
    because: str  # of the shelving


class Strip(Struct, frozen=True):
    """One table."""

    table: str
    bay: Bay
    order: tuple[int, ...]  # within the bay: the smallest first
    game: str
    round: str
    dealer: str
    life: str
    says: str  # the life in words
    next: str
    until: str | None  # of the open window
    left: float | None  # seconds of it, while paused
    shoe: int | None  # cards left
    misreads: int | None  # of the last 100 cards
    owner: str  # the supervisor to whom the table is assigned
    mine: bool  # whether who looks may act at it
    heard: str | None  # null: it is heard; else when it was last
    call: Call | None
    alarms: tuple[Alarm, ...]


class Person(Struct, frozen=True):
    """Somebody who may have tables, with how many of at most."""

    id: str
    name: str
    role: str
    tables: tuple[str, ...]
    at_most: int | None


class Head(Struct, frozen=True):
    """What concerns all tables. `flood`: so many alarms of a kind, folded into one line each. `may`: the acts that who
    looks may do at any table."""

    floor: str
    line: str | None  # what is wrong with the line to the bus
    behind: int  # records that are still to come
    counts: dict[str, int]  # strips by bay
    flood: tuple[str, ...]
    people: tuple[Person, ...]
    may: tuple[str, ...] = ()


class Picture(Struct, frozen=True):
    """All of it: what the stream begins with; then `Change`."""

    head: Head
    strips: tuple[Strip, ...]
    words: dict[str, str]


class Change(Struct, frozen=True):
    """What is new since the one before. `gone`: tables that are on the bus no more."""

    head: Head | None
    strips: tuple[Strip, ...]
    gone: tuple[str, ...]
