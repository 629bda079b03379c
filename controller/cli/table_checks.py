"""Checks of a table for `tablectl doctor`.

Configs that `run` would refuse are refused by the same functions, with the same messages.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from drivers.serial_port import is_socket

from .. import Unusable
from ..config.alerts import Target, Unaddressed
from ..config.mistakes import BadConfig
from ..config.paths import change_directory, future_home_of, is_of_a_service
from ..config.people import registry
from ..config.table_file import Config
from ..games import FAILED
from ..journal import JournalError, is_there, is_written
from ..station.attendance import find_beacon, find_panel, find_reader, find_shoe
from ..station.own_devices import OwnDevices
from ..station.pc_checks import UnmetRequirement, check_clock, check_disk
from ..web.access.users import UsersFile
from ..web.net.address import Address
from .check import (
    check_drivers,
    describe_levels,
    describe_people,
    describe_target,
    ports_shared_with_services,
    posted_digest_error,
    rules_of,
)
from .check_lines import CheckLine, run_check
from .game_argument import load_with_game
from .record_checks import check_bus, check_record
from .requirements import (
    RUNS,
    journal_of,
    require_anchor,
    require_clock_of,
    require_name,
    require_pages,
    require_socket,
)


class ExaminedTable(Struct, frozen=True):
    """Table under examination: its config, paths, and whether it runs."""

    config: Path
    settings: Config
    journal: Path
    runs: bool
    own: OwnDevices


_Look = Callable[[ExaminedTable], str]


def check_table(config: Path) -> Iterator[CheckLine]:
    """Check everything a table needs, one finding each; only the config if that is not sound."""
    try:
        settings = load_with_game(config)
        home = future_home_of(config)
        where = config if home == Path() else config.absolute()
        with change_directory(home):
            journal = journal_of(config, settings)
            case = ExaminedTable(where, settings, journal, is_written(journal), _own_devices(journal))
    except (Unusable, OSError) as error:
        yield CheckLine.of("config", error)
        return
    yield CheckLine("config", f"{config} is sound; {RUNS if case.runs else 'it does not run'}")
    yield from (CheckLine("games", f"a game that this table does not use: {failed}") for failed in FAILED)
    with change_directory(home):
        for part, look in PARTS.items():
            yield run_check(part, look, case)


def _own_devices(journal: Path) -> OwnDevices:
    """Recognition data of the table's own devices; empty if the record cannot be read.

    The finding on the record gives the reason.
    """
    own = OwnDevices(journal)
    try:
        own.last_device_found("shoe")
    except JournalError:
        return OwnDevices(None)
    return own


def _name(case: ExaminedTable) -> str:
    require_name(case.config, case.settings)
    return case.settings.table.name


def _drivers(case: ExaminedTable) -> str:
    check_drivers(case.config, case.settings)
    settings = case.settings
    return ", ".join(model for model in (settings.shoe.model, settings.panel.model, settings.beacon.model) if model)


def _rules(case: ExaminedTable) -> str:
    """Refuse a posted digest of other rules, with which the table would run but open no round."""
    house = case.settings.house("dealer")
    if other := posted_digest_error(house):
        raise UnmetRequirement(other)
    return f"{rules_of(house)}{'' if house.posted_digest is None else ', as posted'}"


def _shoe(case: ExaminedTable) -> str:
    section = case.settings.shoe
    return _check_at_port(case, "shoe", section.port, lambda: find_shoe(section, case.own, runs=case.runs))


def _check_at_port(case: ExaminedTable, name: str, port: str | None, look: Callable[[], str]) -> str:
    """Check a device at a serial port; behind a device server ask the running table about it."""
    if port is None or not is_socket(port):
        return look()
    from .running_table import describe_device  # imports the client of a socket, which few tables need here

    return describe_device(
        name, port, case.settings, ports_shared_with_services(case.config, case.settings), look, runs=case.runs
    )


def _panel(case: ExaminedTable) -> str:
    return find_panel(case.settings.panel, case.own, runs=case.runs)


def _beacon(case: ExaminedTable) -> str:
    return find_beacon(case.settings.beacon, case.own)


def _badge_reader(case: ExaminedTable) -> str:
    section = case.settings.badge_reader
    if section.model is not None and registry(case.config, case.settings.people).people() is None:
        raise UnmetRequirement(
            "no badge is registered: tablectl people add CONFIG ID NAME --role dealer, then people badge"
        )
    return _check_at_port(case, "badge_reader", section.port, lambda: find_reader(section, case.own, runs=case.runs))


def _record(case: ExaminedTable) -> str:
    check_record(case.settings, case.journal, runs=case.runs)
    return f"{case.journal}{'' if is_there(case.journal) else ', which begins with the first start'}"


def _bus(case: ExaminedTable) -> str:
    return check_bus(case.settings, case.journal)


def _anchor(case: ExaminedTable) -> str:
    if case.settings.journal.anchor is None:
        return "none: an older copy of the record would start unnoticed ([journal] anchor, a file on another disk)"
    if not case.runs:
        require_anchor(case.settings, case.journal)
    return str(case.settings.journal.anchor)


def _disk(case: ExaminedTable) -> str:
    return check_disk(case.journal.absolute().parent, case.settings.journal.rotate_mb)


def _clock(case: ExaminedTable) -> str:
    if not case.runs:
        with suppress(JournalError, PermissionError):  # the finding on the record reports these
            require_clock_of(case.settings, case.journal)
    return check_clock()


def _people(case: ExaminedTable) -> str:
    text = describe_people(case.config, case.settings)
    people = registry(case.config, case.settings.people).people()
    if people is None:
        managers = list(UsersFile(case.settings.users_beside(case.journal)).users().managers)
        text = f"{text}: {len(managers)}"
    else:
        managers = [number for number, one in people.by_id.items() if one.rules and not one.left]
    if not managers:
        raise UnmetRequirement(
            f"nobody can sign in to rule on a fault: tablectl people add {case.config} ID NAME --role manager"
        )
    return text


def _socket(case: ExaminedTable) -> str:
    if not case.runs:
        require_socket(case.config, case.settings, case.journal)
    return "it answers" if case.runs else "free"


def _pages(case: ExaminedTable) -> str:
    require_pages(case.settings, case.journal, runs=case.runs)
    place = case.settings.web.place()
    if place is None:
        return "off"
    if not Address(*place).is_here():
        raise UnmetRequirement(
            f"this PC has no address {place[0]} now: give it that one (ip address), or correct [web] listen"
        )
    return case.settings.web.listen


def _alerts(case: ExaminedTable) -> str:
    if not case.settings.alerts:
        raise UnmetRequirement(
            "no alert target: write one under [alerts.NAME], then test it: tablectl alerts CONFIG --test"
        )
    texts = [_target(case, name, target) for name, target in sorted(case.settings.alerts.items())]
    if all(target.level > 1 for target in case.settings.alerts.values()):
        raise UnmetRequirement("no target has level 1, which is called first: give one under [alerts.NAME] level = 1")
    return f"{', '.join(texts)}{describe_levels(case.settings.alerts)}"


def _target(case: ExaminedTable, name: str, target: Target) -> str:
    """Name of a target whose address can be read. Raises BadConfig."""
    describe_target(case.config, name, target)
    try:
        target.address()
    except Unaddressed as error:
        if target.env is not None and is_of_a_service(case.config):
            return f"{name} (its address is in {target.env}, which the service alone is given)"
        raise BadConfig(f"alerts.{name}: its address cannot be read here: {error}") from None
    return name


def _ports(case: ExaminedTable) -> str:
    """Refuse ports that another table's config names too."""
    if shared := ports_shared_with_services(case.config, case.settings):
        raise UnmetRequirement("; ".join(map(str, shared)))
    return "this table's alone"


PARTS: Mapping[str, _Look] = {
    "name": _name,
    "drivers": _drivers,
    "rules": _rules,
    "shoe": _shoe,
    "panel": _panel,
    "beacon": _beacon,
    "badge_reader": _badge_reader,
    "record": _record,
    "anchor": _anchor,
    "bus": _bus,
    "disk": _disk,
    "clock": _clock,
    "people": _people,
    "socket": _socket,
    "pages": _pages,
    "ports": _ports,
    "alerts": _alerts,
}
