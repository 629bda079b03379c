"""Records about a round that is over: resettlements, refusals, and cases."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from ..codes import ResettlingReason
from ..events import Amendment, Pressed, ShoeSays
from .bets import AppliedCeiling
from .fact import Fact, OfRound

AFTERWARDS = frozenset({"resettled", "resettle_refused", "case_dismissed"})  # kinds that name any round, however old


class BetDifference(Struct, frozen=True):
    """Amount returned for one bet before and after; `difference` is what moves now.

    Amounts are in minor units.

    `id` is the bet's id with the revision: a wallet that books each id once books each difference once.
    """

    id: str  # BET.rREVISION
    bet: str
    player: str
    market: str  # with its seat, in a seated game
    stake: int
    was: int  # all that had been returned
    now: int  # all that is returned in the end
    difference: int  # now less was; negative: the player has been given too much
    capped: tuple[AppliedCeiling, ...] | UnsetType = UNSET  # ceilings that lowered `now`, in the order of their use


class Resettled(Fact, frozen=True, tag="resettled"):
    """A settled or cancelled round was settled anew.

    `round` names it: that is not the round which may be on.

    `was`, `now`: its outcome before and after; null: the round was, or is, void.
    """

    revision: int  # from 1
    was: dict[str, Any] | None
    now: dict[str, Any] | None
    movements: tuple[BetDifference, ...]  # of all its bets, also of those with no difference
    by: str
    second: str
    because: str
    amendments: tuple[Amendment, ...]
    ended: str  # when the round was first settled or cancelled: ISO 8601
    currency: str = ""  # of the amounts: ISO 4217
    second_id: str | None = None  # where somebody keeps a registry of persons
    hidden: bool = False  # an amendment names a card that lay face down to the end
    replaces: int | None = None  # the record of the revision before; null: this is the first one


class ResettleRefused(Fact, frozen=True, tag="resettle_refused"):
    """A round was not settled anew, or a case not dismissed, for this reason. Nothing has changed."""

    by: str
    reason: ResettlingReason
    revision: int | None = None  # the latest one of the round; null: there is no such round
    case: int | None = None  # that was to be dismissed


class CaseOpened(OfRound, frozen=True, tag="case_opened"):
    """Case opened by a report about a round after its end.

    The case is open until a person closes it.
    """

    came: Pressed | ShoeSays


class CaseDismissed(Fact, frozen=True, tag="case_dismissed"):
    """A shift manager dismissed an open case: the round stays as it is settled."""

    case: int  # the record that opened it
    by: str
    because: str
