"""PC in software: qemu with a real kernel and a real systemd, and devices that the tests plug in.

The processor is this PC's own where KVM works, else an emulated one.

The agent in the PC (`guest/agent.py`) carries out requests over a virtio-serial port. Everything in the PC is slow, so
tests wait for conditions, with a limit that is reached only if the PC has died.
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
SOCKETS = {name: number for number, name in enumerate((*SERIAL, *USB), 1)}  # USB port of each socket


class Off(Exception):
    """Error: the PC is off (with the end of its console or of qemu's errors), or qemu refuses a command."""


class SerialSocket:
    """USB socket of the PC for a USB-serial adapter, and the far end of the adapter's serial line.

    An emulated shoe uses it as its port (`drivers.emulators.port`).
    """

    def __init__(self, pc: "SoftwarePc", name: str) -> None:
        self.name, self._pc, self._line = name, pc, None

    @property
    def plugged(self) -> bool:
        return self._line is not None

    def plug(self, serial: str | None = None) -> None:
        """Plug in an adapter with this serial number; the default number is made of the socket's name."""
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
        """Return bytes that the PC has sent, at most 4096; empty if there are none."""
        if self._line is None:
            return b""
        with contextlib.suppress(BlockingIOError):
            return self._line.recv(4096, socket.MSG_DONTWAIT)
        return b""


class SoftwarePc:
    """Software PC that is switched on; as a context manager it is switched off at the end.

    `image`: the folder that `image.sh` has filled. `disk`: the PC's disk, which it writes to. `snapshot`: snapshot of
    the disk to start from; without one the PC boots. `lan`: qemu's options of a second network card.
    """

    def __init__(self, image: Path, disk: Path, snapshot: str | None = None, lan: Sequence[str] = ()) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tablectl-pc-"))
        self._lines: list[Any] = []
        self._added: set[str] = set()
        options = ["-loadvm", snapshot] if snapshot else []
        with (self.folder / "qemu").open("wb") as log:
            self._process = subprocess.Popen([*self._command(image, disk), *options, *lan], stderr=log)
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

    def __enter__(self) -> "SoftwarePc":
        return self

    def __exit__(self, *_: object) -> None:
        self.off()

    # What people do to the PC from outside.

    def off(self) -> None:
        """Cut the power: what the PC had not written is lost. Deletes the folder of its sockets."""
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
        """Wait until the PC has booted; return the seconds that the boot took, by its own uptime."""
        return float(self._hear(BOOT)["up"])

    def add(self, name: str, driver: str, **more: str) -> None:
        """Plug a device of this qemu driver into one of the PC's sockets."""
        self._added.add(name)
        self.monitor("device_add", driver=driver, id=name, chardev=name, bus="usb.0", port=str(SOCKETS[name]), **more)

    def remove(self, name: str) -> None:
        """Unplug the device from a socket, and wait until qemu has removed it."""
        self._added.discard(name)
        self.monitor("device_del", id=name)
        eventually(lambda: name not in json.dumps(self.monitor("qom-list", path="/machine/peripheral")), LOOKS)

    def usb_socket(self, name: str) -> UsbSocket:
        """Return a USB socket for an emulated device; qemu adds it at the first call."""
        if name not in self._added:
            self.add(name, "usb-redir")
        return self.usb[name]

    # Commands inside the PC.

    def run(self, *command: object, check: bool = True, limit: float = PATIENCE, **more: str) -> str:
        """Run a command in the PC, as root, to its end; return its output. Checks the exit code if `check`."""
        answer = self._ask({"run": [str(word) for word in command], "limit": limit, **more}, limit)
        assert "error" not in answer, f"{command}: {answer}"
        assert answer["code"] == 0 or not check, f"{command}: {answer['out']}"
        return answer["out"]

    def does(self, *command: str, typed: str = "") -> tuple[int, str]:
        """Run a command in the PC as root, with `typed` as its input; return its exit code and output."""
        answer = self._ask({"run": command, "limit": INSTALL, "input": typed}, INSTALL)
        assert "error" not in answer, f"{command}: {answer}"
        return answer["code"], answer["out"]

    def sh(self, script: str, **more: Any) -> str:
        """Run a shell script in the PC, as root; return its output."""
        return self.run("sh", "-ec", script, **more)

    def write(self, path: str, text: str) -> None:
        """Write a file in the PC, and create its folder."""
        self.run("sh", "-c", 'mkdir -p "$(dirname "$0")" && cat >"$0"', path, input=text)

    def ask(self, table: str, path: str) -> Mapping[str, Any] | None:
        """Return the body that a table's own socket answers to GET `path`; None if it does not answer."""
        task = {"ask": f"/run/tablectl/{table}.sock", "method": "GET", "path": path, "limit": 60}
        return self._ask(task, 60).get("body")

    # Connections to qemu and to the agent.

    def connect(self, name: str) -> socket.socket:
        """Connect to one of qemu's sockets, as soon as it exists. Raises Off if qemu has ended."""
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
        """Send a command to qemu itself; return its result. Raises Off if qemu refuses."""
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
