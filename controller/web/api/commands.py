"""Commands of people and the game server to a running table.

MAY lists the commands of each role. The table decides whether a command is possible now.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from ...config.people import KnownPerson, People
from ...core.bounds import MOST_CORRECTIONS, MOST_NAME, MOST_REASON, ODDS, Cards, Number, Whole
from ...core.events import Amending, Choice, Ruling
from ...text.coded import WithMessage
from .hand_over_message import Credentials

Role = Literal["manager", "dealer", "server", "player"]  # a player may only read
ROLES: tuple[Role, ...] = get_args(Role)

# The rules of `spelling`, as far as RE2, ECMA-262 and Python share a syntax for them; `spelling` knows more invisible
# characters. In Python's `search`, `$` accepts a final newline; the table does not.
_UNSEEN = r"\x00-\x1f\x7f-\x9f\xad"
_WORD = rf"[^{_UNSEEN}\x20\xa0]+"
_SAID = rf"^[^{_UNSEEN}]*{_WORD}[^{_UNSEEN}]*$"
_NAME = {"pattern": rf"^{_WORD}( {_WORD})*$"}
Name = Annotated[str, Meta(min_length=1, max_length=MOST_NAME, extra_json_schema=_NAME)]
Because = Annotated[str, Meta(min_length=1, max_length=MOST_REASON, extra_json_schema={"pattern": _SAID})]
Window = Number | None  # betting window from 1; required if the game has several; refused unless that window is open
Odds = Annotated[str, Meta(max_length=19, pattern=f"^{ODDS}$")]  # decimal odds, stake included
Stake = Whole  # minor units; a stake above the market's maximum refuses only this bet


class Caller(Struct, frozen=True):
    """Identified caller of the API: role, name, and how they were identified."""

    role: Role
    name: str
    via: str  # unix:USER, web:PERSON, web:kiosk, token:CLIENT, floor:FLOOR or platform:PLATFORM
    for_others: bool = False  # True: commands may name another person as the acting one
    person: str | None = None  # badge number of the caller, if registered
    people: People | None = None  # the registry; None: the table has none
    second: KnownPerson | None = None  # second person whose PIN or badge was verified, for this one ruling
    lapsed: bool = False  # True: the PIN must be typed again; until then the caller may only look at the table
    at_floor: bool = False  # True: sent from a floor, which has checked that the table is assigned to the caller
    still: Callable[[], bool] = lambda: True  # False once the session or key is no longer valid; ends streams


class _Command(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="command"):
    id: Name  # chosen by the caller: a repeat with the same id gets the first answer and is not carried out again
    by: Name | None = None  # the acting person, if several people share a login


class OpenCommand(_Command, frozen=True, tag="open"):
    """Open a round for bets."""

    round: Number | None = None  # number of the round to open; refused if the next round has another number


class CloseCommand(_Command, frozen=True, tag="close"):
    """Close betting in the open round."""

    round: Number | None = None  # number of the round to close; refused if another round is live
    window: Window = None


class Press(_Command, frozen=True, tag="press"):
    """Press a key of the dealer's panel on a screen."""

    key: Literal["close", "ready", "finish", "manager", "dropped", "exposed"]


class ShuffledCommand(_Command, frozen=True, tag="shuffled"):
    """Confirm a new or shuffled deck, with its id if the table has several."""

    deck: Name | None = None


class ShoeCommand(_Command, frozen=True, tag="shoe"):
    """Report one step of a shoe change.

    `change`: the shoe is taken away, with its remaining cards counted (`left`); `readout`: they are read out.
    `cut`: the new cards are cut; `uncut`: they are not, for a reason. `ready`: a full shoe is in place, with its id and
    its cards counted by a machine with a receipt, or before a witness; without `cut` or `uncut` before it, the record
    says that the shoe is not cut, without a reason.
    """

    do: Literal["change", "readout", "cut", "uncut", "ready"]
    shoe: Name | None = None
    counted: Cards | None = None
    left: Cards | None = None
    receipt: Name | None = None
    witness: Name | None = None
    because: Because | None = None  # reason for `uncut`


class TableDoor(_Command, frozen=True, tag="table"):
    """Open the table for play, or close it after the live round."""

    do: Literal["open", "close"]


class DealerCommand(_Command, frozen=True, tag="dealer"):
    """Change the dealer from the next round on; null: the dealer signs off."""

    name: Name | None


class LeaveCommand(_Command, frozen=True, tag="leave"):
    """End the dealer's turn: at once between two rounds, otherwise after the live round."""


