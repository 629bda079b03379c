"""Events that the dealer and the game server send in a round: windows, bets, decisions.

They are unchecked input: `decide` accepts or refuses each. Amounts are in minor units of the table's currency. `round`
and `window` state which one is meant (from 1), so that a late message cannot hit the next one; None: the present one.
"""

from msgspec import UNSET, UnsetType

from ..reached_limit import ReachedLimit
from .base import Act, EventBase


class Open(Act, frozen=True, tag="open"):
    """Request to open a round for bets (OPEN BETS)."""

    by: str = "dealer"
    round: int | None = None  # number of the round to open, if named


class Close(Act, frozen=True, tag="close"):
    """Request to close a betting window (NO MORE BETS)."""

    by: str = "dealer"
    round: int | None = None  # round of the window, if named
    window: int | None = None  # betting window to close; null: the open one


class PlaceBet(EventBase, frozen=True, tag="bet"):
    """Bet of a player. `market`: name of the market, with its seat in a seated game (`seat2 main`)."""

    player: str
    market: str
    stake: int | None  # minor units; null: the requested stake is no valid amount
    round: int | None = None  # round of the bet, if named
    window: int | None = None  # betting window of the bet; null: the open one
    odds: str | None = None  # decimal, the lowest accepted odds; null: any
    player_class: str | None = None  # class whose limits apply; null: the table's limits
    id: str | None = None  # id of the command, which an `unbet` of the same sender may name
    via: str = ""  # sender of the command, as in `Origin`


class WithdrawBet(EventBase, frozen=True, tag="unbet"):
    """Request of a player to withdraw their bet on a market before betting closes."""

    player: str
    market: str
    round: int | None = None  # round of the bet, if named
    window: int | None = None  # betting window of the bet; null: the open one
    bet: str | None = None  # id of the sender's own `bet` command, if named
    via: str = ""  # sender of the command, as in `Origin`


class LineCut(EventBase, frozen=True, tag="gone"):
    """Report that a player's connection to the game server was lost."""

    player: str
    round: int | None = None  # live round, if named


class LineBack(EventBase, frozen=True, tag="back"):
    """Report that a player's connection to the game server is back."""

    player: str
    round: int | None = None  # live round, if named


class Choose(EventBase, frozen=True, tag="decide"):
    """Answer to a decision window. `who`: the deciding player, or the seat in a seated game."""

    who: str
    decision: str
    question: int | None = None  # number of the record `asked`, if named


RoundEvent = Open | Close | PlaceBet | WithdrawBet | LineCut | LineBack | Choose


class NotAll(EventBase, frozen=True, tag="not_all"):
    """Event of a group that was refused as a whole because one event of the group was.

    `said`: the event itself, which had no effect; `why`: reason code of the refusal. `window`, `odds` and `limit`
    are set for the one event that the table refused, which was decided after the events before it. They are unset for
    the other events of the group, and in older records.
    """

    said: RoundEvent
    why: str | None = None  # null: it does not fit the state
    window: int | UnsetType | None = UNSET  # for a bet: betting window that was open; null: none
    odds: str | UnsetType | None = UNSET  # for a bet: odds in force on its market; null: none
    limit: ReachedLimit | UnsetType = UNSET  # for a bet or a decision: limit that it does not keep, if any


class NoText(EventBase, frozen=True, tag="no_text"):
    """Event with a name that is no valid Unicode text, such as half a surrogate pair, so it cannot be recorded.

    It is recorded in place of the event that was sent; `what`: the class name of that event.
    """

    what: str
