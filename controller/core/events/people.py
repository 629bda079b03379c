"""Events of people who sign in, deal, hand over or are refused."""

from .base import Act, EventBase, Proof, SignInDoor


class DealerOn(Act, frozen=True, tag="dealer"):
    """A dealer takes over; `dealer` null: the dealer signs off."""

    dealer: str | None
    by: str | None = None  # person who reports it, if not the dealer
    id: str | None = None  # id of the dealer, if there is a registry of persons; else the name is the id


class Leave(Act, frozen=True, tag="leave"):
    """The dealer leaves, for a break or for the next dealer: at once, or after the live round."""

    by: str = "dealer"


class SignIn(Act, frozen=True, tag="sign_in"):
    """Proof of a person's identity: at a manager's page, as dealer, or for the dealer's screen."""

    by: str
    source: str  # an address, or unix:USER
    door: SignInDoor
    proof: Proof | None = None


class HandOverSaid(Act, frozen=True, tag="hand_over"):
    """A shift manager hands the table over to the next one; both identified by PIN or badge."""

    by: str
    taker: str
    id: str | None = None  # id of the taker, if there is a registry of persons; else the name is the id
    shown: int = 0  # last record in the summary of the shift that both were shown
    note: str = ""


class BadSignIns(EventBase, frozen=True, tag="bad_sign_ins"):
    """Summary of the sign-ins of a period that were refused: wrong PINs, or too soon after wrong ones."""

    wrong: int  # number of wrong PINs
    delayed: int  # number of attempts that came too soon, so that the PIN was not checked
    most: int  # highest number of wrong PINs from one source for one name
    delay: int  # seconds: longest time that a person has to wait now
    people: tuple[str, ...] = ()  # some of the persons named; unknown names are left out, as they could be PINs
    sources: tuple[str, ...] = ()  # some of the sources
