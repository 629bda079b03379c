"""What a table has been set up with, read from its config."""

from ...config.table_file import Config
from ...station.device_figures import names_of
from .look import Fitted


def fitted(config: Config) -> Fitted:
    """Its devices, which keys its panel has, the language of its screens, and its shifts."""
    keys = config.panel.bindings if config.panel.model else {}
    return Fitted(names_of(config), frozenset(keys), config.web.language, config.shifts)
