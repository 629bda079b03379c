"""Events: everything that devices, people, the game server and the clock can report to a table.

An event is unchecked input; nothing has happened because of it yet.
"""

from msgspec import Struct

from ..clock import Time
from .base import Act, Check, Choice, Device, Key, NoAnchor, Origin, Proof, Ruling, SignInDoor
from .devices import (
    OUTSIDE,
    Babbles,
    CardOut,
    CutCardOut,
    FoundDevice,
    KeyPressed,
    LostDevice,
    ShoeFails,
    ShoeSays,
    ShoeStandsBy,
    TelegramsLost,
)
from .faults import Acknowledge, Rule
from .people import BadSignIns, DealerOn, HandOverSaid, Leave, SignIn
from .program import (
    AcceptLoss,
    AnchorChecked,
    Begin,
    BeginAnchor,
    Checked,
    CountedStarts,
    JournalBack,
    NewFile,
    ProgramBack,
    SetClock,
    Tick,
    WitnessAsked,
)
from .resettlements import Amending, Amendment, Dismiss, Resettle
from .rounds import Choose, Close, LineBack, LineCut, NotAll, NoText, Open, PlaceBet, RoundEvent, WithdrawBet
from .table import ChangeShoe, CloseTable, CutShoe, LoadShoe, NewDeck, OpenTable, SkipCut

__all__ = [
    "OUTSIDE",
    "AcceptLoss",
    "Acknowledge",
    "Act",
    "Amending",
    "Amendment",
    "AnchorChecked",
    "Babbles",
    "BadSignIns",
    "Begin",
    "BeginAnchor",
    "CardOut",
    "ChangeShoe",
    "Check",
    "Checked",
    "Choice",
    "Choose",
    "Close",
    "CloseTable",
    "CountedStarts",
    "CutCardOut",
    "CutShoe",
    "DealerOn",
    "Device",
    "Dismiss",
    "Event",
    "FoundDevice",
    "HandOverSaid",
    "Input",
    "JournalBack",
    "Key",
    "KeyPressed",
    "Leave",
    "LineBack",
    "LineCut",
    "LoadShoe",
    "LostDevice",
    "NewDeck",
    "NewFile",
    "NoAnchor",
    "NoText",
    "NotAll",
    "Open",
    "OpenTable",
    "Origin",
    "PlaceBet",
    "ProgramBack",
    "Proof",
    "Resettle",
    "RoundEvent",
    "Rule",
    "Ruling",
    "SetClock",
    "ShoeFails",
    "ShoeSays",
    "ShoeStandsBy",
    "SignIn",
    "SignInDoor",
    "SkipCut",
    "TelegramsLost",
    "Tick",
    "WithdrawBet",
    "WitnessAsked",
]  # fmt: skip

Event = (
    CardOut | CutCardOut | ShoeSays | ShoeFails | TelegramsLost | ShoeStandsBy | KeyPressed | Open | Close
    | PlaceBet | WithdrawBet | LineCut | LineBack | Choose | Tick
    | NewDeck | ChangeShoe | CutShoe | SkipCut | LoadShoe | OpenTable | CloseTable | DealerOn | Leave
    | LostDevice | FoundDevice | Babbles | SetClock | Begin | NewFile | ProgramBack | JournalBack | Checked | AcceptLoss
    | AnchorChecked | WitnessAsked | BeginAnchor | CountedStarts
    | NoText | NotAll | Acknowledge | Rule | Resettle | Dismiss | SignIn | HandOverSaid | BadSignIns
)  # fmt: skip


class Input(Struct, frozen=True, gc=False):
    """Input of a decision: event, time and origin. No PIN, badge code or token is in any of them."""

    event: Event
    at: Time  # time of the event itself; a halted table decides and records it later
    origin: Origin | None = None
    salt: str | None = None  # salt of the records that it causes (`withholding.with_salt`)
