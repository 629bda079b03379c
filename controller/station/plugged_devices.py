"""Devices of this PC that a table can use, with the line of a config for each.

No device is opened. For devices that the user may not open, the text says what to do.
"""

import grp
import os
import pwd
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from drivers.beacons import BEACONS
from drivers.identity import Identity, is_distinct
from drivers.models import DriverFailed, create_codec, guard_codec, models_of
from drivers.panels import PANELS
from drivers.shoes import SHOES, ShoeModel
from drivers.shoes.hid_pos import HidPos
from drivers.sysfs import SYS, adapters, keyboards
from drivers.tried_models import describe_untried
from drivers.usb_codec import UsbCodec
from drivers.usb_device import Backend, UsbDevice, devices, relatives

from ..core.coded_message import coded
from ..text.coded import render

DEV = Path("/dev")
NAMES = ("table", "serial/by-id", "serial/by-path", "input/by-id", "input/by-path")  # stable names, the best first
RULE = (
    'SUBSYSTEM=="input", KERNEL=="event*", ENV{{ID_PATH}}=="{place}", ENV{{ID_VENDOR_ID}}=="{vendor}", '
    'ENV{{ID_MODEL_ID}}=="{product}", GROUP="tablectl", MODE="0640"'
)


class PluggedDevice(Struct, frozen=True):
    """Device that is plugged in, with its line for the config."""

    kind: str  # adapter, keyboard, shoe, panel, beacon
    model: str  # name of the driver; for an adapter (any shoe may be behind it) or a keyboard, its USB ids
    serial: str | None
    place: str
    node: str  # present device file
    kernel: str  # the kernel's driver
    config: str  # line of TOML for the config; empty for a device that no driver serves
    trouble: str = ""  # why it cannot be used, and what to do
    untried: str = ""  # those of its possible models that were never tried on a real device


def usable_devices(sys: Path = SYS, dev: Path = DEV, usb: Backend | None = None) -> Iterator[PluggedDevice]:
    """List the usable devices of this PC. Raises Unusable if nobody can look at USB."""
    yield from _adapters(sys, dev)
    yield from _keyboards(sys, dev)
    yield from _find_usb("shoe", {"hid_pos": HidPos}, usb)
    yield from _find_usb("panel", models_of("panel", PANELS), usb)
    yield from _find_usb("beacon", models_of("beacon", BEACONS), usb)


def _adapters(sys: Path, dev: Path) -> Iterator[PluggedDevice]:
    usb_adapters = adapters(sys)
    for each in usb_adapters:
        one, node = each.identity, dev / each.node
        twins = [other.identity for other in usb_adapters if other is not each and other.identity.is_like(one)]
        line, troubles = _port(one, node, dev, twins), _twins(one, twins) + _forbidden(node)
        details = line, "; ".join(troubles), describe_untried(_serial(keyboard=False))
        yield PluggedDevice("adapter", one.kind, one.serial, one.place, str(node), each.driver, *details)


def _keyboards(sys: Path, dev: Path) -> Iterator[PluggedDevice]:
    """Yield scanners and badge readers that act as a keyboard.

    People's keyboards are among them: the kernel cannot tell them apart.
    """
    usb_keyboards = keyboards(sys)
    for each in usb_keyboards:
        one, node = each.identity, dev / each.node
        twins = [other.identity for other in usb_keyboards if other is not each and other.identity.is_like(one)]
        line, troubles = _port(one, node, dev, twins), _twins(one, twins) + _read_advice(one, node)
        details = line, "; ".join(troubles), describe_untried([*_serial(keyboard=True), "badge_reader"])
        yield PluggedDevice("keyboard", one.kind, one.serial, one.place, str(node), each.driver, *details)


def _serial(*, keyboard: bool) -> list[str]:
    """Names of our shoe models on a serial adapter, or of those that act as a keyboard."""
    return [name for name, model in SHOES.items() if isinstance(model, ShoeModel) and model.keyboard is keyboard]


