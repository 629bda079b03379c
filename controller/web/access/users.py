"""Who may act on a table over the network: shift managers with their PINs, programs with their tokens.

The one rule: neither a PIN nor a token can be read from the file: of a PIN it keeps an Argon2 hash, of a token, which
is long and random, a plain one. The key of the ids that viewers are told is the platform's as much as the table's, and
is kept as it is. Whoever changes the file replaces it whole; a running table sees that at the next request.
"""

import fcntl
import hashlib
import os
import re
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec
from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Meta, Struct
from msgspec.structs import replace

from ...config.mistakes import BadUsers
from ...core.persons import NOBODY
from ...text.errors import shown, system_says, within_a_line
from ...text.spelling import Misspelt, check_name

NAMES = r"^[^\W_][\w .'-]{0,39}(?![\s\S])"  # it stands in records, on screens and in a command's arguments
Name = Annotated[str, Meta(pattern=NAMES)]
FEWEST, MOST = 4, 12  # digits of a PIN
TOKEN_BYTES = 32
SHORTEST_KEY = 16  # letters of a key for viewers' ids

# OWASP's smallest: a tenth of a second of a table PC's, and no more memory than the program has anyway.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, type=Type.ID)
# Made by that, once, of something long and random: to make one at every start would cost each command its time.
_NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$Qr0/2oQtWzUY4nHKpW9Lkg$TsRjeqmee/TVKSMw9P+tWaJAGGdv49JyqWqMITBpYec"


class Users(Struct, frozen=True, forbid_unknown_fields=True):
    """The file: by name, the hash of each shift manager's PIN and of each program's token; the key of viewers' ids."""

    managers: dict[Name, str] = {}
    tokens: dict[Name, str] = {}
    viewer_key: str | None = None

    def holder(self, token: str) -> str | None:
        """Whose token this is."""
        digest = digest_of(token)
        return next((name for name, known in self.tokens.items() if secrets.compare_digest(known, digest)), None)


class UsersFile:
    """The file, read again when it has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: Users = Users()
        self._seen: tuple[int, ...] | None = None

    def users(self) -> Users:
        """Who is in it now; nobody, where there is none yet. Raises BadUsers."""
        try:
            stat = self.path.stat()
            seen = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if seen != self._seen:
                self._read = msgspec.json.decode(self.path.read_bytes(), type=Users)
                self._seen = seen
        except FileNotFoundError:
            return Users()
        except OSError as error:
            raise BadUsers(f"{self.path}: {system_says(error)}") from None
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise BadUsers(f"{self.path}: no users file: {within_a_line(str(error))}") from None
        return self._read

    @contextmanager
    def changing(self) -> Iterator["Change"]:
        """Change it, one at a time. Raises BadUsers."""
        try:
            lock = self._lock()
        except OSError as error:
            raise BadUsers(f"{self.path.parent}: {system_says(error)}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            change = Change(self.users())
            yield change
            self._write(change.users)
        except OSError as error:
            raise BadUsers(f"{self.path}: {system_says(error)}") from None
        finally:
            os.close(lock)

    def _lock(self) -> int:
        """A file of its own, with the folder's owner: a table that runs has locked the folder itself."""
        lock = os.open(self.path.with_name(f".{self.path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        if os.geteuid() == 0:
            owner = self.path.parent.stat()
            os.fchown(lock, owner.st_uid, owner.st_gid)
        return lock

    def _write(self, users: Users) -> None:
        """All of it or nothing; it keeps its owner, a new one has the folder's, who is the table's."""
        like = (self.path if self.path.exists() else self.path.parent).stat()
        number, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(users, order="sorted"), indent=2) + b"\n")
                os.fchmod(number, 0o640)
                if os.geteuid() == 0:
                    os.fchown(number, like.st_uid, like.st_gid)
                file.flush()
                os.fsync(number)
            Path(name).replace(self.path)
        except OSError:
            with suppress(OSError):
                Path(name).unlink()
            raise


class Change:
    """What is to become of the file."""

    def __init__(self, users: Users) -> None:
        self.users = users

    def set_pin(self, name: str, pin: str) -> None:
        """Add a shift manager, or give them another PIN. Raises BadUsers."""
        _check_name(name)
        check_pin(pin)
        twin = next(
            (known for known in self.users.managers if known != name and known.casefold() == name.casefold()), None
        )
        if twin is not None:
            raise BadUsers(f"expected a name of their own, there is {twin} already")
        self.users = replace(self.users, managers={**self.users.managers, name: _HASHER.hash(pin)})

    def remove(self, name: str) -> None:
        """A shift manager goes. Raises BadUsers."""
        self.users = replace(self.users, managers=_without(self.users.managers, name, "shift manager"))

    def add_token(self, name: str) -> str:
        """A program's token, told this once. Raises BadUsers."""
        _check_name(name)
        if name in self.users.tokens:
            raise BadUsers(f"{name} has a token already: remove it first, or give this one another name")
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self.users = replace(self.users, tokens={**self.users.tokens, name: digest_of(token)})
        return token

    def make_viewer_key(self) -> str:
        """The key of the ids that viewers are told of players, told this once. Raises BadUsers."""
        if self.users.viewer_key is not None:
            raise BadUsers("there is a key already, and it is not shown again: --set puts another in its place")
        key = secrets.token_urlsafe(TOKEN_BYTES)
        self.set_viewer_key(key)
        return key

    def set_viewer_key(self, key: str) -> None:
        """The platform's own. Raises BadUsers."""
        if len(key) < SHORTEST_KEY or not (key.isascii() and key.isprintable()):
            raise BadUsers(f"expected a key of at least {SHORTEST_KEY} ASCII characters, got {len(key)}")
        self.users = replace(self.users, viewer_key=key)

    def remove_token(self, name: str) -> None:
        """A program's token is void. Raises BadUsers."""
        self.users = replace(self.users, tokens=_without(self.users.tokens, name, "token"))


def digest_of(token: str) -> str:
    """What the file keeps of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def fits(pin: str, hashed: str | None) -> bool:
    """Whether it is this person's PIN; for a person there is not (null) it takes as long to say no."""
    try:
        return _HASHER.verify(hashed or _NOBODYS, pin) and hashed is not None
    except (VerificationError, InvalidHashError):
        return False


def check_pin(pin: str) -> None:
    """Raises BadUsers for what is no PIN, or none worth its name."""
    if not (pin.isascii() and pin.isdecimal() and FEWEST <= len(pin) <= MOST):
        raise BadUsers(f"expected a PIN of {FEWEST} to {MOST} digits")
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        raise BadUsers("expected a PIN that nobody guesses at once: neither one digit again and again nor a run")


def _check_name(name: str) -> None:
    if name.lower() in NOBODY:
        raise BadUsers(
            f"expected a name of their own, {name} is a role's or the program's: {', '.join(sorted(NOBODY))}"
        )
    try:
        check_name(name)
    except Misspelt as error:
        raise BadUsers(str(error)) from None
    if not re.match(NAMES, name):
        raise BadUsers(
            "expected a name of up to 40 letters, digits, spaces or . ' - that begins with a letter or digit, "
            f"got {shown(name)}"
        )


def _without(known: dict[str, str], name: str, what: str) -> dict[str, str]:
    if name not in known:
        raise BadUsers(f"no {what} {shown(name)}; there are {', '.join(sorted(known)) or 'none'}")
    return {other: kept for other, kept in known.items() if other != name}