class RuleCommand(_Command, frozen=True, tag="rule"):
    """Rule on the fault with this number."""

    fault: Number
    ruling: Ruling
    because: Because
    draw: Number | None = None
    card: Name | None = None
    place: Name | None = None
    checked: Literal["deck"] | None = None  # the manager has checked the deck after too many copies of a card were open
    touched: Choice | None = None  # what to do with affected decisions and bets; null: the table's default
    seen: bool | None = None  # for `carry`: True if anybody saw the card


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """One correction of a round.

    `cancel`: the round is void; `resume`: it is settled by its cards as they lie.
    """

    ruling: Amending
    draw: Number | None = None
    card: Name | None = None
    place: Name | None = None


class ResettleCommand(_Command, frozen=True, tag="resettle"):
    """Settle a settled or cancelled round anew, by two shift managers.

    Send it to `/rulings`, with the second person.

    `amendments`: corrections in order; `cancel` alone makes the round void.
    """

    round: Number
    amendments: Annotated[list[Correction], Meta(min_length=1, max_length=MOST_CORRECTIONS)]
    because: Because
    revision: Whole | None = None  # revision that the caller saw (0: first settlement); refused if it has changed


class DismissCommand(_Command, frozen=True, tag="dismiss"):
    """Dismiss an open case about a round that is over.

    `case`: the record that opened it.
    """

    case: Number
    because: Because


class SecondedRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Ruling confirmed by a second person, who is a shift manager.

    The PIN is not in the command, because commands are stored.
    """

    ruling: RuleCommand | ResettleCommand
    second: Credentials


class AcknowledgeCommand(_Command, frozen=True, tag="ack"):
    """Acknowledge the fault with this number."""

    fault: Number


class BetCommand(_Command, frozen=True, tag="bet"):
    """Place a player's bet on a market (with its seat, in a seated game)."""

    player: Name
    market: Name
    stake: Stake
    round: Number  # number of the round to bet in; refused in any other
    window: Window = None
    odds: Odds | None = None  # lowest odds that are accepted; refused if the table pays less
    player_class: Name | None = None  # class with its own stake limits; null: the table's limits


class Unbet(_Command, frozen=True, tag="unbet"):
    """Take a player's bet back."""

    player: Name
    market: Name
    round: Number  # round in which the bet was placed
    window: Window = None
    bet: Name | None = None  # id of the `bet` command: if it arrives later, it is refused (`taken_back`)


class Decide(_Command, frozen=True, tag="decide"):
    """Decide for a player or for the player of a seat."""

    who: Name
    decision: Name
    question: Number  # `seq` of the event `asked` that this answers; refused for any other


class GoneCommand(_Command, frozen=True, tag="gone"):
    """Report that a player's connection is lost."""

    player: Name
    round: Number | None = None  # live round; refused in any other


class Back(_Command, frozen=True, tag="back"):
    """Report that a player's connection is back."""

    player: Name
    round: Number | None = None  # live round; refused in any other


Command: TypeAlias = (
    OpenCommand | CloseCommand | Press | ShuffledCommand | ShoeCommand | TableDoor | DealerCommand | LeaveCommand
    | RuleCommand | AcknowledgeCommand | ResettleCommand | DismissCommand
    | BetCommand | Unbet | Decide | GoneCommand | Back
)  # fmt: skip
Commands = Annotated[list[Command], Meta(min_length=1, max_length=5000)]


class CommandGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """List of commands that are all carried out, or none of them if one is refused."""

    all: Annotated[bool, Meta(extra_json_schema={"const": True})]
    commands: Annotated[
        list[OpenCommand | CloseCommand | BetCommand | Unbet | Decide | GoneCommand | Back],
        Meta(min_length=1, max_length=100),
    ]


_AT_THE_TABLE: frozenset[type[_Command]] = frozenset(
    {OpenCommand, CloseCommand, Press, ShuffledCommand, ShoeCommand, LeaveCommand}
)
MAY: Mapping[Role, frozenset[type[_Command]]] = {
    "manager": _AT_THE_TABLE
    | {TableDoor, DealerCommand, RuleCommand, AcknowledgeCommand, ResettleCommand, DismissCommand},
    "dealer": _AT_THE_TABLE,
    "server": frozenset({OpenCommand, CloseCommand, BetCommand, Unbet, Decide, GoneCommand, Back}),
    "player": frozenset(),
}


class Forbidden(WithMessage):
    """Command that the role of its caller does not permit."""


def word(command: Struct | type[Struct]) -> str:
    """Name of a command or of its class."""
    return str(command.__struct_config__.tag)
