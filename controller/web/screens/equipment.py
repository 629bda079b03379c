"""Equipment of a table for its screens, from its config."""

from ...config.table_file import Config
from ...station.device_figures import names_of
from .table_snapshot import Equipment


def equipment_of(config: Config) -> Equipment:
    """Return a table's devices, its panel's keys, its screens' language, and its shifts."""
    keys = config.panel.bindings if config.panel.model else {}
    return Equipment(names_of(config), frozenset(keys), config.web.language, config.shifts)
