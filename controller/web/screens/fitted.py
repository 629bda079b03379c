"""What a table has been set up with, read from its config."""

from ...config.table_file import Config
from ...station.device_figures import devices_of
from .look import Fitted


def fitted(config: Config) -> Fitted:
    """Its devices, which keys its panel has, the language of its screens, and its shifts."""
    keys = config.panel.bindings if config.panel.model else {}
    names = tuple(device.name for device in devices_of(config))
    return Fitted(names, frozenset(keys), config.web.language, config.shifts)
