"""What can reach a table: everything that devices, people, the game server and the clock can say.

The one rule: an event is input. Nobody has checked it yet, and nothing has happened because of it.
"""

from msgspec import Struct

from ..cards import Card

Key = str  # open close finish manager dropped exposed shuffled


class Origin(Struct, frozen=True, omit_defaults=True):
    """Where an event came from that somebody sent: as whom they were known to us, and under which key of theirs."""

    via: str  # unix:USER
    command: str | None = None  # the same again under this key is not done again


class CardOut(Struct, frozen=True):
    """A card left the shoe. `card` is null where the reader could not read it."""

    card: Card | None
    place: str | None = None  # where the reader says it went
    position: int | None = None  # 1.. within the place, where the reader counts


class CutCardOut(Struct, frozen=True):
    """The cut card came out."""


class ShoeSays(Struct, frozen=True):
    """The shoe's own result."""

    winner: str
    pairs: tuple[str, ...] | None = None  # null: it did not say


class ShoeFails(Struct, frozen=True):
    """The shoe reports an error of its own."""

    code: int
    meaning: str


class TelegramsLost(Struct, frozen=True):
    """A gap in the shoe's own numbering: which number should have come, and which did."""

    expected: str
    got: str


class ShoeStandsBy(Struct, frozen=True):
    """The shoe is between rounds, or has just started."""


class Pressed(Struct, frozen=True):
    """A key of the panel, by its meaning."""

    key: Key


class Open(Struct, frozen=True):
    """A round is to be opened."""

    by: str = "dealer"


class Close(Struct, frozen=True):
    """No more bets."""

    by: str = "dealer"


class PlaceBet(Struct, frozen=True):
    """A player stakes on a market (with its seat, in a seated game)."""

    player: str
    market: str
    stake: int | None  # minor units; null: what was asked for is no amount
    bet: str | None = None  # its id; by default player and market


class WithdrawBet(Struct, frozen=True):
    """A player takes a stake back."""

    player: str
    market: str


class LineCut(Struct, frozen=True):
    """A player's line is gone."""

    player: str


class LineBack(Struct, frozen=True):
    """A player's line is there again."""

    player: str


class Choose(Struct, frozen=True):
    """A player (or a seat's player) decides."""

    who: str
    decision: str


class Tick(Struct, frozen=True):
    """Time has passed."""


class NewDeck(Struct, frozen=True):
    """A new or shuffled deck is confirmed."""

    by: str = "dealer"


class ChangeShoe(Struct, frozen=True):
    """The shoe is taken away."""

    by: str = "dealer"


class CutShoe(Struct, frozen=True):
    """The shuffled cards are cut."""

    by: str = "dealer"


class LoadShoe(Struct, frozen=True):
    """A full shoe is in place."""

    by: str = "dealer"
    id: str | None = None  # by default the next number of this table
    counted: int | None = None  # cards, where somebody counted them


class OpenTable(Struct, frozen=True):
    """The table opens for play."""

    by: str


class CloseTable(Struct, frozen=True):
    """The table closes after the round that is on."""

    by: str


class DealerOn(Struct, frozen=True):
    """A dealer takes over; nobody, when null: the dealer signs off."""

    dealer: str | None
    by: str | None = None  # who says so, where it is somebody else


class LostDevice(Struct, frozen=True):
    """A device is gone."""

    device: str  # shoe, panel, ...
    reason: str = ""


class FoundDevice(Struct, frozen=True):
    """A device is there."""

    device: str
    address: str = ""
    serial: str = ""  # its own number, where it has one


class ProgramBack(Struct, frozen=True):
    """The program has started again on a table that has a record already."""


class JournalBack(Struct, frozen=True):
    """The record could not be written for a while; now it can again."""

    reason: str


class Acknowledge(Struct, frozen=True):
    """A shift manager has seen the fault."""

    by: str
    fault: int | None = None


class Rule(Struct, frozen=True):
    """A shift manager's ruling on a fault (the one that is open, when not named)."""

    ruling: str
    by: str
    because: str
    draw: int | None = None
    card: Card | None = None
    place: str | None = None
    fault: int | None = None


Event = (
    CardOut | CutCardOut | ShoeSays | ShoeFails | TelegramsLost | ShoeStandsBy | Pressed | Open | Close
    | PlaceBet | WithdrawBet | LineCut | LineBack | Choose | Tick
    | NewDeck | ChangeShoe | CutShoe | LoadShoe | OpenTable | CloseTable | DealerOn
    | LostDevice | FoundDevice | ProgramBack | JournalBack | Acknowledge | Rule
)  # fmt: skip
