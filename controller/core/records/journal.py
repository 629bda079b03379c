"""Records about the journal itself: its beginning, its losses and damage, and its clock."""

from typing import Any

from ..events import Check
from ..mark import Mark
from .fact import Fact

RULING = 2  # since then a ruling's effect is read off the round itself
TELLING = 3  # since then windows have a deadline, bets the window they were meant for
SLICING = 4  # since then a large book is paid in several decisions, and a void hand's card takes nothing back
DECIDING = 4  # now


class Configured(Fact, frozen=True, tag="configured"):
    """Identity of the table, and its rules from here on. It is the first record of all."""

    epoch: str  # of this record, made by chance when it began
    family: str  # of games: none of another is recorded here
    currency: str  # ISO 4217
    rounds: int  # that the table had played before the record began
    studio: str
    game: str
    version: str
    settings: dict[str, Any]
    terms: dict[str, Any]
    tables: dict[str, Any]  # all that decides what a bet returns
    digest: str  # of the rule sheet
    program: str  # the version that runs
    posted: str | None = None  # the digest of the rules that players are shown, where the table was told
    deciding: int = 1  # how events are decided, counted; records from before it was counted have none


class LossAccepted(Fact, frozen=True, tag="loss_accepted"):
    """Some of the record is lost, or is not what it was, and somebody goes on with what stands. What comes from here on
    is of another epoch: nobody takes it for what was lost."""

    epoch: str  # the new one
    before: str  # the one that ends with the record before this
    lost: Mark | None  # the last that was remembered of what is lost; null: nobody said
    by: str
    because: str


class RecordDamaged(Fact, frozen=True, tag="record_damaged"):
    """Damage in the journal: it differs from what was recorded. A live round goes on; no new one opens."""

    check: Check
    first: int  # the record from which on it does not stand
    reason: str


class RecordSound(Fact, frozen=True, tag="record_sound"):
    """The same check finds nothing wrong any more."""

    check: Check


class AnchorBegun(Fact, frozen=True, tag="anchor_begun"):
    """From here on this file outside the record's disk remembers the last record, and no other is taken for it."""

    id: str  # which the file holds too
    apart: bool  # it is on another file system than the record
    by: str
    because: str


class AnchorLost(Fact, frozen=True, tag="anchor_lost"):
    """The anchor is missing, is not the file that was begun, or cannot be written. A round that is on goes on."""

    reason: str
    required: bool  # no further round opens until it is back


class AnchorBack(Fact, frozen=True, tag="anchor_back"):
    """The anchor remembers the last record again."""


class WitnessUnheard(Fact, frozen=True, tag="witness_unheard"):
    """The bus, which remembers the record, could not be asked at the start. If it remembers another, what follows here
    does not count.
    """

    first: int  # the record from which on nothing was compared: the first of this start
    reason: str


class WitnessHeard(Fact, frozen=True, tag="witness_heard"):
    """The bus agrees with all of the record."""


class ClockSet(Fact, frozen=True, tag="clock_set", rename={"from_": "from"}):
    """The PC's clock was set, and the table goes by it from here on: this record is dated by the new time."""

    from_: str  # the table's time until then
    to: str
