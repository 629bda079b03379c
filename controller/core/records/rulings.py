"""Records of rulings and of what they did to cards and hands."""

from typing import Any

from msgspec import UNSET, UnsetType

from ...rules.cards import Card
from ..codes import RulingAsked, RulingCode, RulingReason, StageCode
from ..events import Choice
from .difference import RoundDifference
from .fact import OfRound

# rulings after which the places and results that a shoe counts for itself are not believed
PAST_THE_SHOE = frozenset({"enter", "correct", "move", "burn", "void", "carry", "cancel"})


class Ruled(OfRound, frozen=True, tag="ruled"):
    """Ruling of the shift manager, checked by running the round again with it."""

    fault: int
    ruling: RulingCode
    by: str
    because: str
    before: dict[str, Any]
    after: dict[str, Any]
    hidden: bool = False
    checked: str | None = None  # "deck": the manager has checked the suspect deck
    touched: RoundDifference = RoundDifference()
    choice: Choice | None = None  # what happens to the decisions and bets in `touched`; null: there are none
    currency: str = ""  # of the amounts: ISO 4217
    second: str | None = None  # second shift manager, identified by PIN or badge too
    second_id: str | None = None  # their id, if there is a registry of persons
    moved: int = 0  # sum over bets of |was - now|; the returned stake for a bet without a result


class RulingRefused(OfRound, frozen=True, tag="ruling_refused"):
    """A ruling was refused for this reason."""

    fault: int | None
    ruling: RulingAsked
    by: str
    reason: RulingReason


class HandVoided(OfRound, frozen=True, tag="hand_voided"):
    """One hand is void: its stakes are returned, no decisions follow. The other hands settle."""

    place: str  # seat of the hand; the second hand of a split is void too
    bets: int = 0  # number of stakes returned
    amount: int = 0  # their sum, in minor units
    currency: str = ""  # of the amounts: ISO 4217
    left_out: bool | UnsetType = UNSET  # True: the rule sheet leaves the hand out; unset: it does not


class Burnt(OfRound, frozen=True, tag="burnt"):
    """A card is out of play."""

    draw: int
    card: Card | None
    hidden: bool = False
    ruled: int | None = None  # record of the ruling; null: burnt from a new shoe


class Carried(OfRound, frozen=True, tag="carried"):
    """A surplus card opens the next round."""

    draw: int
    card: Card
    hidden: bool = False
    ruled: int | None = None  # record of the ruling


class Voided(OfRound, frozen=True, tag="voided"):
    """Draw that no longer counts: its round is void, it was read twice, or there was no such card."""

    draw: int
    card: Card | None
    hidden: bool = False
    ruled: int | None = None  # record of the ruling; null: the clock cancelled the round


class Resumed(OfRound, frozen=True, tag="resumed"):
    """Play continues in this state."""

    state: StageCode
