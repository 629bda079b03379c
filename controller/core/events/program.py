"""Events from the program itself: the time, and the condition of the journal."""

from ..mark import Mark
from .said import Act, Check, NoAnchor, Said


class Tick(Said, frozen=True, tag="tick"):
    """Passing of time: deadlines that are over take effect."""


class SetClock(Said, frozen=True, tag="clock"):
    """The PC's clock has been set: time is another from here on."""

    to: str  # ISO 8601, as a record has it


class CountedStarts(Said, frozen=True, tag="counted_starts"):
    """Starts were refused again for the same reason, and counted only (`refused_starts`)."""

    reason: str
    times: int
    since: str  # ISO 8601, as a record has it
    until: str


class Begin(Said, frozen=True, tag="begin"):
    """Beginning of a new record, in an epoch of its own."""

    epoch: str  # by which it is told from every other: made by chance
    rounds: int = 0  # that this table has played before it


class NewFile(Said, frozen=True, tag="new_file"):
    """The record goes on in a new file."""


class ProgramBack(Said, frozen=True, tag="restart"):
    """The program has started again on a table that has a record already."""


class JournalBack(Said, frozen=True, tag="journal_failed"):
    """The record could not be written for a while; now it can again."""

    reason: str
    dropped: int = 0  # events that came meanwhile and were too many to be kept


class Checked(Said, frozen=True, tag="checked"):
    """The whole record was checked, behind the table's back."""

    check: Check
    first: int | None = None  # the record from which on it does not stand; null: it stands
    reason: str = ""


class AnchorChecked(Said, frozen=True, tag="anchor_checked"):
    """The file that remembers the record outside its disk was looked at."""

    standing: NoAnchor = ""
    reason: str = ""  # why it cannot be used


class WitnessAsked(Said, frozen=True, tag="witness_asked"):
    """The bus was asked which record of the table it remembers."""

    first: int | None = None  # the record from which on it could not be asked; null: it agrees with all
    reason: str = ""  # why it could not


class BeginAnchor(Act, frozen=True, tag="begin_anchor"):
    """From here on another file is the anchor of this record."""

    by: str
    because: str
    id: str  # which the file holds too: made by chance
    apart: bool = False  # the file is on another file system than the record


class AcceptLoss(Act, frozen=True, tag="accept_loss"):
    """Somebody goes on with a record of which some is lost, or is not what it was: from here it has a new epoch."""

    by: str
    because: str
    epoch: str  # the new one: made by chance
    lost: Mark | None = None  # the last that was remembered of what is lost
