"""Events from the program itself: the time, and the condition of the journal."""

from msgspec import UNSET, UnsetType

from ..coded_message import CodedMessage
from ..mark import Mark
from .base import Act, Check, EventBase, NoAnchor


class Tick(EventBase, frozen=True, tag="tick"):
    """Passing of time: expired deadlines take effect."""


class SetClock(EventBase, frozen=True, tag="clock"):
    """Change of the PC's clock. `to`: the new time, which applies from here on."""

    to: str  # ISO 8601, as a record has it


class CountedStarts(EventBase, frozen=True, tag="counted_starts"):
    """Starts were refused again for the same reason, and counted only (`refused_starts`)."""

    reason: str
    times: int
    since: str  # ISO 8601, as a record has it
    until: str


class Begin(EventBase, frozen=True, tag="begin"):
    """Beginning of a new record, in an epoch of its own."""

    epoch: str  # unique id, made at random
    rounds: int = 0  # number of rounds that this table has played before


class NewFile(EventBase, frozen=True, tag="new_file"):
    """Start of a new journal file: the configuration has to be written again at its beginning."""


class ProgramBack(EventBase, frozen=True, tag="restart"):
    """The program has started again on a table with an existing record."""


class JournalBack(EventBase, frozen=True, tag="journal_failed"):
    """The journal can be written again after a failure. `reason`: what had failed."""

    reason: str
    dropped: int = 0  # number of events lost meanwhile, because too many were waiting
    message: CodedMessage | UnsetType = UNSET  # the reason with its parts


class Checked(EventBase, frozen=True, tag="checked"):
    """Result of a check of the whole journal, which runs in the background while the table plays."""

    check: Check
    first: int | None = None  # first record that is not valid; null: all are valid
    reason: str = ""
    message: CodedMessage | UnsetType = UNSET  # the reason with its parts


class AnchorChecked(EventBase, frozen=True, tag="anchor_checked"):
    """Result of a check of the anchor, the file outside the journal that stores its last record's hash."""

    standing: NoAnchor = ""  # empty: the anchor is in order
    reason: str = ""  # why it cannot be used
    message: CodedMessage | UnsetType = UNSET  # the reason with its parts


class WitnessAsked(EventBase, frozen=True, tag="witness_asked"):
    """Result of comparing the journal with the heads of this table on the bus."""

    first: int | None = None  # first record that was not compared; null: all agree
    reason: str = ""  # why it was not compared
    message: CodedMessage | UnsetType = UNSET  # the reason with its parts


class BeginAnchor(Act, frozen=True, tag="begin_anchor"):
    """Act of a person: use another file as the anchor of this journal from here on."""

    by: str
    because: str
    id: str  # also stored in the file; made at random
    apart: bool = False  # True: the file is on another file system than the record


class AcceptLoss(Act, frozen=True, tag="accept_loss"):
    """Act of a person: accept that records are lost or were changed, and continue in a new epoch."""

    by: str
    because: str
    epoch: str  # the new epoch; made at random
    lost: Mark | None = None  # last known head of the lost records
