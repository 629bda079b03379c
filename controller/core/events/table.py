"""Events about a table and its cards between rounds."""

from .said import Act


class NewDeck(Act, frozen=True, tag="shuffled"):
    """A new or shuffled deck is confirmed."""

    by: str = "dealer"
    deck: str | None = None  # which one, where a table has several; by default the one it has


class ChangeShoe(Act, frozen=True, tag="shoe_change"):
    """The shoe is taken away; said once more, what was read out of it is all there was."""

    by: str = "dealer"
    left: int | None = None  # cards that are left in it, where somebody counted them
    reading: bool = False  # they are read out: the cards that come now are the rest of it


class CutShoe(Act, frozen=True, tag="shoe_cut"):
    """The shuffled cards are cut."""

    by: str = "dealer"


class SkipCut(Act, frozen=True, tag="shoe_uncut"):
    """The cards of the new shoe are not cut."""

    by: str = "dealer"
    because: str = ""  # why; nothing is recorded without it


class LoadShoe(Act, frozen=True, tag="shoe_ready"):
    """A full shoe is in place."""

    by: str = "dealer"
    id: str | None = None  # by default the next number of this table
    counted: int | None = None  # cards, where somebody counted them
    receipt: str | None = None  # of the machine that did
    witness: str | None = None  # the second person who saw it done


class OpenTable(Act, frozen=True, tag="table_open"):
    """The table opens for play."""

    by: str


class CloseTable(Act, frozen=True, tag="table_close"):
    """The table closes after the round that is on."""

    by: str
