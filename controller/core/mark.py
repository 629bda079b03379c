"""A place in a record, as somebody outside remembers it: a file on another disk, a bus."""

from msgspec import Struct


class Mark(Struct, frozen=True):
    """It was the last record then."""

    epoch: str
    seq: int
    hash: str  # of everything up to there; hex
    table: str = ""
