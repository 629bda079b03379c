"""A PC with USB sockets: adapters are plugged in and pulled, /sys tells of them, and names lead to them as udev has it.

Each adapter is a real pty; /sys and /dev/table are folders.
"""

import os
import shutil
import tty
from dataclasses import dataclass, field
from pathlib import Path

HUB = "devices/pci0000:00/0000:00:14.0/usb1"
PLACE = "pci-0000:00:14.0-usb-0:{}:1.0"


@dataclass(eq=False)
class Adapter:
    """One USB-serial adapter, of some table."""

    serial: str | None
    ids: tuple[str, str] = ("0403", "6001")
    master: int = -1
    slave: int = -1
    tty: str = field(default="")

    def says(self, said: bytes) -> None:
        """From the shoe, to whoever has its port open; lost where nobody has."""
        os.write(self.master, said)


class Pc:
    """The sockets of one PC, by number."""

    def __init__(self, folder: Path) -> None:
        self.sys, self.dev = folder / "sys", folder / "table"
        self.sockets: dict[str, Adapter] = {}
        self._numbers = 0
        for each in ("class/tty", "dev/char", "bus/usb/devices", "drivers/ftdi_sio", HUB):
            (self.sys / each).mkdir(parents=True)
        self.dev.mkdir()

    def __enter__(self) -> "Pc":
        return self

    def __exit__(self, *_: object) -> None:
        for socket in list(self.sockets):
            self.unplug(socket)

    def plug(self, socket: str, adapter: Adapter) -> Adapter:
        """What was in that socket before has been pulled."""
        adapter.master, adapter.slave = os.openpty()
        tty.setraw(adapter.slave)
        adapter.tty = f"ttyUSB{self._numbers}"
        self._numbers += 1
        self.sockets[socket] = adapter
        (self.dev.parent / adapter.tty).symlink_to(os.ttyname(adapter.slave))
        self._tell(socket, adapter)
        self._link(adapter, socket)
        return adapter

    def unplug(self, socket: str) -> None:
        """Pull what is there: the far end hangs up, the names lead to another of that number or are gone."""
        adapter = self.sockets.pop(socket)
        number = os.fstat(adapter.slave).st_rdev
        os.close(adapter.master)
        os.close(adapter.slave)
        (self.sys / "class/tty" / adapter.tty).unlink()
        (self.sys / "dev/char" / f"{os.major(number)}:{os.minor(number)}").unlink()
        shutil.rmtree(self.sys / HUB / f"1-{socket}")
        (self.dev.parent / adapter.tty).unlink()
        (self.dev / self.by_place(socket)).unlink()
        self.by_serial(adapter).unlink()
        for there, other in self.sockets.items():
            self._link(other, there)

    def by_serial(self, adapter: Adapter) -> Path:
        """The name that does not tell two adapters of one number apart."""
        return self.dev / f"shoe-{adapter.serial or 'x'.join(adapter.ids)}"

    def by_place(self, socket: str) -> Path:
        """The name of whatever is in that socket."""
        return self.dev / f"shoe-at-{PLACE.format(socket)}"

    def _link(self, adapter: Adapter, socket: str) -> None:
        for link in (self.by_serial(adapter), self.by_place(socket)):
            link.unlink(missing_ok=True)  # the one that came last has it
            link.symlink_to(os.ttyname(adapter.slave))

    def _tell(self, socket: str, adapter: Adapter) -> None:
        device = self.sys / HUB / f"1-{socket}"
        interface = device / f"1-{socket}:1.0"
        node = interface / adapter.tty / "tty" / adapter.tty
        node.mkdir(parents=True)
        (interface / "bInterfaceNumber").write_text("00\n")
        (interface / "driver").symlink_to(self.sys / "drivers/ftdi_sio")
        for name, text in zip(("idVendor", "idProduct"), adapter.ids, strict=True):
            (device / name).write_text(f"{text}\n")
        if adapter.serial is not None:
            (device / "serial").write_text(f"{adapter.serial}\n")
        number = os.fstat(adapter.slave).st_rdev
        (self.sys / "class/tty" / adapter.tty).symlink_to(node)
        (self.sys / "dev/char" / f"{os.major(number)}:{os.minor(number)}").symlink_to(node)
