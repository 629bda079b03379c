"""What the dealer and the game server send in a round: its windows, stakes, decisions and the players' lines."""

from .said import Act, Said


class Open(Act, frozen=True, tag="open"):
    """A round is to be opened."""

    by: str = "dealer"
    round: int | None = None  # its number, where somebody says which one


class Close(Act, frozen=True, tag="close"):
    """No more bets."""

    by: str = "dealer"
    round: int | None = None  # whose, where somebody says
    window: int | None = None  # the betting window that is meant; null: the open one


class PlaceBet(Said, frozen=True, tag="bet"):
    """A player stakes on a market (with its seat, in a seated game)."""

    player: str
    market: str
    stake: int | None  # minor units; null: what was asked for is no amount
    round: int | None = None  # that it is meant for, where somebody says
    window: int | None = None  # likewise the betting window; null: the open one
    odds: str | None = None  # decimal, the worst that it is to be taken at; null: any


class WithdrawBet(Said, frozen=True, tag="unbet"):
    """A player takes a stake back."""

    player: str
    market: str
    round: int | None = None  # in which it was staked, where somebody says
    window: int | None = None  # likewise the betting window; null: the open one


class LineCut(Said, frozen=True, tag="gone"):
    """A player's line is gone."""

    player: str
    round: int | None = None  # in which it is, where somebody says


class LineBack(Said, frozen=True, tag="back"):
    """A player's line is there again."""

    player: str
    round: int | None = None  # in which it is, where somebody says


class Choose(Said, frozen=True, tag="decide"):
    """A player (or a seat's player) decides."""

    who: str
    decision: str
    question: int | None = None  # the number of the record that asked, where somebody says


Sent = Open | Close | PlaceBet | WithdrawBet | LineCut | LineBack | Choose


class NotAll(Said, frozen=True, tag="not_all"):
    """It was said with others, all of them or none, and one of them cannot be: nothing was done."""

    said: Sent
    why: str | None = None  # null: the state


class NoText(Said, frozen=True, tag="no_text"):
    """Something was said with a name in it that is no text, such as half a character: it cannot be written down."""

    what: str
