"""Questions to a running table: does it run, can it write its record, does it have its devices?

A device server often accepts only one connection. A second one would be refused or would end the table's connection, so
the table is asked and the server is not contacted.
"""

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

from .. import Unusable
from ..config.shared_ports import SharedPort
from ..config.table_file import Config, load
from ..journal import is_written
from ..station.pc_checks import UnmetRequirement
from .client import NoAnswer, ask, listens, socket_of_settings

Look = Callable[[], str]


def require_stopped(settings: Config) -> None:
    """Refuse to use the devices of a running table, which may be taken from it. Raises Unusable."""
    journal = settings.journal.path
    if journal is not None and is_written(Path(journal)):
        raise Unusable(
            f"table {settings.table.name} runs and uses these devices: see its page /manager; "
            "to use them here, stop the table first"
        )


def describe_device(name: str, port: str, settings: Config, shared: list[SharedPort], look: Look, *, runs: bool) -> str:
    """Describe the device: by its running table, or by `look` if no table runs. Raises UnmetRequirement.

    `name`: shoe or badge_reader. `shared`: ports of this table that other configs name too.
    """
    socket = socket_of_settings(settings)
    if runs or listens(socket):
        return _ask_table(socket, name, port)
    for one in shared:
        if one.port.key == f"{name}.port" and listens(socket_of_settings(load(one.other))):
            raise UnmetRequirement(f"{port}: the running table of {one.other} has it: give each table its own")
    return look()


def check_written(settings: Config) -> None:
    """Ask the running table whether its record can be written. Raises UnmetRequirement if the table is halted.

    A table that does not answer is reported by the finding on its socket.
    """
    try:
        reply = ask(socket_of_settings(settings), "GET", "/api/state")
    except NoAnswer:
        return
    if reply.status == HTTPStatus.OK and reply.body["halted"] is not None:
        raise UnmetRequirement(f"the running table is HALTED, its record cannot be written: {reply.body['halted']}")


def _ask_table(socket: Path, name: str, port: str) -> str:
    """Ask the running table about the device. Raises UnmetRequirement if the table has lost it."""
    try:
        reply = ask(socket, "GET", "/api/devices")
    except NoAnswer as error:
        return f"{port}; cannot check whether the running table has it: {error}"
    if reply.status != HTTPStatus.OK:
        return f"{port}; cannot check whether the running table has it: {reply.body['detail']}"
    device = next((one for one in reply.body["devices"] if one["device"]["name"] == name), None)
    if device is None:
        raise UnmetRequirement(f"{port}: the table runs without it: restart the table between two rounds")
    if device["present"] is None:
        return f"{port}; the running table looks for it"
    if not device["present"]:
        raise UnmetRequirement(f"the running table has lost it: {device['health']['reason'] or port}")
    return f"{port}; the running table has it"
