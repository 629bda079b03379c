"""`tablectl doctor`: report everything that a table needs of its PC, one line each.

For a defect, the line says what to do.
"""

import os
import pwd
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import click
import msgspec

from ..config.alerts import Target
from ..config.floor_file import is_floor
from ..config.mistakes import BadConfig
from ..config.paths import is_of_a_service
from ..config.table_file import raw_of
from .arguments import CONFIG
from .check import describe_target
from .check_lines import CheckLine
from .colours import green, red
from .table_checks import check_table

SERVICE = "tablectl"  # user of the services
ANY_URL = "json://localhost"  # any valid URL: for the first one, apprise imports all its services
ON_THE_WAY = ("encodings.utf_8_sig", "encodings.idna", "controller.cli.running_table")


@click.command
@CONFIG
@click.option("--json", "as_json", is_flag=True, help="As JSON, one object a line.")
def doctor(config: Path, *, as_json: bool) -> None:
    """Check everything that the table or floor of CONFIG needs on this PC; exit 1 if there is a problem.

    `check` says whether `run` would start; `doctor` also lists what would be missing while it runs. If you are root, it
    checks with the rights of the service.
    """
    config = _become_service(config)
    wrong = False
    for finding in _findings(config):
        wrong |= finding.wrong
        click.echo(msgspec.json.encode(finding) if as_json else _line(finding))
    sys.exit(int(wrong))


def _findings(config: Path) -> Iterator[CheckLine]:
    """Findings for the table or the floor of this config."""
    if not is_floor(config):
        return check_table(config)
    from .floor_checks import check_floor  # imports pages and bus, which the checks of a table do not need

    return check_floor(config)


def _line(finding: CheckLine) -> str:
    mark = red("PROBLEM") if finding.wrong else green(f"{'ok':7}")
    return f"{mark}  {finding.part}: {finding.said}"


def _become_service(config: Path) -> Path:
    """Drop root's rights for those of the service, if the config belongs to a service.

    Otherwise checks would pass that fail for the service.

    Returns the absolute path of the config. Python, the program and the working folder may be in a home folder that the
    service may not read, so later imports are made before, and the working folder is changed.
    """
    if os.geteuid() != 0 or not is_of_a_service(config):
        return config
    try:
        user = pwd.getpwnam(SERVICE)
    except KeyError:
        return config
    config = config.absolute()
    _import_all(config)
    os.chdir("/")
    os.initgroups(SERVICE, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)
    return config


def _import_all(config: Path) -> None:
    """Import all modules that the checks of this config import later."""
    with suppress(BadConfig):  # the checks themselves report it
        raw = raw_of(config)
        if raw.get("alerts"):
            describe_target(config, "any", Target(ANY_URL))
        if raw.get("bus"):
            from .bus_import import bus_imports  # imports all parts of a running table

            with bus_imports():
                from ..bus import checks as _  # noqa: F401 - for those verify cannot read it later
        if "floor" in raw:
            from .floor_checks import import_floor

            import_floor()
    for name in ON_THE_WAY:
        import_module(name)
