"""List of plugged devices from Linux's /sys, without opening any.

`sys` is another folder of that shape, for tests.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from drivers.identity import Identity

SYS = Path("/sys")
_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
TYPES = sum(1 << key for key in (*range(2, 12), 28))  # a mouse, a panel or a power button does not have these keys
_INTERFACE = re.compile(r"[\d.]+-[\d.]+:(\d+\.\d+)")


@dataclass(frozen=True, slots=True)
class Adapter:
    """A USB-serial adapter or one of its ports; or a keyboard on USB, or a device that types as one."""

    node: str  # ttyUSB0, input/event3: changes with each plugging
    identity: Identity
    driver: str  # of the kernel


def adapters(sys: Path = SYS) -> list[Adapter]:
    """Serial adapters that are plugged in."""
    folder = str(sys / "class" / "tty")
    devices = (_adapter(Path(folder, name)) for name in sorted(_names(folder)) if not _is_virtual(f"{folder}/{name}"))
    return [adapter for adapter in devices if adapter is not None]


def adapter_of(number: int, sys: Path = SYS) -> Adapter | None:
    """Adapter with this device number (`st_rdev`); None if the port is not on USB."""
    return _adapter(_by_number(number, sys))


def keyboards(sys: Path = SYS) -> list[Adapter]:
    """Keyboards that are plugged in: devices with keys for digits and Enter."""
    devices = (
        _keyboard(entry) for entry in sorted(_entries_of(sys / "class" / "input")) if entry.name.startswith("event")
    )
    return [keyboard for keyboard in devices if keyboard is not None]


def keyboard_of(number: int, sys: Path = SYS) -> Adapter | None:
    """Keyboard with this device number (`st_rdev`); None if it is not on USB."""
    return _keyboard(_by_number(number, sys))


def _by_number(number: int, sys: Path) -> Path:
    return sys / "dev" / "char" / f"{os.major(number)}:{os.minor(number)}"


def _keyboard(entry: Path) -> Adapter | None:
    words = _text(entry / "device" / "capabilities" / "key").split()
    types = int(words[-1], 16) & TYPES == TYPES if words else False
    return replace(adapter, node=f"input/{adapter.node}") if types and (adapter := _adapter(entry)) else None


@dataclass(frozen=True, slots=True)
class UsbFolder:
    """Folder of a device on USB; `is_there`: False for one that is emulated."""

    place: str
    serial: str | None = None
    driver: str = ""  # of the kernel, that holds its first interface
    is_there: bool = False

    @classmethod
    def of(cls, bus: int, ports: tuple[int, ...], sys: Path | None) -> "UsbFolder":
        """Folder of the device in this socket of this bus."""
        name = f"{bus}-{'.'.join(map(str, ports))}"
        device = sys and (sys / "bus" / "usb" / "devices" / name).resolve()
        if device is None or not (device / "idVendor").is_file():
            return cls(name)
        serial, driver = _text(device / "serial") or None, _driver(device / f"{name}:1.0")
        return cls(place_of(device), serial, driver, is_there=True)


def place_of(device: Path) -> str:
    """Socket of a device, as udev's ID_PATH has it; it stays when bus numbers change."""
    ports = device.name.partition("-")[2]
    above = [folder.name for folder in device.parents]
    controller = next((f"pci-{name}" for name in above if _PCI.fullmatch(name)), None)
    if controller is None:
        hub = next((number for number, name in enumerate(above) if re.fullmatch(r"usb\d+", name)), 0)
        controller = f"platform-{above[hub + 1]}"
    return f"{controller}-usb-0:{ports}"


def _adapter(entry: Path) -> Adapter | None:
    with suppress(OSError):  # unplugged meanwhile
        return _read(entry.resolve(strict=True))
    return None


def _read(tty: Path) -> Adapter | None:
    device = next((folder for folder in tty.parents if (folder / "idVendor").is_file()), None)
    if device is None:
        return None
    interface = device / tty.relative_to(device).parts[0]
    part, port = _part(interface, tty)
    kind = f"{_text(device / 'idVendor')}:{_text(device / 'idProduct')}"
    first = part == ":1.0" and not port
    serial = _text(device / "serial") or None
    identity = Identity(kind if first else f"{kind}{part}{port}", serial, f"{place_of(device)}{part}{port}")
    return Adapter(tty.name, identity, _driver(interface))


def _part(interface: Path, tty: Path) -> tuple[str, str]:
    """Interface of a port on its device, and its number among several there."""
    match = _INTERFACE.fullmatch(interface.name)
    number = _text(tty.parents[1] / "port_number")
    return f":{match[1]}" if match else "", f"-port{number}" if number not in ("", "0") else ""


def _driver(interface: Path) -> str:
    driver = interface / "driver"
    return driver.resolve().name if driver.exists() else ""


def _text(file: Path) -> str:
    try:
        return " ".join(file.read_text(encoding="utf-8", errors="replace").split())
    except FileNotFoundError:
        return ""


def _names(folder: str) -> list[str]:
    with suppress(OSError):
        return os.listdir(folder)  # noqa: PTH208 - a Path for each of a hundred takes longer than all the rest
    return []


def _is_virtual(entry: str) -> bool:
    """True if a port belongs to no hardware, such as a console.

    A PC has some seventy, and they are listed at each look.
    """
    with suppress(OSError):
        return "/devices/virtual/" in os.readlink(entry)  # noqa: PTH115 - likewise
    return False


def _entries_of(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from folder.iterdir()
