"""Records of dealers, sign-ins and refused sign-ins."""

from msgspec import UNSET, UnsetType

from ..events import Proof, SignInDoor
from .fact import Fact

GUESSED = 5  # wrong PINs, in a row or at a time, that nobody mistypes


class DealerChanged(Fact, frozen=True, tag="dealer_changed"):
    """Change of the dealer from here on; `to` is null if the dealer has signed off."""

    to: str | None
    to_id: str | None = None
    before: str | None = None
    by: str | None = None  # who said so; null: the dealer, or the config


class DealerLeaving(Fact, frozen=True, tag="dealer_leaving"):
    """The dealer leaves after the round that is on."""

    by: str


class SignedIn(Fact, frozen=True, tag="signed_in", omit_defaults=True):
    """Sign-in of a person: at a manager's page, to deal, or for the dealer's screen."""

    by: str
    source: str  # an address, or unix:USER
    door: SignInDoor
    proof: Proof | None = None


class SignInsRefused(Fact, frozen=True, tag="sign_ins_refused"):
    """PINs that were wrong, or came too soon after wrong ones: all of a time, in one."""

    wrong: int
    delayed: int  # that were not even tried
    most: int  # the most of one source for one name
    delay: int  # seconds: the longest that somebody has to wait now
    people: tuple[str, ...] = ()  # some of those whose PIN it was not
    sources: tuple[str, ...] = ()  # some of them

    @property
    def is_guessing(self) -> bool:
        """True if there were more wrong PINs than a person mistypes."""
        return max(self.wrong, self.most) >= GUESSED


class HandedOver(Fact, frozen=True, tag="handed_over"):
    """One shift manager has handed the table over to the next, and both have shown who they are."""

    by: str
    taker: str
    taker_id: str | None = None  # where somebody keeps a registry of persons
    shown: int = 0  # the last record in what both were shown of the shift
    fault: int | None = None  # that is open
    devices: tuple[str, ...] = ()  # that are not there
    note: str = ""
    cases: tuple[int, ...] | UnsetType = UNSET  # by the records that opened them; older ones do not say
