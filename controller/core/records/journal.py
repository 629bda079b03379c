"""Records about the journal itself: its beginning, its losses and damage, and its clock."""

from typing import Any

from msgspec import UNSET, UnsetType

from ..coded_message import CodedMessage
from ..events import Check
from ..mark import Mark
from .fact import Fact

RULING = 2  # since then the effect of a ruling is computed from the round itself
TELLING = 3  # since then windows have a deadline, and bets the window that they were meant for
SLICING = 4  # since then a large book is paid in slices, and a ruling on a void hand's card withdraws no answers
LIMITING = 5  # since then a refusal names the limit of stakes that a bet does not keep
RESETTLING = 6  # since then a report about a round that is over opens a case
HASTE = 7  # since then the key NO MORE BETS closes early only when it is pressed twice
PARTING = 8  # since then a resettlement of many bets is recorded in parts
CUTTING = 9  # since then the key SHOE READY needs a cut shoe, or the reason why it is not cut
SLIDING = 10  # since then a card can be entered that was slid more than once and not read
NAMING = 11  # since then each bet, shoe, report and revision is judged by itself; the changes are in `House`
DECIDING = 11  # the present way


class Configured(Fact, frozen=True, tag="configured"):
    """Identity of the table, and the rules that apply from here on. The first record of every journal."""

    epoch: str  # id of this epoch, made at random when it began
    family: str  # family of games; no game of another family is recorded here
    currency: str  # ISO 4217
    rounds: int  # number of rounds played before the record began
    studio: str
    game: str
    version: str
    settings: dict[str, Any]
    terms: dict[str, Any]
    tables: dict[str, Any]  # pay tables and all else that decides what a bet returns
    digest: str  # digest of the rule sheet
    program: str  # version of tablectl
    posted: str | None = None  # digest of the rules shown to players, if configured
    deciding: int = 1  # version of the way in which events are decided; the oldest records have none


class LossAccepted(Fact, frozen=True, tag="loss_accepted"):
    """A person accepted that records are lost or were changed, and continues with the valid ones.

    A new epoch begins here, so that new records are never mistaken for the lost ones.
    """

    epoch: str  # the new epoch
    before: str  # epoch that ends with the record before this one
    lost: Mark | None  # last known head of the lost records; null: unknown
    by: str
    because: str


class RecordDamaged(Fact, frozen=True, tag="record_damaged"):
    """Damage in the journal: it differs from what was recorded. A live round goes on; no new one opens."""

    check: Check
    first: int  # first record that is not valid
    reason: str
    message: CodedMessage | UnsetType = UNSET  # the reason with its parts; older records have none


class RecordSound(Fact, frozen=True, tag="record_sound"):
    """The check that had reported damage finds the journal correct again."""

    check: Check


class AnchorBegun(Fact, frozen=True, tag="anchor_begun"):
    """New anchor in use: a file outside the journal with the last record's number and hash."""

    id: str  # also stored in the anchor file
    apart: bool  # True: the file is on another file system than the record
    by: str
    because: str


class AnchorLost(Fact, frozen=True, tag="anchor_lost"):
    """The anchor file is missing, is not the one in use, or cannot be written. A live round continues."""

    reason: str
    required: bool  # True: no round opens until the anchor is back
    message: CodedMessage | UnsetType = UNSET  # the reason with its parts


class AnchorBack(Fact, frozen=True, tag="anchor_back"):
    """The anchor file can be used again and agrees with the journal."""


class WitnessUnheard(Fact, frozen=True, tag="witness_unheard"):
    """Failed comparison of the journal with the bus at the start.

    If the bus has other records of this table, the records from here on do not count.
    """

    first: int  # first record that was not compared: the first one of this start
    reason: str
    message: CodedMessage | UnsetType = UNSET  # the reason with its parts


class WitnessHeard(Fact, frozen=True, tag="witness_heard"):
    """The journal was compared with the bus, and they agree."""


class ClockSet(Fact, frozen=True, tag="clock_set", rename={"from_": "from"}):
    """The PC's clock was set. Records have the new time from this one on."""

    from_: str  # the table's time until then
    to: str
