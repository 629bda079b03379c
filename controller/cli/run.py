"""`tablectl run`: the daemon of one table."""

import asyncio
import faulthandler
import gc
import os
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import click

import controller.station.without_rich  # noqa: F401 - before structlog

# isort: split
import structlog
from structlog.typing import FilteringBoundLogger

from drivers.usb_link import LinkStuck

from ..config.paths import lasting_folder
from ..config.people import PeopleFile, registry
from ..config.shared_ports import SharedPort
from ..config.table_file import Config
from ..journal import Journal
from ..station.logs import set_up
from ..station.station import Station
from ..station.systemd import Supervisor
from ..table.ntp import Ntp, wait_for_ntp
from ..text.coded import render
from ..web.listeners import TableDoors
from ..web.net import listening
from ..web.net.listening import NetListening
from ..web.net.sockets import Listening, UnusableAddress
from ..web.screens.equipment import equipment_of
from .arguments import CONFIG
from .bus_import import bus_of, check_with_bus
from .check import ports_shared_with_services
from .end_signals import ends
from .game_argument import load_with_game
from .requirements import journal_of, listen, require_clock


@click.command
@CONFIG
@click.option("--debug", is_flag=True, help="Log in more detail.")
def run(config: Path, *, debug: bool) -> None:
    """Run the table of CONFIG until SIGTERM, SIGINT (Ctrl-C) or SIGHUP (closed terminal).

    It waits for missing devices.
    """
    settings = load_with_game(config)
    path, people = journal_of(config, settings), registry(config, settings.people)
    people.people()
    ntp = wait_for_ntp(settings.clock.wait)
    with ExitStack() as stack:
        book = stack.enter_context(closing(Journal(path, settings.journal.bounds, lasting_folder(os.environ))))
        require_clock(settings, path)
        listening = stack.enter_context(closing(listen(settings, path)))
        net = stack.enter_context(
            closing(_pages(settings, path, shared := ports_shared_with_services(config, settings)))
        )
        faulthandler.enable()  # if systemd's watchdog ends a hanging loop, the log shows the place in the code
        stack.enter_context(closing(set_up(debug=debug)))
        _log_clock(settings, ntp)
        for one in shared:
            structlog.get_logger().warning("port_shared", table=settings.table.name, reason=str(one))
        end = asyncio.run(_serve(config, settings, book, listening, net, people))
    if end.stuck:
        os._exit(not end.sound)  # a normal exit would wait for libusb, and libusb for the device
    if not end.sound:
        sys.exit(1)


def _pages(settings: Config, journal: Path, shared: list[SharedPort]) -> NetListening:
    """Open the address of the pages. Raises UnusableAddress with the table that has it, BadConfig."""
    try:
        return listening.listen(settings.web, settings.users_beside(journal), settings.overlay)
    except UnusableAddress as error:
        raise UnusableAddress("; ".join((str(error), *map(str, shared)))) from None


def _log_clock(settings: Config, ntp: Ntp) -> None:
    log = structlog.get_logger().bind(table=settings.table.name)
    if ntp.synchronised is False:
        log.warning("clock", synchronised=False, offset=ntp.offset, max_error=ntp.max_error)
    else:
        log.info("clock", synchronised=ntp.synchronised, offset=ntp.offset, max_error=ntp.max_error)


class End(NamedTuple):
    """Result of a run: if it ended by an internal error, and if a device is stuck."""

    sound: bool  # False: ended by an internal error; systemd starts the table again on its record
    stuck: bool  # True: the thread of a device does not end


async def _serve(
    config: Path, settings: Config, book: Journal, listening: Listening, net: NetListening, people: PeopleFile
) -> End:
    """Run the table until a signal or an internal error; return how it ended."""
    log = structlog.get_logger().bind(table=settings.table.name)
    station = Station(settings, settings.house("dealer"), book, people=people.people())
    unheard = await check_with_bus(settings, config, book.path, station.table.state)
    supervisor = Supervisor(os.environ)
    equipped = equipment_of(settings), station.gear, station.metrics, station.custody
    doors = TableDoors(station.table, book.path, listening, net, *equipped, people, settings.server)
    if station.reader is not None:
        station.reader.hears = doors.badges.hear
    bus = bus_of(settings, station, doors, book.path)
    stopping = asyncio.Event()
    errors = ends(stopping, log)
    station.start(unheard)
    doors.start()
    bus.start()
    where = {"socket": str(listening.path), "web": net.url}
    log.info("started", state=station.table.state.life, head=str(book.head), **where)
    gc.collect()
    gc.freeze()  # present objects stay for ever; searching them in the middle of a settlement would cost milliseconds
    supervisor.report_ready(station.table, lambda: [*map(render, (*doors.lookout.messages, *station.custody.messages))])
    await stopping.wait()
    supervisor.report_stop()
    await doors.stop()
    stuck = await _is_stuck(station, log)
    await bus.stop()
    log.info("stopped", state=station.table.state.life)
    return End(not errors, stuck)


async def _is_stuck(station: Station, log: FilteringBoundLogger) -> bool:
    """Stop the station. Returns True if a device does not stop."""
    try:
        await station.stop()
    except LinkStuck as reason:  # all other devices and the journal are released by now
        log.warning("device_stuck", reason=str(reason))
        return True
    return False
