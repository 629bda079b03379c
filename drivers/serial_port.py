"""One serial port: its valid names, line settings, opening and closing.

This is the only module that touches pyserial.
"""

import os
import socket
import termios
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urlsplit

import serial
from serial.urlhandler import protocol_socket

from drivers.keyboards.node import Node

Line: TypeAlias = serial.Serial | protocol_socket.Serial

KEEPALIVE = ((socket.TCP_KEEPIDLE, 5), (socket.TCP_KEEPINTVL, 2), (socket.TCP_KEEPCNT, 3))  # silence noticed in 11 s

# pyserial raises any of these if a port vanishes while it is opened or closed. The last two are its own
# mistakes: it uses a descriptor or socket that has become None.
VANISHED = (serial.SerialException, OSError, termios.error, TypeError, AttributeError)


class UnusablePort(ValueError):
    """Name or setting of a port that can never work."""


@dataclass(frozen=True, slots=True)
class SerialSettings:
    """Settings of a serial line. Defaults are the Angel Eye's.

    A socket ignores them, since its device server has its own.
    """

    baud: int = 4800  # bits per second
    bytesize: int = 8
    parity: str = "N"  # N E O M S
    stopbits: float = 1

    def __post_init__(self) -> None:
        """Check the settings. Raises UnusablePort for what no port can do."""
        if self.baud <= 0:
            raise UnusablePort(f"expected a baud rate such as 4800, got {self.baud}")
        if self.bytesize not in (5, 6, 7, 8) or self.parity not in tuple("NEOMS") or self.stopbits not in (1, 1.5, 2):
            raise UnusablePort(f"expected settings such as 8N1, got {self.bytesize}{self.parity}{self.stopbits}")


def usable_port(port: str) -> str:
    """Return the name of a port; raises UnusablePort if it can never work."""
    if "://" not in port and port:
        return port
    with suppress(ValueError):
        url = urlsplit(port)
        if url.scheme == "socket" and url.hostname and url.port and not (url.path or url.query):
            return port
    raise UnusablePort(
        f"expected a device path such as /dev/table/shoe or socket://host:4001, got {port!r}; "
        "a device server is to be set to raw TCP (rfc2217 cannot be watched)"
    )


class _Connection(protocol_socket.Serial):
    """pyserial's connection, but without discarding the first bytes."""

    def reset_input_buffer(self) -> None:
        """Do nothing: a new connection holds no old data.

        Discarding would never end while data keeps coming.
        """


def open_port(port: str, settings: SerialSettings) -> Line:
    """Open the port. May block: up to five seconds for a connection, and for a name lookup."""
    kind = _Connection if is_socket(port) else serial.Serial
    line: Line = kind(
        None,
        baudrate=settings.baud,
        bytesize=settings.bytesize,
        parity=settings.parity,
        stopbits=settings.stopbits,
        timeout=0,
        exclusive=None if is_socket(port) else True,
    )
    line.port = port
    try:
        line.open()
        _prompt(line)
    except BaseException:
        close(line)
        raise
    return line


def _prompt(line: Line) -> None:
    """Set the port to deliver bytes at once, and to notice a dead network."""
    if isinstance(line, protocol_socket.Serial):
        with socket.socket(fileno=os.dup(line.fileno())) as twin:
            twin.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, seconds in KEEPALIVE:
                twin.setsockopt(socket.IPPROTO_TCP, option, seconds)
        return
    with suppress(ValueError, OSError):  # not every adapter can do this, and no pty can
        line.set_low_latency_mode(True)


def close(line: Line | Node) -> None:
    """Close the line. May block: pyserial waits 0.3 s on a socket, and a tty may drain."""
    # pyserial forgets a socket without closing it if the other end has reset the connection.
    left = getattr(line, "_socket", None)
    with suppress(*VANISHED):
        line.close()
    if left is not None:
        left.close()


def is_socket(port: str) -> bool:
    """True if the port is one of a device server."""
    return port.startswith("socket://")
