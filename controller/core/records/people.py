"""Records of dealers, sign-ins and refused sign-ins."""

from msgspec import UNSET, UnsetType

from ..events import Proof, SignInDoor
from .fact import Fact

GUESSED = 5  # wrong PINs, in a row or in one period, that are more than a person mistypes


class DealerChanged(Fact, frozen=True, tag="dealer_changed"):
    """Change of the dealer from here on; `to` is null if the dealer has signed off."""

    to: str | None
    to_id: str | None = None
    before: str | None = None
    by: str | None = None  # person who signed the dealer on or off; null: the dealer, or the config


class DealerLeaving(Fact, frozen=True, tag="dealer_leaving"):
    """The dealer leaves after the live round."""

    by: str


class SignedIn(Fact, frozen=True, tag="signed_in", omit_defaults=True):
    """Sign-in of a person: at a manager's page, as dealer, or for the dealer's screen."""

    by: str
    source: str  # an address, or unix:USER
    door: SignInDoor
    proof: Proof | None = None


class SignInsRefused(Fact, frozen=True, tag="sign_ins_refused"):
    """Summary of the sign-ins of a period that were refused: wrong PINs, or too soon after wrong ones."""

    wrong: int  # number of wrong PINs
    delayed: int  # number of attempts that came too soon, so that the PIN was not checked
    most: int  # highest number of wrong PINs from one source for one name
    delay: int  # seconds: longest time that a person has to wait now
    people: tuple[str, ...] = ()  # some of the persons named
    sources: tuple[str, ...] = ()  # some of the sources

    @property
    def is_guessing(self) -> bool:
        """True if there were more wrong PINs than a person mistypes."""
        return max(self.wrong, self.most) >= GUESSED


class HandedOver(Fact, frozen=True, tag="handed_over"):
    """One shift manager has handed the table over to the next; both identified by PIN or badge."""

    by: str
    taker: str
    taker_id: str | None = None  # if there is a registry of persons
    shown: int = 0  # last record in the summary of the shift that both were shown
    fault: int | None = None  # open fault, if any
    devices: tuple[str, ...] = ()  # missing devices
    note: str = ""
    cases: tuple[int, ...] | UnsetType = UNSET  # open cases, by the records that opened them; unset in older records
