"""Reading of one badge at a table's own reader, while no table uses that reader."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import click

from drivers import events as d
from drivers.models import DriverFailed
from drivers.serial_link import SerialLink

from .. import Unusable
from ..config.paths import change_directory, home_of
from ..config.table_file import load
from ..station.own_devices import OwnDevices


def read_from_reader(config: Path) -> str:
    """Read the next badge held to the reader of this config, and return its code.

    Raises Unusable, BadConfig.
    """
    section = load(config).badge_reader
    try:
        codec = section.codec()
    except DriverFailed as failed:
        raise Unusable(str(failed)) from None
    if codec is None:
        raise Unusable(f"{config}: no reader is configured: write one under [badge_reader], or leave --reader out")
    with change_directory(home_of(config)):
        port = OwnDevices(None).port("badge_reader", section)
        click.echo("hold the badge to the reader", err=True)
        return asyncio.run(_read(lambda listener: SerialLink(port, codec, listener)))


async def _read(makes: Callable[[Callable[[d.DeviceEvent], None]], SerialLink]) -> str:
    events: asyncio.Queue[d.DeviceEvent] = asyncio.Queue()
    link = makes(events.put_nowait)
    link.start()
    try:
        while True:
            match await events.get():
                case d.BadgeRead(code=code):
                    return code
                case d.Lost(reason=reason) | d.Garbage(reason=reason):
                    click.echo(reason, err=True)
    finally:
        await link.stop()
