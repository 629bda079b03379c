"""The `[bus]` section of a table's config: the studio's bus, and whose commands the table takes over it."""

import re
from collections.abc import Mapping

from ..text.errors import as_key, shown
from .mistakes import BadConfig
from .sections import Name, Section, Text

TOKEN = re.compile(r"[A-Za-z0-9_-]+")  # one part of a subject
SERVER = re.compile(r"(nats|tls)://[A-Za-z0-9.\[\]:-]+")
KEY = re.compile(r"U[A-Z2-7]{55}")  # a user's public nkey


class BusSection(Section, frozen=True):
    """Settings of the bus; without `servers` the table uses no bus."""

    servers: tuple[Text, ...] = ()
    studio: Name = "main"  # the second word of every subject: tablectl.STUDIO.TABLE
    credentials: Text | None = None  # a file: an nkey's seed, or .creds
    ca: Text | None = None  # a file: who vouches for the servers, where the system does not know them
    players: bool = False  # what players are told goes over it as well
    floors: Mapping[Name, Text] = {}  # who may rule: public nkeys by name
    platforms: Mapping[Name, Text] = {}  # game servers, likewise
    tables: Mapping[Name, Text] = {}  # of a floor: whose statuses, beats and answers count, likewise

    def check(self, name: str, key: str = "table.name") -> None:
        """Check addresses, names and keys. Raises BadConfig.

        `name`: name of the table or floor on the bus; `key`: its config key, for the message.
        """
        if not self.servers:
            return
        for server in self.servers:
            if not SERVER.fullmatch(server):
                raise BadConfig(f"bus.servers: expected addresses such as tls://10.0.0.5:4222, got {shown(server)}")
        if self.credentials is None:
            raise BadConfig("bus.credentials: expected a file with its nkey or .creds: `tablectl bus init`")
        for path, said in (("bus.studio", self.studio), (key, name)):
            if not TOKEN.fullmatch(said):
                raise BadConfig(f"{path}: expected letters, digits, - and _ alone, for the bus, got {shown(said)}")
        _check_keys("bus.floors", self.floors)
        _check_keys("bus.platforms", self.platforms)
        _check_keys("bus.tables", self.tables)


def _check_keys(path: str, keys: Mapping[str, str]) -> None:
    for name, key in keys.items():
        if not KEY.fullmatch(key):
            raise BadConfig(f"{path}.{as_key(name)}: expected a public nkey of 56 letters from U on, got {shown(key)}")
