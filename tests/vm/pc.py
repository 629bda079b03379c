"""A PC that exists only in software: qemu, a real kernel, a real systemd, what is plugged in from outside.

Its processor is this PC's own where KVM can be used here, else an emulated one.

An agent in it (`guest/agent.py`) does what it is told over a virtio-serial port. Everything in it is slow, so that what
is waited for is a condition, with a limit that only a PC that has died meets.
"""

import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.patience import PAUSE, eventually
from tests.vm.processor import processor
from tests.vm.usbredir import UsbSocket

BOOT, INSTALL, PATIENCE = 600.0, 3600.0, 400.0  # seconds
LOOKS = round(PATIENCE / PAUSE)
MEMORY = 768  # MiB
SNAPSHOT = "ready"
KERNEL_SAYS = (
    "console=ttyS0 panic=-1 mitigations=off audit=0 random.trust_cpu=on net.ifnames=0 tsc=unstable no_timer_check"
)
SERIAL, USB = ("serial1", "serial2"), ("usb1", "usb2", "usb3")
SOCKETS = {name: number for number, name in enumerate((*SERIAL, *USB), 1)}  # of the PC


class Off(Exception):
    """The PC is off, or was never on; its console's last words."""


class SerialSocket:
    """A socket of the PC with a USB-serial adapter in it or not, and what is at the other end of the adapter's line.

    To an emulated shoe it is the far end of a port (`drivers.emulators.port`).
    """

    def __init__(self, pc: "Pc", name: str) -> None:
        self.name, self._pc, self._line = name, pc, None

    @property
    def plugged(self) -> bool:
        return self._line is not None

    def plug(self, serial: str | None = None) -> None:
        """Put an adapter in: with this number, by default one of the socket's own."""
        if self._line is None:
            self._pc.add(self.name, "usb-serial", serial=serial or f"{self.name.upper()}-0001")
            self._line = self._pc.connect(self.name)

    def unplug(self) -> None:
        """Pull the adapter out of the PC."""
        if self._line is not None:
            self._line.close()
            self._line = None
            self._pc.remove(self.name)

    def write(self, data: bytes) -> None:
        if self._line is not None:
            self._line.sendall(data)

    def read(self) -> bytes:
        """What the PC has sent."""
        if self._line is None:
            return b""
        with contextlib.suppress(BlockingIOError):
            return self._line.recv(4096, socket.MSG_DONTWAIT)
        return b""


