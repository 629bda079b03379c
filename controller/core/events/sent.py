"""Events that the dealer and the game server send in a round: windows, bets, decisions.

They are unchecked input: `decide` accepts or refuses each. Amounts are in minor units of the table's currency. `round`
and `window` state which one is meant (from 1), so that a late message cannot hit the next one; None: the present one.
"""

from msgspec import UNSET, UnsetType

from ..reached_limit import ReachedLimit
from .said import Act, Said


class Open(Act, frozen=True, tag="open"):
    """Request to open a round for bets (OPEN BETS)."""

    by: str = "dealer"
    round: int | None = None  # its number, where somebody says which one


class Close(Act, frozen=True, tag="close"):
    """Request to close a betting window (NO MORE BETS)."""

    by: str = "dealer"
    round: int | None = None  # whose, where somebody says
    window: int | None = None  # the betting window that is meant; null: the open one


class PlaceBet(Said, frozen=True, tag="bet"):
    """Bet of a player. `market`: name of the market, with its seat in a seated game (`seat2 main`)."""

    player: str
    market: str
    stake: int | None  # minor units; null: what was asked for is no amount
    round: int | None = None  # that it is meant for, where somebody says
    window: int | None = None  # likewise the betting window; null: the open one
    odds: str | None = None  # decimal, the worst that it is to be taken at; null: any
    player_class: str | None = None  # whose limits hold; null: the table's
    id: str | None = None  # of the command, which an `unbet` may name


class WithdrawBet(Said, frozen=True, tag="unbet"):
    """Request of a player to withdraw their bet on a market before betting closes."""

    player: str
    market: str
    round: int | None = None  # in which it was staked, where somebody says
    window: int | None = None  # likewise the betting window; null: the open one
    bet: str | None = None  # the id of the command that stakes or staked it, where somebody says


class LineCut(Said, frozen=True, tag="gone"):
    """Report that a player's connection to the game server was lost."""

    player: str
    round: int | None = None  # in which it is, where somebody says


class LineBack(Said, frozen=True, tag="back"):
    """Report that a player's connection to the game server is back."""

    player: str
    round: int | None = None  # in which it is, where somebody says


class Choose(Said, frozen=True, tag="decide"):
    """Answer to a decision window. `who`: the deciding player, or the seat in a seated game."""

    who: str
    decision: str
    question: int | None = None  # the number of the record that asked, where somebody says


Sent = Open | Close | PlaceBet | WithdrawBet | LineCut | LineBack | Choose


class NotAll(Said, frozen=True, tag="not_all"):
    """Event of a group that was refused as a whole because one of the group was.

    `said`: the event itself, which had no effect; `why`: reason code of the refusal. `window`, `odds` and `limit`
    are set for the one event that the table refused, which was decided after the events before it. They are unset for
    the other events of the group, and in older records.
    """

    said: Sent
    why: str | None = None  # null: the state
    window: int | UnsetType | None = UNSET  # of a bet: the betting window that was open; null: none
    odds: str | UnsetType | None = UNSET  # of a bet: in force on its market; null: none
    limit: ReachedLimit | UnsetType = UNSET  # of a bet or a decision: the limit that it does not keep, if any


class NoText(Said, frozen=True, tag="no_text"):
    """Event with a name that is no valid Unicode text, so it cannot be recorded.

    Such as half a surrogate pair.

    It is recorded in place of the event that was sent; `what`: the class name of that event.
    """

    what: str
