"""What can reach a table: everything that devices, people, the game server and the clock can say.

An event is input. Nobody has checked it yet, and nothing has happened because of it.
"""

from typing import Literal

from msgspec import Struct

from ..rules.cards import Card
from .clock import Time
from .mark import Mark
from .touched import Choice

Key = Literal["open", "close", "finish", "manager", "dropped", "exposed", "shuffled"]
Device = Literal["shoe", "panel", "beacon", "server"]
SignInDoor = Literal["manager", "dealer", "kiosk"]  # a page of theirs; the table, to deal; the dealer's own screen
Proof = Literal["pin", "badge", "badge_pin"]  # how somebody has shown who they are
Check = Literal["chain", "anchor"]  # of the whole record: by its own hashes; by what a file on another disk remembers
Ruling = Literal["resume", "enter", "rescan", "correct", "move", "burn", "void", "carry", "deal", "cancel"]


class Origin(Struct, frozen=True, omit_defaults=True, gc=False):
    """Where an event came from that somebody sent: as whom they were known to us, and under which key of theirs."""

    via: str  # unix:USER
    command: str | None = None  # the same again under this key is not done again


class _Event(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """What was said, and by its kind what that means."""


class Act(_Event, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a person does, whom `by` names."""

    person: str | None = None  # their id, where somebody keeps a registry of persons; else the name is it


class CardOut(_Event, frozen=True, tag="card"):
    """A card left the shoe. `card` is null where the reader could not read it."""

    card: Card | None
    place: str | None = None  # where the reader says it went
    position: int | None = None  # 1.. within the place, where the reader counts


class CutCardOut(_Event, frozen=True, tag="cut"):
    """The cut card came out."""


class ShoeSays(_Event, frozen=True, tag="result"):
    """The shoe's own result."""

    winner: str
    pairs: tuple[str, ...] | None = None  # null: it did not say


class ShoeFails(_Event, frozen=True, tag="shoe_error"):
    """The shoe reports an error of its own."""

    code: int
    meaning: str


class TelegramsLost(_Event, frozen=True, tag="gap"):
    """A gap in the shoe's own numbering: which number should have come, and which did."""

    expected: str
    got: str


class ShoeStandsBy(_Event, frozen=True, tag="standby"):
    """The shoe is between rounds, or has just started."""


class Pressed(_Event, frozen=True, tag="press"):
    """A key of the panel, by its meaning."""

    key: Key


class Open(Act, frozen=True, tag="open"):
    """A round is to be opened."""

    by: str = "dealer"
    round: int | None = None  # its number, where somebody says which one


class Close(Act, frozen=True, tag="close"):
    """No more bets."""

    by: str = "dealer"
    round: int | None = None  # whose, where somebody says


class PlaceBet(_Event, frozen=True, tag="bet"):
    """A player stakes on a market (with its seat, in a seated game)."""

    player: str
    market: str
    stake: int | None  # minor units; null: what was asked for is no amount
    round: int | None = None  # that it is meant for, where somebody says


class WithdrawBet(_Event, frozen=True, tag="unbet"):
    """A player takes a stake back."""

    player: str
    market: str
    round: int | None = None  # in which it was staked, where somebody says


class LineCut(_Event, frozen=True, tag="gone"):
    """A player's line is gone."""

    player: str


class LineBack(_Event, frozen=True, tag="back"):
    """A player's line is there again."""

    player: str


class Choose(_Event, frozen=True, tag="decide"):
    """A player (or a seat's player) decides."""

    who: str
    decision: str
    question: int | None = None  # the number of the record that asked, where somebody says


class Tick(_Event, frozen=True, tag="tick"):
    """Time has passed."""


class NewDeck(Act, frozen=True, tag="shuffled"):
    """A new or shuffled deck is confirmed."""

    by: str = "dealer"
    deck: str | None = None  # which one, where a table has several; by default the one it has


class ChangeShoe(Act, frozen=True, tag="shoe_change"):
    """The shoe is taken away; said once more, what was read out of it is all there was."""

    by: str = "dealer"
    left: int | None = None  # cards that are left in it, where somebody counted them
    reading: bool = False  # they are read out: the cards that come now are the rest of it


class CutShoe(Act, frozen=True, tag="shoe_cut"):
    """The shuffled cards are cut."""

    by: str = "dealer"


class LoadShoe(Act, frozen=True, tag="shoe_ready"):
    """A full shoe is in place."""

    by: str = "dealer"
    id: str | None = None  # by default the next number of this table
    counted: int | None = None  # cards, where somebody counted them
    receipt: str | None = None  # of the machine that did
    witness: str | None = None  # the second person who saw it done


class OpenTable(Act, frozen=True, tag="table_open"):
    """The table opens for play."""

    by: str


class CloseTable(Act, frozen=True, tag="table_close"):
    """The table closes after the round that is on."""

    by: str


class DealerOn(Act, frozen=True, tag="dealer"):
    """A dealer takes over; nobody, when null: the dealer signs off."""

    dealer: str | None
    by: str | None = None  # who says so, where it is somebody else
    id: str | None = None  # of the dealer, where somebody keeps a registry of persons; else the name is it


class Leave(Act, frozen=True, tag="leave"):
    """The dealer leaves, for a break or because the next one comes: now, or after the round that is on."""

    by: str = "dealer"


class SignIn(Act, frozen=True, tag="sign_in"):
    """Somebody has shown who they are: at a manager's page, to deal, or for the screen that is the dealer's."""

    by: str
    source: str  # an address, or unix:USER
    door: SignInDoor
    proof: Proof | None = None


class HandOver(Act, frozen=True, tag="hand_over"):
    """A shift manager hands the table over to the next one: both have shown who they are."""

    by: str
    taker: str
    id: str | None = None  # the taker's, where somebody keeps a registry of persons; else the name is it
    shown: int = 0  # the last record in what both were shown of the shift
    note: str = ""


class BadSignIns(_Event, frozen=True, tag="bad_sign_ins"):
    """PINs that were wrong, or came too soon after wrong ones: all of a time, in one."""

    wrong: int
    delayed: int  # that were not even tried
    most: int  # the most of one source for one name
    delay: int  # seconds: the longest that somebody has to wait now
    people: tuple[str, ...] = ()  # some of those whose PIN it was not; what nobody is called could be a PIN
    sources: tuple[str, ...] = ()  # some of them


class LostDevice(_Event, frozen=True, tag="lost"):
    """A device is gone."""

    device: Device
    reason: str = ""


class FoundDevice(_Event, frozen=True, tag="found"):
    """A device is there."""

    device: Device
    address: str = ""
    serial: str = ""  # its own number, where it has one


class Babbles(_Event, frozen=True, tag="babble"):
    """A device says more than any that works, and is cut off: it is not heard until a person takes it back."""

    device: Device
    heard: int  # telegrams
    seconds: int  # in which they came


class SetClock(_Event, frozen=True, tag="clock"):
    """The PC's clock has been set: time is another from here on."""

    to: str  # ISO 8601, as a record has it


class Begin(_Event, frozen=True, tag="begin"):
    """A record begins."""

    epoch: str  # by which it is told from every other: made by chance
    rounds: int = 0  # that this table has played before it


class NewFile(_Event, frozen=True, tag="new_file"):
    """The record goes on in a new file."""


class ProgramBack(_Event, frozen=True, tag="restart"):
    """The program has started again on a table that has a record already."""


class JournalBack(_Event, frozen=True, tag="journal_failed"):
    """The record could not be written for a while; now it can again."""

    reason: str
    dropped: int = 0  # events that came meanwhile and were too many to be kept


class Checked(_Event, frozen=True, tag="checked"):
    """The whole record was checked, behind the table's back."""

    check: Check
    first: int | None = None  # the record from which on it does not stand; null: it stands
    reason: str = ""


class AcceptLoss(Act, frozen=True, tag="accept_loss"):
    """Somebody goes on with a record of which some is lost, or is not what it was: from here it has a new epoch."""

    by: str
    because: str
    epoch: str  # the new one: made by chance
    lost: Mark | None = None  # the last that was remembered of what is lost


class NoText(_Event, frozen=True, tag="no_text"):
    """Something was said with a name in it that is no text, such as half a character: it cannot be written down."""

    what: str


Sent = Open | Close | PlaceBet | WithdrawBet | LineCut | LineBack | Choose


class NotAll(_Event, frozen=True, tag="not_all"):
    """It was said with others, all of them or none, and one of them cannot be: nothing was done."""

    said: Sent
    why: str | None = None  # null: the state


class Acknowledge(Act, frozen=True, tag="ack"):
    """A shift manager has seen the fault."""

    by: str
    fault: int | None = None


class Rule(Act, frozen=True, tag="rule"):
    """A shift manager's ruling on a fault (the one that is open, when not named)."""

    ruling: Ruling
    by: str
    because: str
    draw: int | None = None
    card: Card | None = None
    place: str | None = None
    fault: int | None = None
    checked: Literal["deck"] | None = None  # the manager's word, where it was suspect
    touched: Choice | None = None  # what becomes of what the card has touched; null: as the table does it
    seen: bool | None = None  # of a card to be carried: whether anybody saw it


Event = (
    CardOut | CutCardOut | ShoeSays | ShoeFails | TelegramsLost | ShoeStandsBy | Pressed | Open | Close
    | PlaceBet | WithdrawBet | LineCut | LineBack | Choose | Tick
    | NewDeck | ChangeShoe | CutShoe | LoadShoe | OpenTable | CloseTable | DealerOn | Leave
    | LostDevice | FoundDevice | Babbles | SetClock | Begin | NewFile | ProgramBack | JournalBack | Checked | AcceptLoss
    | NoText | NotAll | Acknowledge | Rule | SignIn | HandOver | BadSignIns
)  # fmt: skip


class Input(Struct, frozen=True, gc=False):
    """What a decision was made on: what came, when, and where from. No PIN, badge code or token is in any of them."""

    event: Event
    at: Time  # its own: a table that was halted decides on it, and records that, later
    origin: Origin | None = None
