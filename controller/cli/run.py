"""`tablectl run`: the daemon of one table."""

import asyncio
import signal
from pathlib import Path

import click
import structlog

from ..config import BadConfig, Config, load
from ..journal import Journal
from ..logs import set_up
from ..station import Station


@click.command
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--debug", is_flag=True, help="Log more.")
def run(config: Path, *, debug: bool) -> None:
    """Run the table of CONFIG until SIGTERM or SIGINT. Devices that are not there are waited for."""
    settings = load(config)
    path = _needed(config, settings)
    set_up(debug=debug)
    book = Journal(path)
    asyncio.run(_serve(settings, book))


def _needed(config: Path, settings: Config) -> Path:
    """What a running table cannot do without. Raises BadConfig."""
    if "name" not in settings.game:
        raise BadConfig(f'{config}: game.name: no game given; write one under [game], such as name = "baccarat"')
    if settings.shoe.port is None:
        raise BadConfig(f'{config}: shoe.port: no port given; write one, such as port = "/dev/serial/by-id/..."')
    if settings.journal.path is None:
        raise BadConfig(f'{config}: journal.path: no file given; write one, such as path = "table1.journal"')
    return Path(settings.journal.path)


async def _serve(settings: Config, book: Journal) -> None:
    log = structlog.get_logger().bind(table=settings.table.name)
    station = Station(settings, settings.house("dealer"), book)
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    station.start()
    log.info("started", state=station.table.state.life, head=str(book.head))
    await stopping.wait()
    await station.stop()
    log.info("stopped", state=station.table.state.life)
