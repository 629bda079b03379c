"""`tablectl doctor`: all that a table needs of its PC, one line each, with what to do where something is wrong."""

import os
import pwd
import sys
from pathlib import Path

import click
import msgspec

from ..config.floor_file import is_floor
from ..config.paths import is_of_a_service
from .arguments import CONFIG
from .examined import Finding, examined
from .examined_floor import examined_floor

SERVICE = "tablectl"  # the user that services run as


@click.command
@CONFIG
@click.option("--json", "as_json", is_flag=True, help="As JSON, one object a line.")
def doctor(config: Path, *, as_json: bool) -> None:
    """Look at everything that the table, or the floor, of CONFIG needs of this PC; exit 1 where something is wrong.

    `check` says whether `run` would start; this says as well what would be missing then. Root looks with the rights of
    the service.
    """
    _as_the_service(config)
    wrong = False
    for finding in examined_floor(config) if is_floor(config) else examined(config):
        wrong |= finding.wrong
        click.echo(msgspec.json.encode(finding) if as_json else _line(finding))
    sys.exit(int(wrong))


def _line(finding: Finding) -> str:
    return f"{'PROBLEM' if finding.wrong else 'ok':7}  {finding.part}: {finding.said}"


def _as_the_service(config: Path) -> None:
    """Root looks at a service's config with the service's eyes: what root may says nothing of what it may."""
    if os.geteuid() != 0 or not is_of_a_service(config):
        return
    try:
        user = pwd.getpwnam(SERVICE)
    except KeyError:
        return
    os.initgroups(SERVICE, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)
