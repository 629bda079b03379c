"""Parts of a studio that can fail: tables and a floor as processes, a table apart, the servers' disk."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from controller.journal import head_of
from tests.bus.cluster import Cluster
from tests.floor.dealing import Sitting, sit
from tests.floor.service import MANAGER, FloorVisitor, staff
from tests.mounts import shell
from tests.networks import alone
from tests.patience import PATIENCE
from tests.ports import free
from tests.processes import PROCESSES, TABLECTL, ForkableProgram
from tests.web.staff import PINS

MEGABYTE = 1 << 20
DISK = 'mkdir -p "$0"; mount -t tmpfs -o size=800m tmpfs "$0"; echo ready'


class MemoryDisk:
    """File system in memory that ends with this object. Programs are started into its mounts to use it."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [*map(str, shell(DISK, folder, ["cat"]))], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"
        self._filler = Path(f"/proc/{self.program}/root{folder}/filler")

    @property
    def program(self) -> int:
        """Process id by which the mounts are entered."""
        return self._process.pid

    def fill(self) -> None:
        """Fill the disk to the last byte, including space freed since the last call."""
        with self._filler.open("ab", buffering=0) as file, suppress(OSError):
            os.posix_fallocate(file.fileno(), file.tell(), max(1, self.left - MEGABYTE))
        with self._filler.open("ab", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))

    @property
    def left(self) -> int:
        """Free bytes on the disk."""
        about = os.statvfs(self._filler.parent)
        return about.f_bavail * about.f_frsize

    def empty(self) -> None:
        """Delete the file that fills the disk."""
        self._filler.unlink()

    def end(self) -> None:
        self._process.communicate()


class DealingProcess:
    """Table in a process of its own."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting, self.path = sitting, Path(sitting.journal)
        self.path.parent.mkdir()
        self._process: Any = None

    def start(self) -> None:
        self._process = PROCESSES.Process(target=sit, args=(self.sitting,), daemon=True)
        self._process.start()

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None

    @property
    def ended(self) -> int | None:
        """Exit code of the process; None if it runs, or was killed and not restarted."""
        return self._process and self._process.exitcode

    @property
    def seq(self) -> int:
        """Sequence number of the table's last record; 0 if it has none."""
        return head_of(self.path).seq if self.path.exists() and self.path.stat().st_size else 0


class IsolatedDealingProcess(DealingProcess):
    """Table in a network of its own. `sockets`: folder of the sockets by which it reaches the ports."""

    def __init__(self, sitting: Sitting, sockets: Path, ports: tuple[int, ...]) -> None:
        super().__init__(sitting)
        file = self.path.with_suffix(".json")
        file.write_bytes(msgspec.json.encode(sitting))
        table = (sys.executable, "-m", "tests.floor.dealing", file)
        self._command = alone(
            sys.executable, "-m", "tests.floor.isolated_program", sockets, ",".join(map(str, ports)), *table
        )

    def start(self) -> None:
        self._process = subprocess.Popen([*map(str, self._command)], start_new_session=True)

    def kill(self) -> None:
        if self.ended is None and self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE)
        self._process = None

    @property
    def program(self) -> int:
        """Process id by which the network is entered."""
        return self._process.pid

    @property
    def ended(self) -> int | None:
        return self._process and self._process.poll()


class FloorProcess:
    """Floor as a process: `tablectl floor CONFIG`."""

    def __init__(self, folder: Path, cluster: Cluster, name: str = "main") -> None:
        folder.mkdir()
        staff(folder)
        self.port, self.store = free(), folder / f"{name}.floor"
        section = cluster.floor_section(name)
        bus = {"servers": list(section.servers), "studio": section.studio, "credentials": section.credentials}
        bus |= {"admin": section.admin}
        bus |= {"ca": section.ca} if section.ca else {}
        web = {"listen": f"127.0.0.1:{self.port}"}
        self.config = folder / f"{name}.toml"
        self.config.write_text(tomli_w.dumps({"floor": {"name": name}, "bus": bus, "web": web}))
        self._log = folder / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self.process = ForkableProgram([TABLECTL, "floor", self.config], stdout=log, stderr=log)

    def end(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    async def visitor(self) -> FloorVisitor:
        """Wait until the floor is open; return a shift manager who is signed in there."""
        person = FloorVisitor(self)
        while True:
            assert self.process is not None
            assert self.process.poll() is None, self._log.read_text()
            try:
                answer = await person.sign_in(MANAGER, PINS[MANAGER])
            except OSError:
                await asyncio.sleep(0.1)
                continue
            assert answer.status == 200, answer
            return person

    def rows(self, query: str) -> list[Any]:
        """Return rows of the floor's store, read directly; empty if there is no store yet."""
        if not self.store.exists():
            return []
        with closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True, timeout=PATIENCE)) as db:
            return db.execute(query).fetchall()

    def known(self) -> dict[str, int]:
        """Return the number of stored events of each table."""
        return dict(
            self.rows("SELECT table_, count(*) FROM events JOIN epochs ON epochs.id = events.epoch GROUP BY table_")
        )
