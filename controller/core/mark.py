"""Head of a journal, as an anchor file on another disk or the bus remembers it."""

from msgspec import UNSET, Struct, UnsetType


class Mark(Struct, frozen=True):
    """Remembered head: the last record of a journal when it was noted."""

    epoch: str
    seq: int  # number of the record
    hash: str  # hash of everything up to this record, in hex
    table: str = ""
    past: dict[str, int] | UnsetType = UNSET  # last record that counts of each earlier epoch
