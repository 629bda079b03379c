"""Events about a table and its cards between rounds."""

from .base import Act


class NewDeck(Act, frozen=True, tag="shuffled"):
    """A new or shuffled deck is confirmed."""

    by: str = "dealer"
    deck: str | None = None  # deck, if the table has several; by default the one in use


class ChangeShoe(Act, frozen=True, tag="shoe_change"):
    """The shoe is taken away; if repeated during a readout, the readout is complete."""

    by: str = "dealer"
    left: int | None = None  # number of cards left in it, if counted
    reading: bool = False  # True: the next cards are read out from the old shoe


class CutShoe(Act, frozen=True, tag="shoe_cut"):
    """The shuffled cards are cut."""

    by: str = "dealer"


class SkipCut(Act, frozen=True, tag="shoe_uncut"):
    """The cards of the new shoe are not cut."""

    by: str = "dealer"
    because: str = ""  # reason; the event is ignored without it


class LoadShoe(Act, frozen=True, tag="shoe_ready"):
    """A full shoe is in place."""

    by: str = "dealer"
    id: str | None = None  # by default the next number of this table
    counted: int | None = None  # number of cards, if counted
    receipt: str | None = None  # of the machine that counted them
    witness: str | None = None  # second person, who saw the count


class OpenTable(Act, frozen=True, tag="table_open"):
    """The table opens for play."""

    by: str


class CloseTable(Act, frozen=True, tag="table_close"):
    """The table closes after the live round."""

    by: str