class Pc:
    """One that is on. A context manager: it is switched off at the end.

    `image`: the folder that `image.sh` has filled. `disk`: its disk, which it writes to. `snapshot`: begin where the PC
    was then; by default it boots. `lan`: the options of a second network card.
    """

    def __init__(self, image: Path, disk: Path, snapshot: str | None = None, lan: Sequence[str] = ()) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tablectl-pc-"))
        self._lines: list[Any] = []
        self._added: set[str] = set()
        options = ["-loadvm", snapshot] if snapshot else []
        with (self.folder / "qemu").open("wb") as said:
            self._process = subprocess.Popen([*self._command(image, disk), *options, *lan], stderr=said)
        try:
            self._agent = self._file("agent")
            self._monitor = self._file("monitor")
            self._monitor.readline()
            self.monitor("qmp_capabilities")
            if snapshot is None:
                self.booted()
        except BaseException:
            self.off()
            raise
        self.serial = {name: SerialSocket(self, name) for name in SERIAL}
        self.usb = {name: UsbSocket(self.folder / name) for name in USB}

    def _command(self, image: Path, disk: Path) -> list[str]:
        def line(name: str) -> list[str]:
            return ["-chardev", f"socket,id={name},path={self.folder}/{name},server=on,wait=off"]

        return [
            "qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-machine", "q35",
            *processor(image / "vmlinuz"), "-smp", "2", "-m", str(MEMORY),
            "-kernel", f"{image}/vmlinuz", "-initrd", f"{image}/initrd.img", "-append", KERNEL_SAYS,
            "-drive", f"file={disk},if=virtio,format=qcow2,cache=unsafe", "-device", "virtio-rng-pci",
            "-netdev", "user,id=net,restrict=on", "-device", "virtio-net-pci,netdev=net",
            "-chardev", f"file,id=console,path={self.folder}/console", "-serial", "chardev:console",
            "-qmp", f"unix:{self.folder}/monitor,server=on,wait=off",
            *line("agent"), "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=agent,name=tests",
            "-device", "qemu-xhci,id=usb,p2=8", *(word for name in SOCKETS for word in line(name)),
        ]  # fmt: skip

    def __enter__(self) -> "Pc":
        return self

    def __exit__(self, *_: object) -> None:
        self.off()

    # What people do to it.

    def off(self) -> None:
        """Cut the power: what it had not written is lost."""
        for one in getattr(self, "usb", {}).values():
            one.unplug()
        for one in getattr(self, "serial", {}).values():
            if one._line is not None:
                one._line.close()
        self._process.kill()
        self._process.wait()
        for one in self._lines:
            one.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def booted(self) -> float:
        """Wait until it is up; the seconds it says it took."""
        return float(self._hear(BOOT)["up"])

    def add(self, name: str, driver: str, **more: str) -> None:
        """Put something into one of its sockets."""
        self._added.add(name)
        self.monitor("device_add", driver=driver, id=name, chardev=name, bus="usb.0", port=str(SOCKETS[name]), **more)

    def remove(self, name: str) -> None:
        """Take it out again, and wait until it is out."""
        self._added.discard(name)
        self.monitor("device_del", id=name)
        eventually(lambda: name not in json.dumps(self.monitor("qom-list", path="/machine/peripheral")), LOOKS)

    def usb_socket(self, name: str) -> UsbSocket:
        """A socket for an emulated device."""
        if name not in self._added:
            self.add(name, "usb-redir")
        return self.usb[name]

    # What is done in it.

    def run(self, *command: object, check: bool = True, limit: float = PATIENCE, **more: str) -> str:
        """Run a command in it, as root, to its end; what it says."""
        answer = self._ask({"run": [str(word) for word in command], "limit": limit, **more}, limit)
        assert "error" not in answer, f"{command}: {answer}"
        assert answer["code"] == 0 or not check, f"{command}: {answer['out']}"
        return answer["out"]

    def does(self, *command: str, typed: str = "") -> tuple[int, str]:
        """Run a command in it, as root, to its end; its exit code, and what it said."""
        answer = self._ask({"run": command, "limit": INSTALL, "input": typed}, INSTALL)
        assert "error" not in answer, f"{command}: {answer}"
        return answer["code"], answer["out"]

    def sh(self, script: str, **more: Any) -> str:
        """Run a shell's script in it."""
        return self.run("sh", "-ec", script, **more)

    def write(self, path: str, text: str) -> None:
        """A file in it."""
        self.run("sh", "-c", 'mkdir -p "$(dirname "$0")" && cat >"$0"', path, input=text)

    def ask(self, table: str, path: str) -> Mapping[str, Any] | None:
        """What a table's own socket answers; None where it does not."""
        asked = {"ask": f"/run/tablectl/{table}.sock", "method": "GET", "path": path, "limit": 60}
        return self._ask(asked, 60).get("body")

    # The lines to it.

    def connect(self, name: str) -> socket.socket:
        """The other end of one of its lines."""
        line = socket.socket(socket.AF_UNIX)

        def connected() -> bool:
            if self._process.poll() is not None:
                raise Off((self.folder / "qemu").read_text())
            with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
                line.connect(f"{self.folder}/{name}")
                return True
            return False

        try:
            eventually(connected)
        except BaseException:
            line.close()
            raise
        return line

    def _file(self, name: str) -> Any:
        line = self.connect(name)
        line.settimeout(BOOT)
        file = line.makefile("rw")
        self._lines += [file, line]
        return file

    def monitor(self, command: str, **arguments: Any) -> Any:
        """A command to qemu itself. Raises Off where it refuses."""
        self._monitor.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self._monitor.flush()
        while True:
            answer = json.loads(self._monitor.readline())
            if "error" in answer:
                raise Off(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    def _ask(self, what: dict[str, Any], limit: float) -> dict[str, Any]:
        self._agent.write(json.dumps(what) + "\n")
        self._agent.flush()
        return self._hear(limit + PATIENCE)

    def _hear(self, limit: float) -> dict[str, Any]:
        self._lines[1].settimeout(limit)
        try:
            line = self._agent.readline()
        except TimeoutError:
            line = ""
        if not line:
            raise Off((self.folder / "console").read_text(errors="replace")[-2000:])
        return json.loads(line)
