"""Read the devices, keys, language and shifts of a table from its config."""

from ...config.table_file import Config
from ...station.device_figures import names_of
from .look import Fitted


def fitted(config: Config) -> Fitted:
    """Return a table's devices, its panel's keys, its screens' language, and its shifts."""
    keys = config.panel.bindings if config.panel.model else {}
    return Fitted(names_of(config), frozenset(keys), config.web.language, config.shifts)
