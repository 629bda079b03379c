"""`tablectl floor`: one console over all tables of a studio."""

import asyncio
import faulthandler
import gc
import os
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import click
import msgspec

import controller.station.without_rich  # noqa: F401 - before structlog

# isort: split
import structlog

from ..config.floor_file import FloorConfig, floor_users, load_floor, store_of
from ..config.mistakes import BadConfig
from ..config.people import FILE, PeopleFile
from ..station.logs import set_up
from ..station.systemd import Supervisor
from ..text.coded import render
from ..web.net import listening
from ..web.net.listening import NetListening
from .arguments import CONFIG, WHOLE
from .bus_import import bus_imports
from .end_signals import ends
from .groups import Group
from .reading import AS_JSON


class FloorGroup(Group):
    """Command group that runs the floor if no subcommand is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `run` if the first argument is no subcommand; return the arguments for click."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(cls=FloorGroup)
def floor() -> None:
    """Run the floor of CONFIG, or look at its own record: `tablectl floor CONFIG` runs it."""


@floor.command
@CONFIG
@click.option("--debug", is_flag=True, help="Log in more detail.")
def run(config: Path, *, debug: bool) -> None:
    """Run the floor of CONFIG until SIGTERM, SIGINT (Ctrl-C) or SIGHUP (closed terminal).

    If the bus is missing, the floor waits for it.
    """
    settings = load_floor(config)
    with bus_imports():
        from ..bus.keys import check_signer
    check_signer(Path(settings.bus.credentials or ""))
    store, people = store_of(config, settings), staff(config, settings)
    users = floor_users(config, settings)
    with ExitStack() as stack:
        net = stack.enter_context(closing(listening.listen(settings.web, users)))
        faulthandler.enable()  # if systemd's watchdog ends a hanging loop, the log shows the place in the code
        stack.enter_context(closing(set_up(debug=debug)))
        sound = asyncio.run(_serve(settings, store, people, net))
    if not sound:
        sys.exit(1)


def staff(config: Path, settings: FloorConfig) -> PeopleFile:
    """Load the registry of persons, which a floor needs. Raises BadUsers, BadConfig."""
    path = config.absolute().parent / (settings.people.file or FILE)
    people = PeopleFile(path, needed=True, badge=settings.people.badge)
    people.people()
    return people


async def _serve(settings: FloorConfig, store: Path, people: PeopleFile, net: NetListening) -> bool:
    """Run the floor until a signal or an internal error. Returns True if a signal ended it."""
    with bus_imports():
        from ..floor.process import Floor
    log = structlog.get_logger().bind(floor=settings.floor.name)
    supervisor, stopping = Supervisor(os.environ), asyncio.Event()
    errors = ends(stopping, log)
    serving = Floor(settings, store, people, net)
    serving.start()
    log.info("started", store=str(store), web=net.url)
    gc.collect()
    gc.freeze()
    supervisor.begin(serving.status_line)
    await stopping.wait()
    supervisor.report_stop()
    await serving.stop()
    log.info("stopped")
    return not errors


@floor.command
@CONFIG
@AS_JSON
def verify(config: Path, *, as_json: bool) -> None:
    """Verify the hash chain of the floor's own record; exit 1 if it is broken."""
    from ..floor.storage.floor_record import verify as verified

    path = record_of(config)
    verdict = verified(path)
    wrong = None if verdict.wrong is None else render(verdict.wrong)
    if as_json:
        click.echo(msgspec.json.encode({"records": verdict.records, "hash": verdict.hash, "wrong": wrong}))
    elif wrong is not None:
        click.echo(f"{path}: {wrong}; {verdict.records} valid entries before it")
    else:
        click.echo(f"{path}: {verdict.records} entries valid; the last hash is {verdict.hash}")
    if wrong is not None:
        sys.exit(1)


@floor.command
@CONFIG
@click.option("--after", type=WHOLE, default=0, metavar="ENTRY", help="Print only the entries after this one.")
def record(config: Path, after: int) -> None:
    """Print the floor's own record as JSON lines: actions of people, alarms and alerts of the floor."""
    from ..floor.storage.floor_record import read

    for entry in read(record_of(config), after):
        click.echo(msgspec.json.encode({"entry": entry.seq, **entry.fields}).decode())


def record_of(config: Path) -> Path:
    """Path of the floor's own record. Raises BadConfig if there is no such file."""
    store = store_of(config, load_floor(config))
    path = store.with_name(f"{store.name}.record")
    if not path.is_file():
        raise BadConfig(f"{path}: no such file: the floor has not run yet, or keeps its record elsewhere")
    return path
