"""Cluster of three bus servers, as in `config/bus/three.conf`, and a server of a second site.

Both run with certificates of a test authority, or without encryption.
Every server is stopped at the end, also after an error.
"""

import signal
from collections.abc import Mapping
from pathlib import Path

from controller.bus.streams import Retention
from controller.bus.studio import Studio
from tests.bus.rig import CONFIGS, WHO, Certificates, NatsProcess, StudioKeys, plain
from tests.patience import PATIENCE
from tests.ports import free

NAMES = ("bus-a", "bus-b", "bus-c")
THRICE = Retention("main", replicas=3, events_gb=0.6)
HUB = "bus.main.example:7422"  # address of the first site in leaf.conf


class Cluster(StudioKeys):
    """Three servers of one cluster. Entering the context starts all three and creates the streams."""

    def __init__(
        self,
        folder: Path,
        who: Mapping[str, tuple[str, ...]] = WHO,
        *,
        tls: bool = False,
        max_file: str = "2G",
        keeping: Retention = THRICE,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.keeping = folder, keeping
        self.studio = Studio(folder / "studio", keeping.studio)
        self.studio.make(who)
        self.certificates = Certificates(folder / "tls") if tls else None
        self.ca = self.certificates and self.certificates.ca
        self.servers = tuple(NatsProcess(folder, name, NATS_NAME=name) for name in NAMES)
        self.leaf_ports = tuple(free() for _ in NAMES)
        self._write(max_file)

    def _write(self, max_file: str) -> None:
        text = (CONFIGS / "three.conf").read_text()
        text = plain(text) if self.certificates is None else self.certificates.applied(text)
        routes = {name: free() for name in NAMES}
        for name, port in routes.items():
            text = text.replace(f"{name}:6222", f"127.0.0.1:{port}")
        for server, leaf in zip(self.servers, self.leaf_ports, strict=True):
            own = text.replace("0.0.0.0:6222", f"127.0.0.1:{routes[server.name]}")
            server.write(f"{own}\n{self._leafs(leaf)}", max_file)

    def _leafs(self, port: int) -> str:
        """Return the config section in which a server listens for servers of other sites."""
        tls = "" if self.certificates is None else self.certificates.applied(LEAF_TLS)
        return f'leafnodes {{ listen: "127.0.0.1:{port}"\n{tls}}}\n'

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(f"{'tls' if self.certificates else 'nats'}://127.0.0.1:{one.port}" for one in self.servers)

    def __enter__(self) -> "Cluster":
        try:
            self.launch()
            self.make()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def launch(self) -> None:
        """Start all three servers and wait until each is healthy."""
        for server in self.servers:
            server.launch()
        self.wait_until_well()

    def make(self) -> None:
        """Create the streams and wait until all servers have them."""
        self.make_streams(self.keeping)
        self.wait_until_well()

    def kill(self) -> None:
        for server in self.servers:
            server.kill()

    def wait_until_well(self) -> None:
        """Wait until all three servers are healthy and have all data."""
        for server in self.servers:
            server.wait_until_well()

    def restart(self, server: NatsProcess, how: int = signal.SIGKILL) -> None:
        """Stop a server with the signal `how` and start it again."""
        server.end(how)
        server.start()

    async def leader(self, stream: str) -> NatsProcess:
        """Return the server that leads the stream now."""
        async with self.client("admin") as admin:
            info = await admin.jetstream(timeout=PATIENCE).stream_info(stream)
        assert info.cluster is not None
        return next(server for server in self.servers if server.name == info.cluster.leader)


class LeafServer(StudioKeys):
    """Server of a second site, from `leaf.conf`: a studio and a JetStream domain of its own."""

    def __init__(self, folder: Path, hub: Cluster) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.studio = Studio(folder / "studio", "siteb")
        self.studio.make(WHO)
        self.ca, self._tls = hub.ca, hub.certificates is not None
        self.server = NatsProcess(folder, "siteb", SITEB_SEED=hub.seed("sites", "siteb").read_text().strip())
        text = (CONFIGS / "leaf.conf").read_text()
        if hub.certificates is None:
            text = plain(text).replace('      tls { ca_file: "/etc/nats/ca.crt" }\n', "").replace("tls://", "nats://")
        else:
            text = hub.certificates.applied(text)
        urls = '", "'.join(f"{'tls' if self._tls else 'nats'}://127.0.0.1:{port}" for port in hub.leaf_ports)
        self.server.write(text.replace(f"{'tls' if self._tls else 'nats'}://{HUB}", urls), "1G")

    @property
    def urls(self) -> tuple[str, ...]:
        return (f"{'tls' if self._tls else 'nats'}://127.0.0.1:{self.server.port}",)

    def __enter__(self) -> "LeafServer":
        try:
            self.server.start()
            self.make_streams(Retention("siteb", events_gb=0.05))
        except BaseException:
            self.server.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.server.kill()


LEAF_TLS = """  tls {
    cert_file: "/etc/nats/server.crt"
    key_file: "/etc/nats/server.key"
    ca_file: "/etc/nats/ca.crt"
  }
"""
