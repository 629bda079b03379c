"""What a table has been set up with, read from its config."""

from ...config.table_file import Config
from ...station.device_figures import devices_of
from .look import Fitted


def fitted(config: Config) -> Fitted:
    """Its devices, which keys its panel has, and the language of its screens."""
    keys = config.panel.bindings if config.panel.model else {}
    return Fitted(tuple(device.name for device in devices_of(config)), frozenset(keys), config.web.language)
