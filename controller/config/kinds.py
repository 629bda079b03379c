"""Kinds of TOML files in the folder of configs: tables, floors, and others."""

from collections.abc import Mapping
from pathlib import Path

from .floor_file import is_floor
from .mistakes import BadConfig
from .people import FILE
from .table_file import raw_of

OF_A_TABLE = ("table", "game", "journal", "shoe")  # sections of which every table's config has one


def table_configs(folder: Path) -> Mapping[str, Path]:
    """Configs of tables in this folder, by service name, without floors' configs, registries and themes."""
    return {path.stem: path for path in sorted(folder.glob("*.toml")) if is_table(path)}


def is_table(path: Path) -> bool:
    """True unless the file is clearly something else.

    True too if it is empty or cannot be read: the loader for tables reports that.
    """
    if path.name == FILE or is_floor(path):
        return False
    try:
        raw = raw_of(path)
    except BadConfig:
        return True
    return not raw or any(isinstance(raw.get(section), dict) for section in OF_A_TABLE)
