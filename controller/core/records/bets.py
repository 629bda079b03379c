"""Records about bets, from the betting window to the payment, and about the players' connections.

Amounts (`stake`, `returned`) are in minor units of `currency`; odds are decimal texts, the stake included.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from ..codes import BetReason
from ..reached_limit import ReachedLimit
from .fact import Fact, OfRound


class WindowOpened(Fact, frozen=True, tag="window_opened"):
    """A further betting window of the round was opened, with these odds by market."""

    window: int
    odds: dict[str, str]
    deadline: str | UnsetType | None = UNSET  # ISO 8601; null: opened in a pause, the time starts when play resumes


class BetAccepted(Fact, frozen=True, tag="bet_accepted"):
    """A bet was accepted: its stake is in play."""

    bet: str  # ROUND_ID.N: N = 1, 2, ... in the order of the round's accepted stakes, never reused
    player: str
    market: str  # with its seat, in a seated game
    stake: int
    odds: str | None = None
    currency: str = ""  # of the amounts: ISO 4217
    window: int | UnsetType = UNSET  # betting window of the bet; older records have none
    player_class: str | UnsetType = UNSET  # class whose limits apply, if the game server named one


class BetRefused(Fact, frozen=True, tag="bet_refused"):
    """A bet was refused. No stake was taken."""

    player: str
    market: str
    stake: int
    reason: BetReason
    currency: str = ""  # of the amounts: ISO 4217
    window: int | UnsetType | None = UNSET  # betting window that was open; null: none
    odds: str | UnsetType | None = UNSET  # odds in force on the market; null: none
    limit: ReachedLimit | UnsetType = UNSET  # limit that the bet does not keep, if this is the reason


class BetWithdrawn(Fact, frozen=True, tag="bet_withdrawn"):
    """Withdrawal of a bet, with its stake returned.

    Before or at the close of betting, or as an effect of a ruling.
    """

    bet: str
    player: str
    market: str
    stake: int
    currency: str = ""  # of the amounts: ISO 4217
    limit: ReachedLimit | UnsetType = UNSET  # limit whose minimum the stakes did not reach when betting closed


class BetRepriced(Fact, frozen=True, tag="bet_repriced"):
    """New odds of a bet that was taken at odds based on a misread card.

    The bet has the lower of the wrong and the correct odds from now on.
    """

    bet: str
    player: str
    market: str
    stake: int
    was: str
    odds: str
    currency: str = ""  # of the amounts: ISO 4217


class ExposureWarned(Fact, frozen=True, tag="exposure_warned"):
    """The bets of the round can win more than the warning limit. No bet is refused; once per round."""

    exposure: int  # most that the bets can win beyond their stakes
    above: int  # warning limit that was exceeded
    currency: str = ""  # of the amounts: ISO 4217


class PlayerGone(Fact, frozen=True, tag="player_gone"):
    """A player's connection to the game server was lost."""

    player: str


class PlayerBack(Fact, frozen=True, tag="player_back"):
    """A player's connection to the game server is back."""

    player: str


class Closed(Fact, frozen=True, tag="closed"):
    """Betting was closed (NO MORE BETS). The first close of a round fixes the players who take part."""

    by: str  # dealer, server, clock
    window: int = 1
    players: tuple[str, ...] = ()  # players who take part, in the order of their first bet
    seats: tuple[str, ...] = ()
    early: int | UnsetType = UNSET  # whole seconds left when the dealer's key closed betting; unset: not closed by key


class AppliedCeiling(Struct, frozen=True):
    """Ceiling of payment that lowered what a bet wins: from `was` to `to`, in minor units, without the stake."""

    of: Literal["bet", "player", "round"]  # what the ceiling applies to
    was: int
    to: int


class Paid(OfRound, frozen=True, tag="paid"):
    """A bet of a settled round was paid. `returned` includes the stake, in minor units; 0: the bet lost."""

    player: str
    market: str
    bet: str
    stake: int
    returned: int  # amount returned, the stake included; 0: the bet lost
    currency: str = ""  # of the amounts: ISO 4217
    capped: tuple[AppliedCeiling, ...] | UnsetType = UNSET  # ceilings that lowered it, in order of use

    @property
    def above_ceilings(self) -> int:
        """Winnings by the rule sheet that the ceilings leave unpaid, in minor units."""
        return self.capped[0].was - self.capped[-1].to if self.capped else 0


class Refunded(OfRound, frozen=True, tag="refunded"):
    """The stake of one bet was returned because its round is void."""

    player: str
    market: str
    bet: str
    stake: int
    currency: str = ""  # of the amounts: ISO 4217
