"""Records about a round that is over: resettlements, refusals, and cases.

A resettlement of many bets is several records `resettled`, its parts, each with the movements of some of the bets. The
first part decides all of them: it holds the differences that the later parts record (`rest`).
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..codes import ResettlingReason
from ..events import Amendment, KeyPressed, ShoeSays
from .bets import AppliedCeiling
from .fact import Fact, OfRound

AFTERWARDS = frozenset({"resettled", "resettle_refused", "case_dismissed"})  # kinds that name any round, however old


class BetDifference(Struct, frozen=True):
    """Amount returned for one bet before and after; `difference` is the amount to move now.

    Amounts are in minor units.

    `id` is the bet's id with the revision: a wallet that books each id once books each difference once.
    """

    id: str  # BET.rREVISION
    bet: str
    player: str
    market: str  # with its seat, in a seated game
    stake: int
    was: int  # amount returned before
    now: int  # amount returned in total, after the resettlement
    difference: int  # `now` minus `was`; negative: the player was paid too much
    capped: tuple[AppliedCeiling, ...] | UnsetType = UNSET  # ceilings that lowered `now`, in the order of their use


class LaterDifference(Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """Difference of a bet that a later part records, in the short form that the first part uses."""

    number: int  # number of the bet in its round
    player: str
    market: str
    stake: int
    was: int
    returned: int  # amount after the resettlement
    capped: tuple[AppliedCeiling, ...] = ()

    @classmethod
    def of(cls, one: BetDifference) -> "LaterDifference":
        """Build the compact form of a difference, which the first part holds for a later one."""
        number, returned = int(one.bet.rpartition(".")[2]), one.was + one.difference
        return cls(number, one.player, one.market, one.stake, one.was, returned, one.capped or ())

    def difference(self, round_id: str, revision: int) -> BetDifference:
        """Convert to the full form, as a movement of this revision of the round."""
        bet, about = f"{round_id}.{self.number}", (self.player, self.market, self.stake)
        amounts = (self.was, self.returned, self.returned - self.was)
        return BetDifference(f"{bet}.r{revision}", bet, *about, *amounts, self.capped or UNSET)


class Resettled(Fact, frozen=True, tag="resettled"):
    """A settled or cancelled round was settled anew.

    `round` is the number of that round, not of the live one.

    `was`, `now`: outcome before and after; null: the round was, or is, void.
    """

    revision: int  # from 1
    was: dict[str, Any] | None
    now: dict[str, Any] | None
    movements: tuple[BetDifference, ...]  # of all bets of the round or of this part, also those with difference 0
    by: str
    second: str
    because: str
    amendments: tuple[Amendment, ...]
    ended: str  # when the round was first settled or cancelled: ISO 8601
    currency: str = ""  # of the amounts: ISO 4217
    second_id: str | None = None  # if there is a registry of persons
    hidden: bool = False  # True: an amendment names a card that was never turned over
    hidden_draws: tuple[int, ...] | UnsetType = UNSET  # those cards; unset: there are none, or an older record
    replaces: int | None = None  # record of the revision before; null: this is the first one
    part: int | UnsetType = UNSET  # from 1 to `parts`, each with other bets; unset: all movements are in this record
    parts: int | UnsetType = UNSET
    rest: tuple[LaterDifference, ...] | UnsetType = UNSET  # in the first part: what the later ones record, in order

    @property
    def is_later_part(self) -> bool:
        """True if an earlier record has settled the round anew, and this one has more of its movements."""
        return self.part is not UNSET and self.part > 1

    @property
    def round_id(self) -> str:
        """Id of the round, which is the first part of its bets' ids; empty if it has no bets."""
        return self.movements[0].bet.rpartition(".")[0] if self.movements else ""

    def hides(self, amendment: Amendment) -> bool:
        """True if the amendment's card must be withheld; in older records all are, beside one that must."""
        return self.hidden and (self.hidden_draws is UNSET or amendment.draw in self.hidden_draws)

    @property
    def differences(self) -> list[int]:
        """Differences other than 0 of the bets in this record, and of those that its later parts record."""
        later = (one.returned - one.was for one in self.rest or ())
        return [*filter(None, (one.difference for one in self.movements)), *filter(None, later)]

    @property
    def for_viewers(self) -> "Resettled":
        """This part as views show it: without the differences that later parts record."""
        return self if self.rest is UNSET else replace(self, rest=UNSET)

    @property
    def whole_record(self) -> "Resettled":
        """Whole resettlement in one record, built from its first part."""
        if not self.rest:
            return self
        later = (one.difference(self.round_id, self.revision) for one in self.rest)
        return replace(self, movements=(*self.movements, *later), part=UNSET, parts=UNSET, rest=UNSET)


class ResettleRefused(Fact, frozen=True, tag="resettle_refused"):
    """A round was not settled anew, or a case not dismissed, for this reason. Nothing has changed."""

    by: str
    reason: ResettlingReason
    revision: int | None = None  # latest revision of the round; null: there is no such round
    case: int | None = None  # case that was not dismissed
    asked: int | UnsetType = UNSET  # requested round number, if there is no such round


class CaseOpened(OfRound, frozen=True, tag="case_opened"):
    """Case opened by a report about a round after its end.

    The case is open until a person closes it.
    """

    came: KeyPressed | ShoeSays


class CaseDismissed(Fact, frozen=True, tag="case_dismissed"):
    """A shift manager dismissed an open case: the round stays as it is settled."""

    case: int  # record that opened the case
    by: str
    because: str
