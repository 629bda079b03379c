"""What the journal holds: one kind of record for each thing that can happen to a table.

A record is an envelope (seq, at, kind, table, and where there is one round, shoe, dealer) around what happened; how it
is written stands in `encoding`. The one rule: a record is all that is ever remembered; state is the fold of records.
"""

from collections.abc import Sequence

from msgspec import Struct

from ..clock import Time
from ..events import Input
from .bets import (
    BetAccepted,
    BetRefused,
    BetRepriced,
    BetWithdrawn,
    Closed,
    Paid,
    PlayerBack,
    PlayerGone,
    Refunded,
    WindowOpened,
)
from .devices import DeviceCutOff, DeviceFound, DeviceLost, DeviceTakenBack, TelegramsMissing
from .difference import Difference, Made, Price, Shift, Total, Worth
from .fact import Fact, OfRound, kind_of
from .faults import Acknowledged, AnsweredBy, Escalated, Extended, Faulted, ReportAnswered, Reported, Restarted
from .journal import (
    DECIDING,
    AnchorBack,
    AnchorBegun,
    AnchorLost,
    ClockSet,
    Configured,
    LossAccepted,
    RecordDamaged,
    RecordSound,
)
from .people import GUESSED, DealerChanged, DealerLeaving, HandedOver, SignedIn, SignInsRefused
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
    Revealed,
    Rewound,
    Settled,
    Source,
)
from .rulings import PAST_THE_SHOE, Burnt, Carried, HandVoided, Resumed, Ruled, RulingRefused, Voided
from .shoe import (
    CutCard,
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
from .table import Ignored, StartRefused, TableClosed, TableOpened

__all__ = [
    "DECIDING", "GUESSED", "PAST_THE_SHOE", "Acknowledged", "AnchorBack", "AnchorBegun", "AnchorLost", "AnsweredBy",
    "Asked", "BetAccepted", "BetRefused", "BetRepriced", "BetWithdrawn", "Burnt", "Cancelled", "Carried",
    "Checkpoint", "ClockSet", "Closed", "Completed", "Configured", "CutCard", "DealerChanged", "DealerLeaving",
    "Dealt", "Decided", "DecisionRefused", "DeckSuspect", "DeviceCutOff", "DeviceFound", "DeviceLost",
    "DeviceTakenBack", "Difference", "Disagreed", "Disputed", "Drawn", "Escalated", "Extended", "Fact", "Faulted",
    "HandVoided", "HandedOver", "Ignored", "LossAccepted", "Made", "OfRound", "Opened", "Paid", "PlayerBack",
    "PlayerGone", "Price", "ReadOut", "Record", "RecordDamaged", "RecordSound", "Refunded", "Refusal",
    "ReportAnswered", "Reported", "Restarted", "Resumed", "Revealed", "Rewound", "Ruled", "RulingRefused",
    "Settled", "Shift", "ShoeChange", "ShoeCut", "ShoeEnded", "ShoeReady", "ShoeStoodBy", "Shuffled",
    "SignInsRefused", "SignedIn", "Source", "StartRefused", "TableClosed", "TableOpened", "TelegramsMissing",
    "Total", "Voided", "What", "WindowOpened", "Worth", "found", "kind_of",
]  # fmt: skip

What = (
    Configured | LossAccepted | RecordDamaged | RecordSound | AnchorBegun | AnchorLost | AnchorBack
    | TableOpened | TableClosed | DealerChanged | DealerLeaving | ShoeChange | ReadOut | ShoeEnded | ShoeCut | ShoeReady
    | Shuffled | DeckSuspect | CutCard | ShoeStoodBy
    | Opened | WindowOpened | BetAccepted | BetRefused | BetWithdrawn | BetRepriced | PlayerGone | PlayerBack | Closed
    | Dealt | Drawn | Asked | Decided | DecisionRefused | Rewound | Revealed
    | Completed | Disagreed | Settled | Paid | Cancelled | Refunded | Disputed | Checkpoint
    | Faulted | Reported | ReportAnswered | Acknowledged | Escalated | Extended | Restarted
    | Ruled | RulingRefused | HandVoided | Burnt | Carried | Voided | Resumed
    | SignedIn | SignInsRefused | HandedOver
    | StartRefused | Ignored | DeviceLost | DeviceFound | DeviceCutOff | DeviceTakenBack | TelegramsMissing | ClockSet
)  # fmt: skip
Refusal = BetRefused | DecisionRefused | RulingRefused | StartRefused | Ignored  # nothing came of an input


class Record(Struct, frozen=True, gc=False):
    """One entry of the journal."""

    seq: int  # from 1, without a gap
    at: Time
    table: str
    what: What
    round: int | None = None
    shoe: str | None = None
    dealer: str | None = None
    person: str | None = None  # the id of whoever `by` names
    training: bool = False  # of a round that is announced to nobody
    input: Input | None = None  # on the first record that it led to: what was decided on

    @property
    def kind(self) -> str:
        """What sort of record this is."""
        return kind_of(self.what)


def found(records: Sequence[Record], device: str) -> bool:
    """Whether the device came (back) in one of these."""
    return any(isinstance(record.what, DeviceFound) and record.what.device == device for record in records)
