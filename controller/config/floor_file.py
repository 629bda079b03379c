"""Config of a floor: one TOML file, checked whole before anything starts.

The rules are those of a table's config.
"""

from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from .alerts import Target
from .bus import TOKEN, FloorBusSection
from .mistakes import BadConfig, convert_part
from .paths import home_of, users_of
from .people import PeopleSection
from .sections import Name, Section, Text
from .shifts import ShiftsSection
from .table_file import check_alerts, check_file, raw_of
from .web import WebSection


class FloorSection(Section, frozen=True):
    """Settings of the floor itself: its name, store and limits."""

    name: Name = "main"  # name of the floor, unique in the studio; tables' configs name its key by it
    store: Text | None = None  # by default NAME.floor beside the config, of a service in its state folder
    at_most: Annotated[int, Meta(ge=1, le=200)] = 6  # most tables of one supervisor
    keep_days: Annotated[int, Meta(ge=1, le=3650)] = 30  # days for which events of tables are kept
    minimum: Annotated[int, Meta(ge=1, le=10**6)] = 200  # rounds that a row needs to be ranked


class FloorWebSection(WebSection, frozen=True):
    """Settings of the floor's page, as for a table."""

    listen: Text = "127.0.0.1:8040"


class FloorConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """Complete config of a floor."""

    floor: FloorSection = FloorSection()
    bus: FloorBusSection = FloorBusSection()
    web: FloorWebSection = FloorWebSection()
    people: PeopleSection = PeopleSection()
    alerts: dict[str, Target] = {}  # by name
    shifts: ShiftsSection = ShiftsSection()


def is_floor(path: Path) -> bool:
    """True if this config file is a floor's.

    False if it cannot be read: the loader for tables reports that.
    """
    try:
        return "floor" in raw_of(path)
    except BadConfig:
        return False


def load_floor(path: Path) -> FloorConfig:
    """Read and check a config file. Raises BadConfig."""
    return check_file(path, check_floor)


def check_floor(raw: dict[str, Any]) -> FloorConfig:
    """Check a parsed config and convert it. Raises BadConfig."""
    config = convert_part(raw, FloorConfig, "")
    if not TOKEN.fullmatch(config.floor.name):
        raise BadConfig(f"floor.name: expected only letters, digits, - and _, for the bus, got {config.floor.name!r}")
    if not config.bus.servers:
        raise BadConfig('bus.servers: expected the studio\'s bus, such as ["tls://10.0.0.5:4222"], got none')
    if config.web.place() is None:
        raise BadConfig("web.listen: expected an address and port such as 127.0.0.1:8040: a floor needs a page")
    config.bus.check(config.floor.name)
    config.web.check()
    config.shifts.check()
    check_alerts(config.alerts)
    return config


def store_of(path: Path, config: FloorConfig, home: Path | None = None) -> Path:
    """Path of the floor's store.

    The configured one, by default NAME.floor in the service's state folder, or in `home`.
    """
    home = home or home_of(path)
    home = home if home.is_absolute() else path.absolute().parent
    return home / (config.floor.store or f"{config.floor.name}.floor")


def floor_users(path: Path, config: FloorConfig) -> Path:
    """Path of the floor's users file: as configured, by default beside the store."""
    return Path(config.web.users) if config.web.users else users_of(store_of(path, config))
