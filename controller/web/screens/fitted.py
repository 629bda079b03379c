"""What a table has been set up with, read from its config."""

from ...config import Config
from .look import Fitted


def fitted(config: Config) -> Fitted:
    """Its devices, which keys its panel has, and the language of its screens."""
    panel, beacon = config.panel.model, config.beacon.model
    there = {"shoe": config.shoe.port, "panel": panel, "beacon": beacon}
    keys = config.panel.bindings if panel else {}
    return Fitted(tuple(name for name, device in there.items() if device), frozenset(keys), config.web.language)
