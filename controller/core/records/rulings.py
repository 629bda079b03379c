"""Records of rulings and of what they did to cards and hands."""

from typing import Any

from ...rules.cards import Card
from ..codes import Life, RulingAsked, RulingCode, RulingReason
from ..events import Choice
from .difference import RoundDifference
from .fact import OfRound

# rulings after which the shoe's own idea of the round is no longer ours
PAST_THE_SHOE = frozenset({"enter", "correct", "move", "burn", "void", "carry", "cancel"})


class Ruled(OfRound, frozen=True, tag="ruled"):
    """Ruling of the shift manager, proven by driving the round again."""

    fault: int
    ruling: RulingCode
    by: str
    because: str
    before: dict[str, Any]
    after: dict[str, Any]
    hidden: bool = False
    checked: str | None = None  # what the manager has had checked: the deck, where it was suspect
    touched: RoundDifference = RoundDifference()
    choice: Choice | None = None  # what becomes of the decisions and bets in it; null: there are none
    currency: str = ""  # of the amounts: ISO 4217
    second: str | None = None  # another shift manager, who has shown who they are too
    second_id: str | None = None  # theirs, where somebody keeps a registry of persons
    moved: int = 0  # the sum over bets of |was - now|; for a bet that has no result yet, the stake returned


class RulingRefused(OfRound, frozen=True, tag="ruling_refused"):
    """A ruling that cannot be."""

    fault: int | None
    ruling: RulingAsked
    by: str
    reason: RulingReason


class HandVoided(OfRound, frozen=True, tag="hand_voided"):
    """The stakes of one hand go back, and nobody is asked for it any more. The other hands settle."""

    place: str  # the seat; the second hand of its split is void with it
    bets: int = 0  # how many stakes go back
    amount: int = 0  # their sum, in minor units
    currency: str = ""  # of the amounts: ISO 4217


class Burnt(OfRound, frozen=True, tag="burnt"):
    """A card is out of play."""

    draw: int
    card: Card | None
    hidden: bool = False
    ruled: int | None = None  # the record of the ruling that burnt it; null: a shoe's burn-in, or unread in a change


class Carried(OfRound, frozen=True, tag="carried"):
    """A surplus card opens the next round."""

    draw: int
    card: Card
    hidden: bool = False
    ruled: int | None = None  # the record of the ruling


class Voided(OfRound, frozen=True, tag="voided"):
    """Draw that no longer counts: its round is void, it was read twice, or it never came."""

    draw: int
    card: Card | None
    hidden: bool = False
    ruled: int | None = None  # the record of the ruling; null: the clock cancelled the round


class Resumed(OfRound, frozen=True, tag="resumed"):
    """Play goes on in this state."""

    state: Life
