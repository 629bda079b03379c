"""Ports that the configs of two tables name.

Only the table that starts first gets its pages or its shoe.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from .. import Unusable
from .floor_file import FloorConfig, is_floor, load_floor
from .kinds import is_table
from .table_file import Config, load

Place = tuple[str, int]


class ConfiguredPort(NamedTuple):
    """A port in a config: its key, and what is written there.

    `place`: host and port of pages; None for a device.
    """

    key: str
    value: str
    place: Place | None = None


class SharedPort(NamedTuple):
    """A port that another config names too."""

    port: ConfiguredPort
    other: Path
    their_key: str

    def __str__(self) -> str:
        """Sentence with the conflict of the two configs, and what to do."""
        also = "" if self.their_key == self.port.key else f" ({self.their_key})"
        return (
            f"{self.port.key}: {self.port.value} is in {self.other} too{also}: the first to start gets it; "
            "give each its own"
        )


def shared_ports(config: Path, settings: Config | FloorConfig) -> list[SharedPort]:
    """Return the ports of this table or floor that other configs in its folder name too."""
    own = list(_ports(settings))
    others = (path for path in sorted(config.absolute().parent.glob("*.toml")) if path != config.absolute())
    return [
        SharedPort(port, other, other_port.key)
        for other in others
        for other_port in _ports_in(other)
        for port in own
        if _conflict(port, other_port)
    ]


def page_ports(folder: Path) -> set[int]:
    """Numbers of the ports of all tables' and floors' pages that the configs in this folder name."""
    places = (port.place for path in folder.glob("*.toml") for port in _ports_in(path))
    return {place[1] for place in places if place is not None}


def _ports_in(config: Path) -> Iterator[ConfiguredPort]:
    """Ports that a table's or a floor's config names; none of a file that cannot be used."""
    with suppress(Unusable):
        if is_floor(config):
            yield from _ports(load_floor(config))
        elif is_table(config):
            yield from _ports(load(config))


def _ports(settings: Config | FloorConfig) -> Iterator[ConfiguredPort]:
    if (place := settings.web.place()) is not None and place[1]:
        yield ConfiguredPort("web.listen", settings.web.listen, place)
    if isinstance(settings, Config):
        for key, section in (("shoe.port", settings.shoe), ("badge_reader.port", settings.badge_reader)):
            if section.port is not None:
                yield ConfiguredPort(key, section.port)


def _conflict(one: ConfiguredPort, other: ConfiguredPort) -> bool:
    """True if two programs cannot have these ports at the same time."""
    if one.place is None or other.place is None:
        return one.place is other.place and os.path.realpath(one.value) == os.path.realpath(other.value)
    hosts = {ip_address(one.place[0]), ip_address(other.place[0])}
    return one.place[1] == other.place[1] and (len(hosts) == 1 or any(host.is_unspecified for host in hosts))
