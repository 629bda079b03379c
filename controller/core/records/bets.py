"""Stakes, from the window in which they are taken to what they come to, and the lines of those who stake."""

from msgspec import UNSET, UnsetType

from ..codes import BetReason
from .fact import Fact, OfRound


class WindowOpened(Fact, frozen=True, tag="window_opened"):
    """A further betting window, within the round."""

    window: int
    odds: dict[str, str]
    deadline: str | UnsetType | None = UNSET  # ISO 8601; null: opened in a pause, its time runs from the resumption


class BetAccepted(Fact, frozen=True, tag="bet_accepted"):
    """A stake is in."""

    bet: str  # ROUND_ID.N: N = 1, 2, ... in the order in which the round's stakes were taken, never given again
    player: str
    market: str  # with its seat, in a seated game
    stake: int
    odds: str | None = None
    currency: str = ""  # of the amounts: ISO 4217
    window: int | UnsetType = UNSET  # the betting window in which it was taken; records from before have none


class BetRefused(Fact, frozen=True, tag="bet_refused"):
    """A stake was not taken."""

    player: str
    market: str
    stake: int
    reason: BetReason
    currency: str = ""  # of the amounts: ISO 4217
    window: int | UnsetType | None = UNSET  # the betting window that is open; null: none
    odds: str | UnsetType | None = UNSET  # in force on the market; null: none


class BetWithdrawn(Fact, frozen=True, tag="bet_withdrawn"):
    """A stake went back: before the close, or after a ruling that took away what it was staked on."""

    bet: str
    player: str
    market: str
    stake: int
    currency: str = ""  # of the amounts: ISO 4217


class BetRepriced(Fact, frozen=True, tag="bet_repriced"):
    """A bet was taken at odds that a card gave which was another: it stands at the lower of both."""

    bet: str
    player: str
    market: str
    stake: int
    was: str
    odds: str
    currency: str = ""  # of the amounts: ISO 4217


class PlayerGone(Fact, frozen=True, tag="player_gone"):
    """A player's line was cut."""

    player: str


class PlayerBack(Fact, frozen=True, tag="player_back"):
    """A player's line is there again."""

    player: str


class Closed(Fact, frozen=True, tag="closed"):
    """No more bets."""

    by: str  # dealer, server, clock
    window: int = 1
    players: tuple[str, ...] = ()  # who takes part, in the order of their first bet
    seats: tuple[str, ...] = ()


class Paid(OfRound, frozen=True, tag="paid"):
    """What one bet came to."""

    player: str
    market: str
    bet: str
    stake: int
    returned: int  # all that goes back, the stake included; 0 for a lost bet
    currency: str = ""  # of the amounts: ISO 4217


class Refunded(OfRound, frozen=True, tag="refunded"):
    """One stake of a void round goes back."""

    player: str
    market: str
    bet: str
    stake: int
    currency: str = ""  # of the amounts: ISO 4217
