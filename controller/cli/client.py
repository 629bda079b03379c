"""Client of a table's socket for the command line, and search for the table that a command is for.

The search starts and changes nothing. If no table answers, the error is one line.
"""

import json
import os
import socket
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..config.paths import SOCKETS, pc_folder
from ..web.net.sockets import all_folders, answers, file_name, socket_beside, table_of

if TYPE_CHECKING:
    from ..config.table_file import Config

PATIENCE = 30.0  # seconds for an answer
_WHICH = "say which table with --config, --table or --socket"


class NoAnswer(Exception):
    """Error in one line: no table answers at the socket."""


class TableReply(Struct, frozen=True):
    """Answer of a table to one request."""

    status: int
    body: Any  # JSON


class _Connection(HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=PATIENCE)
        self._path = path

    def connect(self) -> None:
        """Connect to the table's Unix socket."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(str(self._path))


def ask(path: Path, method: str, target: str, body: object = None) -> TableReply:
    """Send one request to the table behind a socket. Raises NoAnswer."""
    connection = _Connection(path)
    try:
        connection.request(method, target, None if body is None else json.dumps(body))
        response = connection.getresponse()
        return TableReply(response.status, json.loads(response.read()))
    except (FileNotFoundError, ConnectionRefusedError):
        raise NoAnswer(
            f"no table runs at {path}{_other_tables_hint()}: start it with `{_start_of(path)}`, or {_WHICH}"
        ) from None
    except PermissionError:
        group = _group_of(path)
        how = f"use sudo, or join the group: `sudo adduser NAME {group}`"
        raise NoAnswer(f"{path}: only for its owner and the group {group}: {how}") from None
    except (OSError, HTTPException, ValueError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise NoAnswer(f"{path}: no answer ({why}): look at `tablectl status` before doing it again") from None
    finally:
        connection.close()


def _group_of(path: Path) -> str:
    """Group of a socket; the service's group if the socket cannot be examined."""
    try:
        return path.group()
    except (OSError, KeyError):
        return "tablectl"


def _start_of(path: Path) -> str:
    """Command that starts the table of a socket: systemctl in the services' folder of sockets."""
    return f"systemctl start tablectl@{table_of(path)}" if path.parent == pc_folder(SOCKETS) else "tablectl run CONFIG"


def _other_tables_hint() -> str:
    """Text with the names of running tables, for a mistyped name; empty if none runs."""
    here = ", ".join(map(table_of, running_sockets()))
    return f" (here: {here})" if here else ""


def socket_of_config(config: Path) -> Path:
    """Path of the socket of the table with this config. Raises BadConfig."""
    from ..config.table_file import load  # imports all games and devices, which most calls do not need

    return socket_of_settings(load(config))


def socket_of_settings(settings: "Config") -> Path:
    """Path of the socket of the table with these settings."""
    if settings.api.socket:
        return Path(settings.api.socket)
    places = _places(settings.table.name)
    if settings.journal.path:
        places.append(socket_beside(Path(settings.journal.path)))
    return _choose_socket(places)


def socket_of_table(name: str) -> Path:
    """Path of the socket of the table with this name."""
    return _choose_socket(_places(name))


def running_sockets() -> list[Path]:
    """Paths of the sockets of all tables that run on this PC, in the usual folders."""
    return [path for folder in all_folders(os.environ) for path in sorted(folder.glob("*.sock")) if listens(path)]


def only_running_socket() -> Path:
    """Path of the socket of the only table that runs on this PC. Raises NoAnswer."""
    here = running_sockets()
    if len(here) == 1:
        return here[0]
    if not here:
        looked = " and ".join(str(folder) for folder in all_folders(os.environ))
        raise NoAnswer(f"no table runs here (none in {looked}): start one with `tablectl run CONFIG`, or {_WHICH}")
    names = ", ".join(table_of(path) for path in here)
    raise NoAnswer(f"several tables run here ({names}): {_WHICH}")


def _places(table: str) -> list[Path]:
    return [folder / file_name(table) for folder in all_folders(os.environ)]


def _choose_socket(places: list[Path]) -> Path:
    """Choose a socket: the first that answers, else the first that exists, else the first."""
    return next((path for path in places if listens(path)), next(filter(Path.exists, places), places[0]))


def listens(path: Path) -> bool:
    """True if a table listens at this socket, or this user may not connect to find out."""
    try:
        return answers(path)
    except OSError:  # the socket exists, but this user may not connect: the request itself will say so
        return True
