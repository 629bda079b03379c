"""Checks of a floor for `tablectl doctor`: this PC, the bus and the people."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from .. import Unusable
from ..config.floor_file import FloorConfig, load_floor, store_of
from ..config.mistakes import BadConfig
from ..config.paths import STATES, future_home_of, pc_folder
from ..core.coded_message import coded
from ..station.pc_checks import UnmetRequirement, check_clock, check_disk
from ..web.net.address import Address
from ..web.net.listening import certificate_of
from .bus_import import bus_imports
from .check import describe_levels, describe_target, ports_shared_with_services
from .check_lines import CheckLine, run_check
from .floor import staff

STORE_MB = 1000  # free space for the events of two hundred tables for some days


class ExaminedFloor(Struct, frozen=True):
    """Floor under examination: its config, settings and store."""

    config: Path
    settings: FloorConfig
    store: Path


def check_floor(config: Path) -> Iterator[CheckLine]:
    """Check everything a floor needs, one finding each; only the config if that is not sound."""
    try:
        settings = load_floor(config)
        home = future_home_of(config)
        # systemd creates this folder at the first start
        home = home / config.stem if home == pc_folder(STATES) else home
        case = ExaminedFloor(config, settings, store_of(config, settings, home))
    except (Unusable, OSError) as error:
        yield CheckLine.of("config", error)
        return
    yield CheckLine("config", f"{config} is sound: the floor {settings.floor.name}")
    for part, look in PARTS.items():
        yield run_check(part, look, case)


def import_floor() -> None:
    """Import the modules that the checks import later, if their libraries are installed."""
    with suppress(BadConfig), bus_imports():
        from ..bus import checks, keys  # noqa: F401 - for those verify cannot read them later
        from ..floor.storage import floor_record  # noqa: F401 - the floor's record too


def _bus(case: ExaminedFloor) -> str:
    with bus_imports():
        from ..bus.checks import check_as_floor
        from ..bus.keys import check_signer
    bus = case.settings.bus
    check_signer(Path(bus.credentials or ""))
    if wrong := asyncio.run(check_as_floor(bus, case.settings.floor.name)):
        raise UnmetRequirement("; ".join(wrong))
    return f"{', '.join(bus.servers)}: set up correctly"


def _record(case: ExaminedFloor) -> str:
    with bus_imports():
        from ..floor.storage.floor_record import verify
    path = case.store.with_name(f"{case.store.name}.record")
    if not path.exists():
        return f"{path}, which begins with the first start"
    stands = verify(path)
    if stands.wrong is not None:
        raise UnmetRequirement(coded("floor_record_changed", path=str(path), what=stands.wrong))
    return f"{path}: {stands.records} entries valid"


def _disk(case: ExaminedFloor) -> str:
    folder = next(above for above in case.store.absolute().parents if above.is_dir())
    return check_disk(folder, STORE_MB)


def _clock(_: ExaminedFloor) -> str:
    return check_clock()


def _people(case: ExaminedFloor) -> str:
    file = staff(case.config, case.settings)
    people = file.people()
    here = [] if people is None else [one for one in people.by_id.values() if not one.left]
    if not any(one.rules for one in here):
        raise UnmetRequirement(f"no shift manager can sign in: tablectl people add {file.path} ID NAME --role manager")
    return f"{len(here)} in {file.path}"


def _pages(case: ExaminedFloor) -> str:
    web = case.settings.web
    host, port = web.place() or ("", 0)
    if not Address(host, port).is_here():
        raise UnmetRequirement(
            f"this PC has no address {host} now: give it that one (ip address), or correct [web] listen"
        )
    certificate_of(web)
    return web.listen


def _alerts(case: ExaminedFloor) -> str:
    targets = case.settings.alerts
    if not targets:
        return "none: only the tables send alerts"
    text = ", ".join(describe_target(case.config, name, target) for name, target in targets.items())
    return f"{text}{describe_levels(targets)}"


def _ports(case: ExaminedFloor) -> str:
    """Refuse a port that a table's config names too."""
    if shared := ports_shared_with_services(case.config, case.settings):
        raise UnmetRequirement("; ".join(map(str, shared)))
    return "this floor's alone"


PARTS: Mapping[str, Callable[[ExaminedFloor], str]] = {
    "bus": _bus,
    "record": _record,
    "disk": _disk,
    "clock": _clock,
    "people": _people,
    "pages": _pages,
    "ports": _ports,
    "alerts": _alerts,
}
