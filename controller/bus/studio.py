"""The folder in which a studio keeps who is who on its bus.

    admin.nk sys.nk, and NAME.nk in tables, floors, platforms, sites    seeds: to be moved to whom they are for
    the same with .pub                                                  public keys, which stay
    studio.conf                                                         for the servers: who may do what

The admin's seed goes off line: whoever has it can empty a stream, whatever that one forbids, and sign a roster.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..config.bus import TOKEN
from ..config.mistakes import BadConfig
from ..text.errors import shown, system_says
from .keys import new_seed, public_of
from .permissions import EVERYTHING, User, accounts, floor, platform, site, table

KINDS = {"tables": table, "floors": floor, "platforms": platform, "sites": site}
CLIENTS = ("tables", "floors", "platforms")
SECRET = 0o600


class Studio:
    """That folder. All of it raises BadConfig."""

    def __init__(self, folder: Path, name: str) -> None:
        check_token(name)
        self.folder, self.name = folder, name

    @property
    def conf(self) -> Path:
        """What the servers include."""
        return self.folder / "studio.conf"

    @property
    def admin(self) -> Path:
        """The seed that goes off line."""
        return self.folder / "admin.nk"

    @property
    def admin_key(self) -> str:
        """Its public key."""
        return self._public(self.folder / "admin")

    def make(self, wanted: Mapping[str, tuple[str, ...]]) -> list[Path]:
        """Have keys for these too, by kind, and the servers' file. The seeds that are new."""
        for name in (name for names in wanted.values() for name in names):
            check_token(name)
        places = [self.folder / "admin", self.folder / "sys"]
        places += [self.folder / kind / name for kind in KINDS for name in wanted.get(kind, ())]
        try:
            new = [_make(place) for place in places if not place.with_name(f"{place.name}.pub").exists()]
            self.conf.write_text(self._accounts(), encoding="utf-8")
        except OSError as error:
            raise BadConfig(f"{error.filename or self.folder}: {system_says(error)}") from None
        return new

    def names(self, kind: str) -> list[str]:
        """Who of a kind has a key."""
        return sorted(path.stem for path in (self.folder / kind).glob("*.pub"))

    def keys(self, kind: str) -> dict[str, str]:
        """Their public keys."""
        return {name: self._public(self.folder / kind / name) for name in self.names(kind)}

    def _accounts(self) -> str:
        admin = "the admin", self.admin_key, EVERYTHING
        clients = (user for kind in CLIENTS for user in self._users(kind))
        return accounts(self.name, (admin, *self._users("sites")), clients, self._public(self.folder / "sys"))

    def _users(self, kind: str) -> Iterator[User]:
        for name, public in self.keys(kind).items():
            yield f"{kind[:-1]} {name}", public, KINDS[kind](self.name, name)

    def _public(self, place: Path) -> str:
        return place.with_name(f"{place.name}.pub").read_text(encoding="ascii").strip()


def check_token(name: str) -> None:
    """Raises BadConfig for what cannot be a part of a subject."""
    if not TOKEN.fullmatch(name):
        raise BadConfig(f"expected a name of letters, digits, - and _ alone, for the bus, got {shown(name)}")


def _make(place: Path) -> Path:
    """Raises OSError."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    seed, secret = new_seed(), place.with_name(f"{place.name}.nk")
    file = os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, SECRET)
    try:
        os.write(file, f"{seed}\n".encode())
    finally:
        os.close(file)
    place.with_name(f"{place.name}.pub").write_text(f"{public_of(seed)}\n", encoding="ascii")
    return secret
