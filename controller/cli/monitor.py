"""`tablectl monitor`: show bytes and events of a table's devices while no table has them."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import click

from drivers.captures import HEADER
from drivers.models import DriverFailed

from .. import Unusable
from ..config.devices import PanelSection, ShoeSection
from ..config.mistakes import BadConfig
from ..config.paths import change_directory, home_of
from ..config.table_file import Config, load
from ..station.device_observer import DeviceObserver
from ..station.own_devices import OwnDevices
from ..text.errors import system_message
from .arguments import PATH
from .end_signals import handle_end_signals
from .output_file import remove_on_failure
from .running_table import require_stopped


@click.command
@click.argument("config", type=PATH, required=False)
@click.option("--shoe", help="Without CONFIG: the model of the shoe at --port.")
@click.option("--port", help="Without CONFIG: its port, such as /dev/serial/by-id/... or socket://HOST:PORT.")
@click.option("--panel", help="Without CONFIG: the model of the panel.")
@click.option("--lamps", is_flag=True, help="Test the lamps: all in turn, then that of each key while it is held.")
@click.option("--capture", type=PATH, help="Write the lines to this file too, for `tablectl emulate --replay`.")
def monitor(
    config: Path | None, shoe: str | None, port: str | None, panel: str | None, capture: Path | None, *, lamps: bool
) -> None:
    """Print all bytes of the devices of CONFIG until Ctrl-C: time, device, < from it or > to it, bytes, event.

    Stop the table first: its devices are in use while it runs. A capture contains card values.
    """
    settings = _config_of_options(shoe, port, panel) if config is None else load(config)
    home = Path() if config is None else home_of(config)
    with ExitStack() as stack:
        stack.enter_context(change_directory(home))
        require_stopped(settings)
        tell = stack.enter_context(_open_capture(capture))
        with suppress(KeyboardInterrupt, asyncio.CancelledError), _convert_driver_errors():
            asyncio.run(_look(settings, tell, lamps=lamps))


def _config_of_options(shoe: str | None, port: str | None, panel: str | None) -> Config:
    if (shoe is None) != (port is None) or (shoe is None and panel is None):
        raise click.UsageError("expected a CONFIG, or --shoe MODEL with --port PORT, or --panel MODEL")
    settings = Config(shoe=ShoeSection(model=shoe or "angel_eye", port=port), panel=PanelSection(model=panel))
    settings.shoe.check()
    settings.panel.check()
    return settings


@contextmanager
def _convert_driver_errors() -> Iterator[None]:
    try:
        yield
    except DriverFailed as failed:
        raise Unusable(str(failed)) from None


@contextmanager
def _open_capture(capture: Path | None) -> Iterator[Callable[[str], None]]:
    """Open the capture file and yield the function that writes lines. Raises Unusable."""
    if capture is None:
        yield _echo
        return
    try:
        file = os.open(capture, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise Unusable(f"{capture}: {system_message(error)}; name a new file") from None
    output = os.fdopen(file, "w", encoding="utf-8", buffering=1)

    def keep(line: str) -> None:
        try:
            output.write(line)
        except OSError as error:
            raise Unusable(f"{capture}: {system_message(error)}") from None

    def tell(line: str) -> None:
        keep(line)
        _echo(line)

    try:
        with remove_on_failure(capture):
            keep(HEADER.format(at=datetime.now(UTC).isoformat(timespec="seconds")))
        yield tell
    finally:
        with suppress(OSError):  # of a line that could not be written, which `keep` has reported
            output.close()


def _echo(line: str) -> None:
    click.echo(line, nl=False)


async def _look(settings: Config, tell: Callable[[str], None], *, lamps: bool) -> None:
    """Observe the devices until a signal. Raises Unusable or OSError when a line cannot be written any more."""
    loop = asyncio.get_running_loop()
    ended = loop.create_future()

    def tell_safely(line: str) -> None:  # called by links and callbacks, which must not fail
        if not ended.done():
            try:
                tell(line)
            except (Unusable, OSError) as error:
                ended.set_exception(error)

    observer = DeviceObserver(tell_safely, lamps=lamps)
    with handle_end_signals(lambda *_: loop.call_soon_threadsafe(ended.cancel)):
        try:
            _add(observer, settings)
            await ended
        finally:
            await observer.stop()


def _add(observer: DeviceObserver, settings: Config) -> None:
    """Add all devices of the config to the observer. Raises BadConfig, DriverFailed."""
    shoe, panel, beacon, reader = settings.shoe, settings.panel, settings.beacon, settings.badge_reader
    own = OwnDevices(None)
    if shoe.port is not None:
        observer.add_shoe(own.port("shoe", shoe), shoe.serial_codec())
    elif (scanner := shoe.usb_codec()) is not None:
        observer.add_usb_shoe(scanner, own.recognition("shoe", shoe))
    if (keys := panel.codec()) is not None:
        observer.add_panel(keys, own.recognition("panel", panel))
    if (light := beacon.codec()) is not None:
        observer.add_beacon(light, own.recognition("beacon", beacon))
    if (badges := reader.codec()) is not None:
        observer.add_badge_reader(own.port("badge_reader", reader), badges)
    if not shoe.is_set_up and keys is None and light is None and badges is None:
        raise BadConfig("no device is configured: write one under [shoe], [panel], [beacon] or [badge_reader]")