def _read_advice(one: Identity, node: Path) -> list[str]:
    """Advice if this user may not read the keyboard, else empty.

    It never says to join the group `input`, which may read all keyboards.
    """
    try:
        about = node.stat()
    except OSError:
        return []
    if os.access(node, os.R_OK):
        return []
    group, user = _name(grp.getgrgid, about.st_gid), _name(pwd.getpwuid, os.geteuid())
    if group not in ("root", "input"):
        return [render(coded("node_unread", by=user, path=str(node), name=group))]
    vendor, product = one.kind.split(":")[:2]
    rule = RULE.format(place=one.place, vendor=vendor, product=product)
    return [render(coded("keyboard_unread", by=user, path=str(node), said=rule))]


def _port(one: Identity, node: Path, dev: Path, twins: Sequence[Identity]) -> str:
    """Line of a config for this device: a name of its own, else its socket."""
    names = [link for folder in NAMES for link in sorted((dev / folder).glob("*")) if link.resolve() == node.resolve()]
    by_number = is_distinct(one.serial) and not twins
    fit = [name for name in names if (one.serial or "") in name.name] if by_number else _names_at_place(names, one)
    if fit:
        return f'port = "{fit[0]}"'
    return f'port = "{names[0] if names else node}", at = "{one.place}"'


def _names_at_place(names: Sequence[Path], one: Identity) -> list[Path]:
    place = one.place.partition("-port")[0]
    return [name for name in names if place in name.name]


def _twins(one: Identity, twins: Sequence[Identity]) -> list[str]:
    if not twins:
        return []
    places = " and ".join(sorted(twin.place for twin in twins))
    return [render(coded("device_twin", number=one.number, place=places))]


def _forbidden(node: Path) -> list[str]:
    """Trouble text if this user may not open the device, else empty."""
    try:
        about = node.stat()
    except OSError:
        return []  # unplugged just now
    if os.access(node, os.R_OK | os.W_OK):
        return []
    group, user = _name(grp.getgrgid, about.st_gid), _name(pwd.getpwuid, os.geteuid())
    if group == "root":
        return [render(coded("node_without_group", by=user, path=str(node)))]
    return [render(coded("node_unopened", by=user, path=str(node), name=group))]


def _name(look_up: Callable[[int], tuple[object, ...]], number: int) -> str:
    try:
        return str(look_up(number)[0])
    except KeyError:
        return str(number)


def _find_usb(kind: str, models: Mapping[str, Callable[[], UsbCodec]], usb: Backend | None) -> Iterator[PluggedDevice]:
    codecs: dict[str, UsbCodec] = {}
    for model, factory in models.items():
        with suppress(DriverFailed):  # a package's driver; `tablectl check` reports it for a table that needs it
            codecs[model] = create_codec(factory)
    nodes: set[str] = set()  # nodes of devices that were listed already
    for model, codec in codecs.items():
        with suppress(DriverFailed):
            usb_devices = devices(codec, usb)
            nodes.update(device.node for device in usb_devices)
            yield from [_usb(kind, model, device, codec, usb_devices) for device in usb_devices]
    for codec in codecs.values():
        with suppress(DriverFailed):
            unserved = [(device, what) for device, what in relatives(codec, usb) if device.node not in nodes]
            nodes.update(device.node for device, _ in unserved)
            yield from [_unserved_device(kind, device, what) for device, what in unserved]


def _usb(kind: str, model: str, device: UsbDevice, codec: UsbCodec, every: Sequence[UsbDevice]) -> PluggedDevice:
    with guard_codec(codec):
        one, refusal = device.identity, codec.refusal(device.product)
    others = [other.identity for other in every if other is not device]
    twins = [other for other in others if other.is_like(one)]
    by_number = is_distinct(one.serial) and not twins
    which = "" if not others else f', serial = "{one.serial}"' if by_number else f', at = "{one.place}"'
    troubles = [refusal] if refusal else _twins(one, twins) + _forbidden(Path(device.node))
    details = f'model = "{model}"{which}', "; ".join(troubles), describe_untried([model])
    return PluggedDevice(kind, model, one.serial, one.place, device.node, device.folder.driver, *details)


def _unserved_device(kind: str, device: UsbDevice, what: str) -> PluggedDevice:
    one = device.identity
    trouble = render(coded("device_unserved", name=what, kind=kind))
    return PluggedDevice(kind, one.kind, one.serial, one.place, device.node, device.folder.driver, "", trouble)
