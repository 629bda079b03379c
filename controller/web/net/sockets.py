"""Unix socket of a table: its path, who may connect, and the user at its other end.

A socket that a program answers on is never removed; one without a listener is stale and is replaced.

If the config names no path: NAME.sock in /run/tablectl (systemd creates it), else in the user's runtime folder, else
beside the journal. Anybody who may write to it may rule: mode 0660, and a group of its own if one is named.
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

from ...config.paths import RUNTIMES, SOCKETS, pc_folder
from ...core.coded_message import CodedMessage, coded
from ...text.coded import CodedError
from ...text.errors import system_message

LONGEST = 107  # bytes of a path, by the kernel's sun_path
PATIENCE = 1.0  # seconds to wait for a connection; a program that is too busy to accept counts as alive
NAME_ONE = coded("name_a_socket", path=f"{SOCKETS}/table1.sock")
NAME_THE_TABLE = coded("name_the_table")
_CREDENTIALS = struct.Struct("3i")  # struct ucred of SO_PEERCRED, see unix(7): pid, uid, gid


class UnusableAddress(CodedError):
    """Network address, or its certificate, that cannot be used; the message is one line."""


class UnusableSocket(CodedError):
    """Unix socket that cannot be used; the message is one line."""


def folders(environment: Mapping[str, str]) -> list[Path]:
    """Folders for the sockets of this user's tables, the machine's folder first."""
    own = environment.get("XDG_RUNTIME_DIR")
    return [pc_folder(SOCKETS, environment), *([Path(own) / "tablectl"] if own else [])]


def all_folders(environment: Mapping[str, str]) -> list[Path]:
    """Folders in which running tables may have sockets; for root, those of every user too."""
    user_folders = sorted(pc_folder(RUNTIMES, environment).glob("*/tablectl")) if os.geteuid() == 0 else []
    return list(dict.fromkeys((*folders(environment), *user_folders)))


def file_name(table: str) -> str:
    """File name of a table's socket; characters that a file name cannot hold are quoted."""
    return f"{quote(table, safe=' ')}.sock"


def table_of(path: Path) -> str:
    """Table name encoded in a socket's file name."""
    return unquote(path.name.removesuffix(".sock"))


def socket_beside(journal: Path) -> Path:
    """Path of a socket beside the journal, used if no folder is writable."""
    return journal.with_name(f"{journal.name}.sock")


def place_of(table: str, journal: Path, environment: Mapping[str, str]) -> Path:
    """Default path of a table's socket: in the first writable folder, else beside the journal."""
    for folder in folders(environment):
        if folder != pc_folder(SOCKETS, environment) and folder.parent.is_dir():
            with suppress(OSError):
                folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
            return folder / file_name(table)
    return socket_beside(journal)


def answers(path: Path) -> bool:
    """True if a program listens on this socket. Raises OSError if that cannot be found out."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(PATIENCE)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except (TimeoutError, BlockingIOError):
            return True
    return True


def look(path: Path, group: str | None = None, advice: CodedMessage = NAME_ONE) -> None:
    """Check that a socket can be created at this path. Raises UnusableSocket.

    `advice`: what to do if another table has it.
    """
    size = len(os.fsencode(path))
    if size > LONGEST:
        raise UnusableSocket(coded("socket_path_long", path=str(path), limit=LONGEST, bytes=size, then=NAME_ONE))
    if group is not None:
        _gid(group)
    try:
        path.parent.stat()
        if _is_there(path) and answers(path):
            raise UnusableSocket(coded("socket_in_use", path=str(path), then=advice))
    except OSError as error:
        raise UnusableSocket(
            coded("socket_unusable", path=str(path), reason=system_message(error), then=NAME_ONE)
        ) from None


class Listening:
    """Unix socket that this program listens on."""

    def __init__(self, path: Path, group: str | None = None, advice: CodedMessage = NAME_ONE) -> None:
        """Check the path with `look`, then bind and listen. Raises UnusableSocket."""
        look(path, group, advice)
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            path.unlink(missing_ok=True)  # a stale socket: `look` refuses all others
            self.socket.bind(str(path))
            path.chmod(0o660)  # in time, because nobody can connect before `listen`
            if group is not None:
                _give(path, _gid(group), group)
            self.socket.listen()
        except OSError as error:
            self.socket.close()
            unusable = coded("socket_unusable", path=str(path), reason=system_message(error), then=NAME_ONE)
            raise UnusableSocket(unusable) from None
        except UnusableSocket:
            self.socket.close()
            raise
        self._inode = path.stat().st_ino

    def close(self) -> None:
        """Close the socket and remove its file, unless another program has replaced it."""
        self.socket.close()
        with suppress(OSError):
            if self.path.stat().st_ino == self._inode:
                self.path.unlink()


def _is_there(path: Path) -> bool:
    """True if a socket exists at this path. Raises OSError, and UnusableSocket for any other file."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISSOCK(mode):
        raise UnusableSocket(coded("no_socket", path=str(path), then=NAME_ONE))
    return True


def _gid(group: str) -> int:
    try:
        return grp.getgrnam(group).gr_gid
    except (KeyError, ValueError):  # a name with a NUL
        raise UnusableSocket(coded("group_unknown", name=group)) from None


def _give(path: Path, gid: int, group: str) -> None:
    try:
        os.chown(path, -1, gid)
    except OSError:
        path.unlink()
        raise UnusableSocket(coded("group_of_others", name=group)) from None


def peer_of(connection: socket.socket) -> int | None:
    """Unix user id of the peer, from the kernel; None if this is no Unix socket."""
    if connection.family != socket.AF_UNIX:
        return None
    _, uid, _ = _CREDENTIALS.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return int(uid)


def user_name(uid: int) -> str:
    """Name of this Unix user; the number as text if there is none. May ask the network."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
