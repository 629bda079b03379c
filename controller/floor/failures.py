"""What a floor cannot do."""

from .. import Unusable


class FloorFailed(Unusable):
    """Its files or its line cannot be used."""
