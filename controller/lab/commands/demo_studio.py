"""`tablectl demo --tables N`: a whole studio on this PC, with a floor from which people watch and rule."""

import asyncio
import socket
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...cli.bus_import import bus_imports
from ...cli.end_signals import handle_end_signals
from ..demo import Plan

if TYPE_CHECKING:
    from ..demo.studio import StudioDemo, StudioLine

PORT = 8040
STAFF = (
    ("manager", "1001"),
    ("a second manager", "1002"),
    ("supervisor", "1101"),
    ("engineer", "1201"),
    ("auditor", "1301"),
)


def show_studio(plan: Plan, tables: int, game: str | None, folder: Path, port: int | None) -> int:
    """Run the whole studio demo until it ends; returns the exit code. Raises Unusable."""
    with bus_imports():
        from ..demo.studio import StudioDemo
        from ..demo.studio_folder import StudioFolder, free_port, tables_of
    if port is None:
        port = PORT if _is_free(PORT) else free_port()
    elif not _is_free(port):
        raise click.UsageError(f"127.0.0.1:{port}: address already in use: name another --port")
    place = StudioFolder(folder, tables_of(tables, game), free_port())
    show = StudioDemo(plan, place, port or free_port(), _tell)  # port 0: any free one
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_run_until_signal(show))
    click.echo("ended: nothing of it runs any more")
    return 0


def _is_free(port: int) -> bool:
    with suppress(OSError), closing(socket.create_server(("127.0.0.1", port))):
        return True
    return False


async def _run_until_signal(show: "StudioDemo") -> None:
    click.echo(f"starting a bus, {len(show.tables)} tables and a floor")
    loop, all_of_it = asyncio.get_running_loop(), asyncio.ensure_future(show.run(lambda: _announce(show)))
    signals = list[int]()

    def once(number: int, _frame: object) -> None:
        """Cancel the demo at the first signal only, so that further ones do not disturb its orderly end."""
        if not signals:
            loop.call_soon_threadsafe(all_of_it.cancel)
        signals.append(number)

    with handle_end_signals(once):
        await all_of_it


def _announce(show: "StudioDemo") -> None:
    from ..demo.studio import urls
    from ..demo.studio_folder import PIN

    for name, game, url in urls(show):
        click.echo(f"{name:<8}{game:<14}its own pages: {url}/manager")
    click.echo(f"configs, records and logs of all in {show.place.folder}")
    click.echo(f"the floor: http://127.0.0.1:{show.floor_port}/floor")
    click.echo(f"sign in there, PIN {PIN}: {', '.join(f'{number} ({role})' for role, number in STAFF)}")


def _tell(line: "StudioLine") -> None:
    click.echo(f"{time.strftime('%H:%M:%S')}  {line.who:<6}{line.what}")
