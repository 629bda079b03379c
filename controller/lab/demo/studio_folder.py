"""Folder of a studio's demo: people, configs of tables and floor, and the keys of the bus.

people.toml  tN.toml  floor.toml  bus.conf  studio/ (the keys)     written here
tN.journal  tN.log  main.floor  bus/ ...                           by the programs
"""

import json
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ...bus.studio import Studio
from ...config.bus import BusLine
from ...config.people import FILE, PeopleFile, PersonRole
from ...config.people_change import change_registry
from ...games import GAMES
from .shoes import shoe_section

FLOOR, PIN = "main", "2580"  # name of the floor, and PIN of its people: valid only in the demo
STAFF: dict[str, tuple[str, PersonRole]] = {
    "1001": ("Anna Pop", "manager"),
    "1002": ("Victor Ilie", "manager"),
    "1101": ("Maria Dinu", "supervisor"),
    "1201": ("Paul Lungu", "engineer"),
    "1301": ("Irina Sava", "auditor"),
}
DEALERS = (
    "Elena Rusu", "Tom Hart", "Sofia Marin", "Luca Conti", "Dana Petrescu", "Jan Novak", "Ioana Albu", "Mark Stone",
    "Carmen Vlad", "Petra Lang", "Radu Moga", "Nina Costa",
)  # fmt: skip
FIRST_DEALER = 2001

SERVER = """server_name: demo
listen: "127.0.0.1:{port}"
jetstream {{
  store_dir: {store}
  max_file: 1G
  max_mem: 64M
  sync_interval: always
}}
include ./studio/studio.conf
"""
TABLE = """# One table of a demo.
[table]
name = "{name}"
dealer = "{dealer}"
confirm = "dealer"
[game]
name = "{game}"
[shoe]
{shoe}
[panel]
model = "xk24"
[timers]
betting = {betting}
decision = {decision}
[journal]
path = {journal}
[web]
listen = "127.0.0.1:0"
[people]
file = {people}
[bus]
servers = ["{server}"]
credentials = {seed}
floors = {{ {floor} = "{floor_key}" }}
"""
FLOOR_FILE = """# The floor of a demo.
[floor]
name = "{floor}"
store = {store}
[web]
listen = "127.0.0.1:{port}"
[people]
file = {people}
[bus]
servers = ["{server}"]
credentials = {seed}
admin = "{admin}"
"""


class OneTable(NamedTuple):
    """Table of the demo: its name, game and dealer."""

    name: str
    game: str
    dealer: str  # badge number of the dealer


def tables_of(number: int, game: str | None) -> list[OneTable]:
    """Descriptions of `number` tables, with all games in turn unless `game` names one."""
    games = [game] if game else list(GAMES)
    width = len(str(number))
    return [OneTable(f"t{n + 1:0{width}}", games[n % len(games)], str(FIRST_DEALER + n)) for n in range(number)]


class StudioFolder:
    """Writes the files of a demo into an existing folder."""

    def __init__(self, folder: Path, tables: Sequence[OneTable], port: int) -> None:
        """Create the keys and the server's config. `port`: port of the bus. Raises BadConfig."""
        self.folder, self.tables, self._port = folder.absolute(), tables, port
        self.studio = Studio(self.folder / "studio", "main")
        self.studio.make({"tables": tuple(table.name for table in tables), "floors": (FLOOR,)})
        store = json.dumps(str(self.folder / "bus"))
        self.server_config.write_text(SERVER.format(port=port, store=store), encoding="utf-8")

    @property
    def server(self) -> str:
        """Address of the bus server, for clients."""
        return f"nats://127.0.0.1:{self._port}"

    @property
    def server_config(self) -> Path:
        """Path of the config of nats-server."""
        return self.folder / "bus.conf"

    @property
    def admins(self) -> BusLine:
        """Bus settings with the admin's credentials."""
        return BusLine(servers=(self.server,), credentials=str(self.studio.admin))

    def config_of(self, name: str) -> Path:
        """Path of the config of a table or of the floor, by name."""
        return self.folder / f"{name}.toml"

    def add_people(self) -> None:
        """Add the staff, who can sign in, and a dealer for each table. Raises BadUsers."""
        with change_registry(PeopleFile(self.folder / FILE)) as change:
            for number, (name, role) in STAFF.items():
                if number not in change.people:
                    change.add(number, name, (role,), PIN)
            for table, name in zip(self.tables, _dealers(), strict=False):
                if table.dealer not in change.people:
                    change.add(table.dealer, name, ("dealer",), None)

    def add_table(self, table: OneTable, betting: int, decision: int) -> Path:
        """Write the config of a table; return its path. `betting`, `decision`: limits in seconds."""
        config, home = self.config_of(table.name), self.folder / table.name
        home.mkdir(exist_ok=True)
        section = shoe_section(GAMES[table.game], home / "shoe")
        allow = f"allow = {json.dumps(section.allow)}\n" if section.allow else ""
        text = TABLE.format(
            **table._asdict(), **self._shared_values(), betting=betting, decision=decision,
            shoe=f'{allow}model = "{section.model}"\nport = {json.dumps(section.port)}',
            journal=json.dumps(str(home / f"{table.name}.journal")),
            seed=json.dumps(str(self.studio.folder / "tables" / f"{table.name}.nk")),
            floor_key=self.studio.keys("floors")[FLOOR],
        )  # fmt: skip
        config.write_text(text, encoding="utf-8")
        return config

    def add_floor(self, port: int) -> Path:
        """Write the config of the floor with its page on this port; return its path."""
        config, store = self.config_of("floor"), self.folder / f"{FLOOR}.floor"
        seed = self.studio.folder / "floors" / f"{FLOOR}.nk"
        files = {"store": json.dumps(str(store)), "seed": json.dumps(str(seed))}
        text = FLOOR_FILE.format(**self._shared_values(), **files, port=port, admin=self.studio.admin_key)
        config.write_text(text, encoding="utf-8")
        return config

    def _shared_values(self) -> dict[str, str]:
        return {"people": json.dumps(str(self.folder / FILE)), "server": self.server, "floor": FLOOR}


def _dealers() -> Iterator[str]:
    """Endless names for dealers: the fixed ones, then numbered ones."""
    yield from DEALERS
    number = len(DEALERS)
    while True:
        number += 1
        yield f"Dealer {number}"


def free_port() -> int:
    """TCP port of this PC that is free at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
        return port
