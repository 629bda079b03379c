"""Users file: who may act on a table over the network (shift managers by PIN, programs by token).

Invariant: neither a PIN nor a token can be read from the file. It keeps an Argon2 hash of each PIN, and a plain hash of
each token, which is long and random. The key of viewers' ids is stored as it is, since the platform has it too. Each
change replaces the whole file; a running table sees the change at its next request.
"""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...config.kept_file import KeptFile
from ...config.mistakes import BadUsers
from ...config.people import Name, check_person
from ...config.pins import hash_pin
from ...core.coded_message import coded
from ...core.persons import is_like
from ...text.coded import render
from ...text.errors import quote, shorten_to_line, system_message

TOKEN_BYTES = 32
SHORTEST_KEY = 16  # letters of a key for viewers' ids


class KioskCode(Struct, frozen=True, forbid_unknown_fields=True):
    """Hash of a one-time code that makes a browser of the table's PC the dealer's screen.

    `until`: time in Unix seconds after which the code is void.
    """

    digest: str
    until: int


class Users(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Content of the users file.

    By name: the hash of each shift manager's PIN and of each program's token. Also the hash of the key of each
    authorised dealer's screen, with the time since when, and the key of viewers' player ids.
    """

    managers: dict[Name, str] = {}
    tokens: dict[Name, str] = {}
    viewer_key: str | None = None
    kiosks: dict[str, int] = {}
    kiosk_code: KioskCode | None = None

    def holder(self, token: str) -> str | None:
        """Name of the program that has this token; None if no program has it."""
        digest = digest_of(token)
        return next((name for name, value in self.tokens.items() if secrets.compare_digest(value, digest)), None)


_decode = msgspec.json.Decoder(Users).decode  # created once: creating it in two threads at a time crashes the process


class UsersFile:
    """Users file on disk, read again after each change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: Users = Users()
        self._file = KeptFile(path)

    def users(self) -> Users:
        """Read the current content; empty if there is no file yet. Raises BadUsers."""
        try:
            if (content := self._file.read_if_changed()) is not None:
                self._read = _decode(content)
        except FileNotFoundError:
            return Users()
        except OSError as error:
            raise BadUsers(f"{self.path}: {system_message(error)}") from None
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._file.forget()
            raise BadUsers(
                render(coded("no_users_file", path=str(self.path), error=shorten_to_line(str(error))))
            ) from None
        return self._read

    @contextmanager
    def change(self) -> Iterator["UsersChange"]:
        """Lock the file, yield its content for changes, and write it at the end. Raises BadUsers."""
        with self._file.lock():
            change = UsersChange(self.users())
            yield change
            self._file.write(msgspec.json.format(msgspec.json.encode(change.users, order="sorted"), indent=2) + b"\n")


class UsersChange:
    """Pending change of the users file, written when `UsersFile.change` ends."""

    def __init__(self, users: Users) -> None:
        self.users = users

    def set_pin(self, name: str, pin: str) -> None:
        """Add a shift manager, or give them another PIN. Raises BadUsers."""
        check_person(name)
        twin = next((manager for manager in self.users.managers if manager != name and is_like(manager, name)), None)
        if twin is not None:
            raise BadUsers(render(coded("user_twin", name=twin)))
        self.users = replace(self.users, managers={**self.users.managers, name: hash_pin(pin)})

    def remove(self, name: str) -> None:
        """Remove a shift manager by name. Raises BadUsers."""
        self.users = replace(self.users, managers=_remove_entry(self.users.managers, name, "shift manager"))

    def add_token(self, name: str) -> str:
        """Create a program's token and return it; only its hash is kept. Raises BadUsers."""
        check_person(name)
        if name in self.users.tokens:
            raise BadUsers(render(coded("token_there", name=name)))
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self.users = replace(self.users, tokens={**self.users.tokens, name: digest_of(token)})
        return token

    def make_viewer_key(self) -> str:
        """Create the key of viewers' player ids and return it, this once. Raises BadUsers."""
        if self.users.viewer_key is not None:
            raise BadUsers(render(coded("viewer_key_there")))
        key = secrets.token_urlsafe(TOKEN_BYTES)
        self.set_viewer_key(key)
        return key

    def set_viewer_key(self, key: str) -> None:
        """Store the platform's own key of viewers' player ids. Raises BadUsers."""
        if len(key) < SHORTEST_KEY or not (key.isascii() and key.isprintable()):
            raise BadUsers(render(coded("viewer_key_short", limit=SHORTEST_KEY, count=len(key))))
        self.users = replace(self.users, viewer_key=key)

    def remove_token(self, name: str) -> None:
        """Void a program's token by the program's name. Raises BadUsers."""
        self.users = replace(self.users, tokens=_remove_entry(self.users.tokens, name, "token"))


def digest_of(token: str) -> str:
    """Hash of a token or key, as the file stores it: SHA-256, hexadecimal."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _remove_entry(entries: dict[str, str], name: str, what: str) -> dict[str, str]:
    if name not in entries:
        raise BadUsers(f"no {what} {quote(name)}; there are {', '.join(sorted(entries)) or 'none'}")
    return {other: value for other, value in entries.items() if other != name}
