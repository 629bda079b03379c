"""`tablectl devices`: list connected devices that a table can use, and the lines for its config."""

from collections.abc import Iterator

import click
import msgspec

from drivers.patience import DeviceCannotServe

from ..station.plugged_devices import PluggedDevice, usable_devices

SECTIONS = {"adapter": "shoe", "keyboard": "shoe] or [badge_reader"}  # config section of a kind, if not its own name
TYPES = '    a scanner: [shoe] model = "wedge"; a badge reader: [badge_reader] model = "keyboard"; else leave it alone'


@click.command
@click.option("--json", "as_json", is_flag=True, help="As JSON, one object a line.")
def devices(*, as_json: bool) -> None:
    """List the devices that are plugged in: permanent names, access rights, and the line for the config."""
    plugged_devices = []
    try:
        for device in usable_devices():
            plugged_devices.append(device)
            for line in [msgspec.json.encode(device).decode()] if as_json else _lines(device):
                click.echo(line)
    except DeviceCannotServe as error:
        raise click.ClickException(str(error)) from None
    if not plugged_devices and not as_json:
        click.echo("nothing is plugged in that a table can use: no adapter, keyboard, panel or beacon that is known")


def _lines(device: PluggedDevice) -> Iterator[str]:
    number = f"serial number {device.serial}" if device.serial else "no serial number"
    kernel = device.kernel or "no driver of the kernel"
    yield f"{device.kind} {device.model}, {number}, at {device.place}, now {device.node} ({kernel})"
    if device.kind == "keyboard":
        yield TYPES
    for line in filter(None, device.config.split(", ")):
        yield f"    [{SECTIONS.get(device.kind, device.kind)}] {line}"
    if device.untried:
        yield f"    {device.untried}"
    if device.trouble:
        yield f"    problem: {device.trouble}"
