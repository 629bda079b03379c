"""Position in a journal, as an anchor file on another disk or the bus remembers it."""

from msgspec import UNSET, Struct, UnsetType


class Mark(Struct, frozen=True):
    """The record that was the last when somebody noted it."""

    epoch: str
    seq: int
    hash: str  # of everything up to there; hex
    table: str = ""
    past: dict[str, int] | UnsetType = UNSET  # epochs that ended before this one: the last record of each that counts
