"""Error of the floor's own files and connection."""

from .. import Unusable


class FloorFailed(Unusable):
    """Floor cannot use one of its files or its connection."""
