"""Emulated PC with USB sockets: ptys as adapters and keyboards, folders as /sys and /dev.

Plugging an adapter in creates its entries in /sys and the links that udev makes. Pulling it removes them.
"""

import os
import shutil
import tty
from dataclasses import dataclass, field
from pathlib import Path

from drivers.own_port import SERVED

HUB = "devices/pci0000:00/0000:00:14.0/usb1"
PLACE = "pci-0000:00:14.0-usb-0:{}:1.0"


@dataclass(eq=False)
class EmulatedAdapter:
    """USB-serial adapter of some table; with `keys` (its capabilities as in /sys) a keyboard."""

    serial: str | None
    ids: tuple[str, str] = ("0403", "6001")
    keys: str = ""
    master: int = -1
    slave: int = -1
    tty: str = field(default="")

    def says(self, data: bytes) -> None:
        """Send bytes from the shoe to the program that has its port open; lost if there is none."""
        os.write(self.master, data)


class EmulatedPc:
    """USB sockets of one PC, by number."""

    def __init__(self, folder: Path) -> None:
        self.sys, self.dev = folder / "sys", folder / "table"
        self.sockets: dict[str, EmulatedAdapter] = {}
        self._numbers = 0
        for each in ("class/tty", "class/input", "dev/char", "bus/usb/devices", "drivers/ftdi_sio", HUB):
            (self.sys / each).mkdir(parents=True)
        for each in ("table", "input/by-id", "input/by-path"):
            (folder / each).mkdir(parents=True)

    def __enter__(self) -> "EmulatedPc":
        return self

    def __exit__(self, *_: object) -> None:
        for socket in list(self.sockets):
            self.unplug(socket)

    def plug(self, socket: str, adapter: EmulatedAdapter) -> EmulatedAdapter:
        """Plug an adapter into a socket that was left empty; returns the adapter."""
        adapter.master, adapter.slave = os.openpty()
        os.fchmod(adapter.slave, os.fstat(adapter.slave).st_mode | SERVED)
        tty.setraw(adapter.slave)
        adapter.tty = f"input/event{self._numbers}" if adapter.keys else f"ttyUSB{self._numbers}"
        self._numbers += 1
        self.sockets[socket] = adapter
        (self.dev.parent / adapter.tty).symlink_to(os.ttyname(adapter.slave))
        self._tell(socket, adapter)
        self._link(adapter, socket)
        return adapter

    def unplug(self, socket: str) -> None:
        """Pull the adapter: its pty hangs up, and its names lead to a remaining twin or disappear."""
        adapter = self.sockets.pop(socket)
        number = os.fstat(adapter.slave).st_rdev
        os.close(adapter.master)
        os.close(adapter.slave)
        self._class(adapter).unlink()
        (self.sys / "dev/char" / f"{os.major(number)}:{os.minor(number)}").unlink()
        shutil.rmtree(self.sys / HUB / f"1-{socket}")
        (self.dev.parent / adapter.tty).unlink()
        self._place(adapter, socket).unlink()
        self.by_serial(adapter).unlink()
        for place, other in self.sockets.items():
            self._link(other, place)

    def by_serial(self, adapter: EmulatedAdapter) -> Path:
        """Return the link named by serial number; adapters with the same number share it."""
        name = adapter.serial or "x".join(adapter.ids)
        return self.dev.parent / "input/by-id" / f"usb-{name}-event-kbd" if adapter.keys else self.dev / f"shoe-{name}"

    def by_place(self, socket: str) -> Path:
        """Return the link named by socket, which leads to the device in that socket."""
        return self._place(self.sockets[socket], socket)

    def _place(self, adapter: EmulatedAdapter, socket: str) -> Path:
        place = PLACE.format(socket)
        by_path = self.dev.parent / "input/by-path" / f"{place}-event-kbd"
        return by_path if adapter.keys else self.dev / f"shoe-at-{place}"

    def _class(self, adapter: EmulatedAdapter) -> Path:
        return self.sys / "class" / ("input" if adapter.keys else "tty") / Path(adapter.tty).name

    def _link(self, adapter: EmulatedAdapter, socket: str) -> None:
        for link in (self.by_serial(adapter), self._place(adapter, socket)):
            link.unlink(missing_ok=True)  # as with udev, the link leads to the device plugged in last
            link.symlink_to(os.ttyname(adapter.slave))

    def _tell(self, socket: str, adapter: EmulatedAdapter) -> None:
        device = self.sys / HUB / f"1-{socket}"
        interface = device / f"1-{socket}:1.0"
        node = interface / adapter.tty / "tty" / adapter.tty
        node.mkdir(parents=True)
        if adapter.keys:
            (node / "device/capabilities").mkdir(parents=True)
            (node / "device/capabilities/key").write_text(f"{adapter.keys}\n")
        (interface / "bInterfaceNumber").write_text("00\n")
        (interface / "driver").symlink_to(self.sys / "drivers/ftdi_sio")
        for name, text in zip(("idVendor", "idProduct"), adapter.ids, strict=True):
            (device / name).write_text(f"{text}\n")
        if adapter.serial is not None:
            (device / "serial").write_text(f"{adapter.serial}\n")
        number = os.fstat(adapter.slave).st_rdev
        self._class(adapter).symlink_to(node)
        (self.sys / "dev/char" / f"{os.major(number)}:{os.minor(number)}").symlink_to(node)
