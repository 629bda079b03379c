"""The Unix socket of a table: where it is, who may connect, who is at its other end.

A socket that answers is never taken away from the program behind it; one that nobody answers on is dust.

Its path, where the config names none: NAME.sock in /run/tablectl (systemd makes it), else in the user's own runtime
folder, else beside the journal. Who may write to it may rule: mode 0660, and a group of its own where one is named.
"""

import grp
import os
import pwd
import socket
import stat
import struct
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, unquote

from ... import Unusable
from ...config.paths import RUNTIMES, SOCKETS, of_pc
from ...text.errors import system_says

LONGEST = 107  # bytes of a path, by the kernel's sun_path
PATIENCE = 1.0  # seconds for a connection: a program that is too busy to take it is alive
NAME_ONE = f'name another one under [api], such as socket = "{SOCKETS}/table1.sock"'
NAME_THE_TABLE = 'another table has its name: give this one its own under [table], such as name = "table2"'
_CREDENTIALS = struct.Struct("3i")  # struct ucred of SO_PEERCRED, see unix(7): pid, uid, gid


class UnusableAddress(Unusable):
    """An address on the network, or a certificate for it, that cannot be had: in one line."""


class UnusableSocket(Unusable):
    """A socket that cannot be had, in one line."""


def folders(environment: Mapping[str, str]) -> list[Path]:
    """Where the sockets of this user's tables are put, the machine's folder first."""
    own = environment.get("XDG_RUNTIME_DIR")
    return [of_pc(SOCKETS, environment), *([Path(own) / "tablectl"] if own else [])]


def everywhere(environment: Mapping[str, str]) -> list[Path]:
    """Where the sockets of running tables may be. Root sees those of every user."""
    theirs = sorted(of_pc(RUNTIMES, environment).glob("*/tablectl")) if os.geteuid() == 0 else []
    return list(dict.fromkeys((*folders(environment), *theirs)))


def file_name(table: str) -> str:
    """A table's name may hold anything; a file's may not."""
    return f"{quote(table, safe=' ')}.sock"


def table_of(path: Path) -> str:
    """The name in such a file name."""
    return unquote(path.name.removesuffix(".sock"))


def beside(journal: Path) -> Path:
    """The last resort."""
    return journal.with_name(f"{journal.name}.sock")


def place_of(table: str, journal: Path, environment: Mapping[str, str]) -> Path:
    """Where a table's socket is put when nothing else is said."""
    for folder in folders(environment):
        if folder != of_pc(SOCKETS, environment) and folder.parent.is_dir():
            with suppress(OSError):
                folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
            return folder / file_name(table)
    return beside(journal)


def answers(path: Path) -> bool:
    """Whether somebody listens there. Raises OSError where that cannot be found out."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PATIENCE)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except (TimeoutError, BlockingIOError):
            return True
    return True


def look(path: Path, group: str | None = None, advice: str = NAME_ONE) -> None:
    """Whether a socket could be put there. `advice`: what to do if another table has it. Raises UnusableSocket."""
    size = len(os.fsencode(path))
    if size > LONGEST:
        raise UnusableSocket(f"{path}: a socket's path may have {LONGEST} bytes, this has {size}; {NAME_ONE}")
    if group is not None:
        _gid(group)
    try:
        path.parent.stat()
        if _is_there(path) and answers(path):
            raise UnusableSocket(f"{path}: a program listens there already; is this table running? Else {advice}")
    except OSError as error:
        raise UnusableSocket(f"{path}: {system_says(error)}; {NAME_ONE}") from None


class Listening:
    """A socket that this program listens on."""

    def __init__(self, path: Path, group: str | None = None, advice: str = NAME_ONE) -> None:
        """Take the place, as `look` sees it. Raises UnusableSocket."""
        look(path, group, advice)
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            path.unlink(missing_ok=True)  # dust, or `look` had refused it
            self.socket.bind(str(path))
            path.chmod(0o660)  # nobody gets in before `listen`
            if group is not None:
                _give(path, _gid(group), group)
            self.socket.listen()
        except OSError as error:
            self.socket.close()
            raise UnusableSocket(f"{path}: {system_says(error)}; {NAME_ONE}") from None
        except UnusableSocket:
            self.socket.close()
            raise
        self._inode = path.stat().st_ino

    def close(self) -> None:
        """Let go, and take it away unless somebody has put another one there."""
        self.socket.close()
        with suppress(OSError):
            if self.path.stat().st_ino == self._inode:
                self.path.unlink()


def _is_there(path: Path) -> bool:
    """Whether a socket is. Raises UnusableSocket for what is none, and so not ours to take away; OSError."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISSOCK(mode):
        raise UnusableSocket(f"{path}: expected a socket or nothing, there is something else; {NAME_ONE}")
    return True


def _gid(group: str) -> int:
    try:
        return grp.getgrnam(group).gr_gid
    except KeyError:
        raise UnusableSocket(f"api.group: expected a group of this computer, got {group!r}") from None


def _give(path: Path, gid: int, group: str) -> None:
    try:
        os.chown(path, -1, gid)
    except OSError:
        path.unlink()
        raise UnusableSocket(
            f"api.group: expected a group that this program's user is a member of, got {group!r}"
        ) from None


def peer_of(connection: socket.socket) -> int | None:
    """The number of the Unix user at the other end, as the kernel knows them; null where it is no Unix socket."""
    if connection.family != socket.AF_UNIX:
        return None
    _, uid, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return int(uid)


def user_name(uid: int) -> str:
    """What that user is called; the number itself where they have no name. It may ask the network."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
