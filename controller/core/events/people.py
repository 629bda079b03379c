"""Events of people who sign in, deal, hand over or are refused."""

from .said import Act, Proof, Said, SignInDoor


class DealerOn(Act, frozen=True, tag="dealer"):
    """A dealer takes over; nobody, when null: the dealer signs off."""

    dealer: str | None
    by: str | None = None  # who says so, where it is somebody else
    id: str | None = None  # of the dealer, where somebody keeps a registry of persons; else the name is it


class Leave(Act, frozen=True, tag="leave"):
    """The dealer leaves, for a break or because the next one comes: now, or after the round that is on."""

    by: str = "dealer"


class SignIn(Act, frozen=True, tag="sign_in"):
    """Proof of a person's identity: at a manager's page, to deal, or for the dealer's screen."""

    by: str
    source: str  # an address, or unix:USER
    door: SignInDoor
    proof: Proof | None = None


class HandOverSaid(Act, frozen=True, tag="hand_over"):
    """A shift manager hands the table over to the next one: both have shown who they are."""

    by: str
    taker: str
    id: str | None = None  # the taker's, where somebody keeps a registry of persons; else the name is it
    shown: int = 0  # the last record in what both were shown of the shift
    note: str = ""


class BadSignIns(Said, frozen=True, tag="bad_sign_ins"):
    """PINs that were wrong, or came too soon after wrong ones: all of a time, in one."""

    wrong: int
    delayed: int  # that were not even tried
    most: int  # the most of one source for one name
    delay: int  # seconds: the longest that somebody has to wait now
    people: tuple[str, ...] = ()  # some of those whose PIN it was not; what nobody is called could be a PIN
    sources: tuple[str, ...] = ()  # some of them
