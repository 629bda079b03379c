"""Folder with the keys of a studio's bus and the servers' config.

    admin.nk sys.nk, and NAME.nk in tables, floors, platforms, sites    seeds: move each to the PC that it is for
    the same with .pub                                                  public keys, which stay
    studio.conf                                                         permissions, included by the servers

Keep the admin's seed offline: it can delete every stream and sign a roster.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..config.bus import TOKEN
from ..config.mistakes import BadConfig
from ..core.coded_message import coded
from ..text.coded import render
from ..text.errors import quote, system_message
from .keys import is_public, new_seed, public_of
from .permissions import EVERYTHING, User, accounts, floor, platform, site, table

KINDS = {"tables": table, "floors": floor, "platforms": platform, "sites": site}
CLIENTS = ("tables", "floors", "platforms")
SECRET = 0o600
USUAL = "main"
_NAME = re.compile(r'service: "tablectl\.([^."]+)\.')  # as `permissions.accounts` writes it


class Studio:
    """Access to the key folder of a studio. Its methods raise BadConfig.

    `name`: the studio's name; None: that in the folder's `studio.conf`, USUAL in a new folder.
    """

    def __init__(self, folder: Path, name: str | None) -> None:
        self.folder = folder
        self.name = self._name_in_conf() if name is None else name
        check_token(self.name)

    @property
    def conf(self) -> Path:
        """Path of the config file that the servers include."""
        return self.folder / "studio.conf"

    @property
    def admin(self) -> Path:
        """Path of the admin's seed, to be kept offline."""
        return self.folder / "admin.nk"

    @property
    def admin_key(self) -> str:
        """Public key of the admin's seed."""
        return self._public(self.folder / "admin")

    def _name_in_conf(self) -> str:
        try:
            found = _NAME.search(self.conf.read_text(encoding="utf-8", errors="replace"))
        except FileNotFoundError:
            return USUAL
        except OSError as error:
            raise BadConfig(f"{self.conf}: {system_message(error)}") from None
        return USUAL if found is None else found[1]

    def make(self, by_kind: Mapping[str, tuple[str, ...]]) -> list[Path]:
        """Create missing keys by kind and name, and write the servers' config. Returns the paths of new seeds."""
        for name in (name for names in by_kind.values() for name in names):
            check_token(name)
        stems = [self.folder / "admin", self.folder / "sys"]
        stems += [self.folder / kind / name for kind in KINDS for name in by_kind.get(kind, ())]
        try:
            self._check_keys()
            new = [_make(stem) for stem in stems if not stem.with_name(f"{stem.name}.pub").exists()]
            self.conf.write_text(self._accounts(), encoding="utf-8")
        except OSError as error:
            raise BadConfig(f"{error.filename or self.folder}: {system_message(error)}") from None
        return new

    def names(self, kind: str) -> list[str]:
        """Names that have a public key in the folder of this kind, sorted."""
        names = sorted(path.stem for path in (self.folder / kind).glob("*.pub"))
        for name in names:
            check_token(name)
        return names

    def keys(self, kind: str) -> dict[str, str]:
        """Public keys of one kind ("tables", "floors", ...) by name."""
        return {name: self._public(self.folder / kind / name) for name in self.names(kind)}

    def _check_keys(self) -> None:
        """Check that no key has two names: servers refuse such a config."""
        files = defaultdict[str, list[str]](list)
        for kind in KINDS:
            for name, public in self.keys(kind).items():
                files[public].append(str(self.folder / kind / f"{name}.pub"))
        for same in files.values():
            if len(same) > 1:
                raise BadConfig(render(coded("bus_keys_equal", names=", ".join(same))))

    def _accounts(self) -> str:
        admin = "the admin", self.admin_key, EVERYTHING
        clients = (user for kind in CLIENTS for user in self._users(kind))
        return accounts(self.name, (admin, *self._users("sites")), clients, self._public(self.folder / "sys"))

    def _users(self, kind: str) -> Iterator[User]:
        for name, public in self.keys(kind).items():
            yield f"{kind[:-1]} {name}", public, KINDS[kind](self.name, name)

    def _public(self, stem: Path) -> str:
        path = stem.with_name(f"{stem.name}.pub")
        try:
            public = path.read_text(encoding="ascii", errors="replace").strip()
        except OSError as error:
            raise BadConfig(f"{path}: {system_message(error)}") from None
        if not is_public(public):
            raise BadConfig(render(coded("bus_public_key", path=str(path))))
        return public


def check_token(name: str) -> None:
    """Raise BadConfig if `name` cannot be part of a subject."""
    if not TOKEN.fullmatch(name):
        raise BadConfig(render(coded("bus_token", said=quote(name))))


def _make(stem: Path) -> Path:
    """Create a seed (readable by its owner only) and its public key; return the seed's path.

    `stem`: path of both files without suffix. Raises OSError.
    """
    stem.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    seed, secret = new_seed(), stem.with_name(f"{stem.name}.nk")
    file = os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, SECRET)
    try:
        os.write(file, f"{seed}\n".encode())
    finally:
        os.close(file)
    stem.with_name(f"{stem.name}.pub").write_text(f"{public_of(seed)}\n", encoding="ascii")
    return secret
