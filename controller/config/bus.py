"""The `[bus]` section: connection to the studio's bus, and the keys that a table or floor trusts."""

import re
from collections.abc import Mapping

from ..text.errors import as_key, quote
from .mistakes import BadConfig
from .sections import Name, Section, Text

TOKEN = re.compile(r"[A-Za-z0-9_-]+")  # one part of a subject
SERVER = re.compile(r"(nats|tls)://[A-Za-z0-9.\[\]:-]+")
KEY = re.compile(r"U[A-Z2-7]{55}")  # a user's public nkey


class BusLine(Section, frozen=True):
    """Settings of a connection to the bus; without `servers` there is none."""

    servers: tuple[Text, ...] = ()
    studio: Name = "main"  # name of the studio in every subject: tablectl.STUDIO.TABLE
    credentials: Text | None = None  # file with the table's seed (.nk), or .creds
    ca: Text | None = None  # file with the certificate authority of the servers; by default those of the system

    def check(self, name: str, key: str) -> None:
        """Check addresses, credentials and names. Raises BadConfig.

        `name`: name of the table or floor on the bus; `key`: its config key, for the message.
        """
        if not self.servers:
            return
        for server in self.servers:
            if not SERVER.fullmatch(server):
                raise BadConfig(f"bus.servers: expected addresses such as tls://10.0.0.5:4222, got {quote(server)}")
        if self.credentials is None:
            raise BadConfig("bus.credentials: expected a file with its nkey or .creds: `tablectl bus init`")
        for path, value in (("bus.studio", self.studio), (key, name)):
            if not TOKEN.fullmatch(value):
                raise BadConfig(f"{path}: expected only letters, digits, - and _, for the bus, got {quote(value)}")


class BusSection(BusLine, frozen=True):
    """Settings of a table's connection to the bus, with the keys that may command it."""

    players: bool = False  # events for players are published too
    floors: Mapping[Name, Text] = {}  # floors that may rule: public keys by name
    platforms: Mapping[Name, Text] = {}  # game servers that may send commands: public keys by name

    def check(self, name: str, key: str = "table.name") -> None:
        """Check also the keys of floors and platforms. Raises BadConfig."""
        super().check(name, key)
        if not self.servers:
            return
        for kind, keys in (("floors", self.floors), ("platforms", self.platforms)):
            for one, public in keys.items():
                _check_key(f"bus.{kind}.{as_key(one)}", public)


class FloorBusSection(BusLine, frozen=True):
    """Settings of a floor's connection to the bus.

    The roster signed by the admin names the tables and floors.
    """

    admin: Text | None = None  # the admin's public nkey

    def check(self, name: str, key: str = "floor.name") -> None:
        """Check also the admin's public key. Raises BadConfig."""
        super().check(name, key)
        if self.admin is None:
            raise BadConfig("bus.admin: expected the admin's public nkey: `tablectl bus init FOLDER` prints it")
        _check_key("bus.admin", self.admin)


def _check_key(path: str, key: str) -> None:
    if not KEY.fullmatch(key):
        raise BadConfig(f"{path}: expected a public nkey of 56 letters from U on, got {quote(key)}")
