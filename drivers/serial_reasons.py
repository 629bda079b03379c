"""Reasons why a serial port cannot be opened or went away, in words for engineers.

The system's error number decides, not the text of a library; each cause has one sentence.
"""

import errno
import os
import socket
import termios
from dataclasses import dataclass

# The device or its server is missing. After a disconnect every attempt is expected to fail like this.
AWAY = frozenset({
    errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO,
    errno.ECONNREFUSED, errno.ECONNRESET, errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.ENETUNREACH,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reason:
    """Reason in a sentence. `away`: True if the device is only missing."""

    text: str
    away: bool = False


def reason_not_open(port: str, error: BaseException) -> Reason:
    """Reason why `port` did not open."""
    number = _number(error)
    texts = _texts_of_host(port) if port.startswith("socket://") else _texts_of_path(port)
    text = texts.get(number or 0, f"{port} cannot be opened: {error_text(error)}")
    return Reason(text, away=number in AWAY)


def reason_gone(port: str, error: OSError | None = None) -> str:
    """Reason why an open `port` went away; without an error, closed from the far side."""
    cause = f" ({error_text(error)})" if error else ""
    if port.startswith("socket://"):
        return f"{port} went away: the device server closed the connection or cannot be reached{cause}"
    return f"{port} went away: unplugged or switched off, or a second program reads it{cause}"


def error_text(error: BaseException) -> str:
    """Text of the system for the cause, or the error's own text."""
    cause, number = _cause(error), _number(error)
    if isinstance(cause, socket.gaierror) or number is None:
        return str(cause)
    return os.strerror(number).lower()


def _texts_of_path(port: str) -> dict[int, str]:
    return {
        errno.ENOENT: f"there is no {port}: see whether the device is plugged in and switched on",
        errno.EACCES: f"no permission to open {port}: put this account into the group the port belongs to",
        errno.EPERM: f"no permission to open {port}: see what the service's unit allows (DeviceAllow)",
        errno.EAGAIN: f"{port} is in use: another program has locked it, find it with `fuser {port}` and end it",
        errno.EBUSY: f"{port} is in use: another program holds it exclusively, find it with `fuser {port}` and end it",
        errno.ENOTTY: f"{port} is no serial port: correct the name",
        errno.EISDIR: f"{port} is no serial port but a directory: correct the name",
        errno.EINVAL: f"{port} does not support these settings: correct baud rate, bits, parity or stop bits",
    }


def _texts_of_host(port: str) -> dict[int, str]:
    unreachable = f"{port} cannot be reached: see whether the device server is switched on and on this network"
    return {
        errno.ECONNREFUSED: f"{port} refuses the connection: set the device server to raw TCP, and end its other user",
        errno.ETIMEDOUT: unreachable,
        errno.EHOSTUNREACH: unreachable,
        errno.ENETUNREACH: unreachable,
        socket.EAI_NONAME: f"{port} names no host that is known: correct the name",
        socket.EAI_AGAIN: f"{port} cannot be looked up just now: see whether the network is up, or use a number",
    }


def _cause(error: BaseException) -> BaseException:
    """Innermost cause of an error: the system's error inside the exceptions of libraries."""
    while error.__context__ is not None:
        error = error.__context__
    return error


def _number(error: BaseException) -> int | None:
    cause = _cause(error)
    if isinstance(cause, termios.error):  # is no OSError and has no errno
        return int(cause.args[0])
    if isinstance(cause, TimeoutError) and cause.errno is None:
        return errno.ETIMEDOUT
    return cause.errno if isinstance(cause, OSError) else None
