"""Records of the journal: one kind for each thing that can happen to a table.

A record is an envelope (seq, at, kind, table; if known round, shoe, dealer) around its content; `encoding` writes it.
Invariant: only records are remembered. The state is computed only from them.
"""

from collections.abc import Sequence

from msgspec import Struct

from ..clock import Time
from ..events import Input
from ..reached_limit import ReachedLimit
from .bets import (
    AppliedCeiling,
    BetAccepted,
    BetRefused,
    BetRepriced,
    BetWithdrawn,
    Closed,
    ExposureWarned,
    Paid,
    PlayerBack,
    PlayerGone,
    Refunded,
    WindowOpened,
)
from .devices import DeviceCutOff, DeviceFound, DeviceLost, DeviceTakenBack, TelegramsMissing
from .difference import DecisionMade, DrawShift, Price, RoundDifference, Total
from .fact import Fact, OfRound, kind_of
from .faults import Acknowledged, AnsweredBy, Escalated, Extended, Faulted, ReportAnswered, Reported, Restarted
from .journal import (
    DECIDING,
    HASTE,
    LIMITING,
    PARTING,
    RESETTLING,
    RULING,
    SLICING,
    TELLING,
    AnchorBack,
    AnchorBegun,
    AnchorLost,
    ClockSet,
    Configured,
    LossAccepted,
    RecordDamaged,
    RecordSound,
    WitnessHeard,
    WitnessUnheard,
)
from .people import GUESSED, DealerChanged, DealerLeaving, HandedOver, SignedIn, SignInsRefused
from .resettlements import (
    AFTERWARDS,
    BetDifference,
    CaseDismissed,
    CaseOpened,
    LaterDifference,
    Resettled,
    ResettleRefused,
)
from .rounds import (
    Asked,
    Cancelled,
    Checkpoint,
    Completed,
    Dealt,
    Decided,
    DecisionRefused,
    Disputed,
    Drawn,
    Opened,
    PlaceRevealed,
    Rewound,
    Settled,
    Source,
)
from .rulings import PAST_THE_SHOE, Burnt, Carried, HandVoided, Resumed, Ruled, RulingRefused, Voided
from .shoe import (
    CutCardDrawn,
    CutSkipped,
    DeckSuspect,
    Disagreed,
    ReadOut,
    ShoeChange,
    ShoeCut,
    ShoeEnded,
    ShoeReady,
    ShoeStoodBy,
    Shuffled,
)
from .table import Ignored, StartRefused, StartsRefused, TableClosed, TableOpened

__all__ = [
    "AFTERWARDS",
    "DECIDING",
    "GUESSED",
    "HASTE",
    "LIMITING",
    "PARTING",
    "PAST_THE_SHOE",
    "RESETTLING",
    "RULING",
    "SLICING",
    "TELLING",
    "Acknowledged",
    "AnchorBack",
    "AnchorBegun",
    "AnchorLost",
    "AnsweredBy",
    "AppliedCeiling",
    "Asked",
    "BetAccepted",
    "BetDifference",
    "BetRefused",
    "BetRepriced",
    "BetWithdrawn",
    "Burnt",
    "Cancelled",
    "Carried",
    "CaseDismissed",
    "CaseOpened",
    "Checkpoint",
    "ClockSet",
    "Closed",
    "Completed",
    "Configured",
    "CutCardDrawn",
    "CutSkipped",
    "DealerChanged",
    "DealerLeaving",
    "Dealt",
    "Decided",
    "DecisionMade",
    "DecisionRefused",
    "DeckSuspect",
    "DeviceCutOff",
    "DeviceFound",
    "DeviceLost",
    "DeviceTakenBack",
    "Disagreed",
    "Disputed",
    "DrawShift",
    "Drawn",
    "Escalated",
    "ExposureWarned",
    "Extended",
    "Fact",
    "Faulted",
    "HandVoided",
    "HandedOver",
    "Ignored",
    "LaterDifference",
    "LossAccepted",
    "OfRound",
    "Opened",
    "Paid",
    "PlaceRevealed",
    "PlayerBack",
    "PlayerGone",
    "Price",
    "ReachedLimit",
    "ReadOut",
    "Record",
    "RecordDamaged",
    "RecordSound",
    "Refunded",
    "Refusal",
    "ReportAnswered",
    "Reported",
    "ResettleRefused",
    "Resettled",
    "Restarted",
    "Resumed",
    "Rewound",
    "RoundDifference",
    "Ruled",
    "RulingRefused",
    "Settled",
    "ShoeChange",
    "ShoeCut",
    "ShoeEnded",
    "ShoeReady",
    "ShoeStoodBy",
    "Shuffled",
    "SignInsRefused",
    "SignedIn",
    "Source",
    "StartRefused",
    "StartsRefused",
    "TableClosed",
    "TableOpened",
    "TelegramsMissing",
    "Total",
    "Voided",
    "What",
    "WindowOpened",
    "WitnessHeard",
    "WitnessUnheard",
    "kind_of",
    "reports_found",
]  # fmt: skip

What = (
    Configured | LossAccepted | RecordDamaged | RecordSound | AnchorBegun | AnchorLost | AnchorBack | WitnessUnheard
    | WitnessHeard
    | TableOpened | TableClosed | DealerChanged | DealerLeaving | ShoeChange | ReadOut | ShoeEnded | ShoeCut
    | CutSkipped | ShoeReady | Shuffled | DeckSuspect | CutCardDrawn | ShoeStoodBy
    | Opened | WindowOpened | BetAccepted | BetRefused | BetWithdrawn | BetRepriced | ExposureWarned
    | PlayerGone | PlayerBack | Closed
    | Dealt | Drawn | Asked | Decided | DecisionRefused | Rewound | PlaceRevealed
    | Completed | Disagreed | Settled | Paid | Cancelled | Refunded | Disputed | Checkpoint
    | Faulted | Reported | ReportAnswered | Acknowledged | Escalated | Extended | Restarted
    | Ruled | RulingRefused | HandVoided | Burnt | Carried | Voided | Resumed
    | Resettled | ResettleRefused | CaseOpened | CaseDismissed
    | SignedIn | SignInsRefused | HandedOver
    | StartRefused | StartsRefused | Ignored
    | DeviceLost | DeviceFound | DeviceCutOff | DeviceTakenBack | TelegramsMissing | ClockSet
)  # fmt: skip
Refusal = (
    BetRefused | DecisionRefused | RulingRefused | StartRefused | ResettleRefused | Ignored
)  # the input had no effect


class Record(Struct, frozen=True, gc=False):
    """Entry of the journal: the envelope around its content."""

    seq: int  # from 1, without a gap
    at: Time
    table: str
    what: What
    round: int | None = None
    shoe: str | None = None
    dealer: str | None = None
    person: str | None = None  # id of the person in `by`
    training: bool = False  # True: the record is of a training round, which is not announced
    input: Input | None = None  # the input that caused this record; only on the first record of an input
    salt: str | None = None  # hashed together with the withheld values (`withholding.with_salt`)

    @property
    def kind(self) -> str:
        """Kind of this record: the tag of its content."""
        return kind_of(self.what)


def reports_found(records: Sequence[Record], device: str) -> bool:
    """True if one of these records says that the device was found (again)."""
    return any(isinstance(record.what, DeviceFound) and record.what.device == device for record in records)
