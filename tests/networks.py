"""Network namespace for a program: its only address is 127.0.0.1, until a test adds another one."""

import subprocess
import sys
from collections.abc import Sequence

from tests.mounts import USER
from tests.needs import NETWORK, need

# SIOCSIFFLAGS and SIOCSIFADDR of netdevice(7), as `ip link set lo up` and `ip address add` would
UP = """
import fcntl, os, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any:
    fcntl.ioctl(any, 0x8914, struct.pack("16sh", b"lo", 0x41))
os.execvp(sys.argv[1], sys.argv[1:])
"""
ADD = """
import fcntl, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any:
    address = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(sys.argv[1]))
    fcntl.ioctl(any, 0x8916, struct.pack("16s16s", b"lo:1", address))
"""
SET = """
import fcntl, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any:
    fcntl.ioctl(any, 0x8914, struct.pack("16sh", b"lo", int(sys.argv[1], 16)))
"""
GET = """
import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1], timeout=10).read().decode())
"""


def alone(*command: object) -> Sequence[object]:
    """Return the command line that runs a command in a network of its own. Raises MissingNeed."""
    need(("unshare", *USER, "--net", "true"), NETWORK)
    return ["unshare", *USER, "--net", sys.executable, "-c", UP, *command]


def add_address(program: int, address: str) -> None:
    """Add an IPv4 address to the network of a process."""
    _within(program, ADD, address)


def cut(program: int) -> None:
    """Disconnect the network of a process; its connections stay open and get no error."""
    _within(program, SET, "0x40")


def join(program: int) -> None:
    """Connect the network of a process again."""
    _within(program, SET, "0x41")


def get(program: int, url: str) -> str:
    """Request a URL inside the network of a process; return the text of the answer."""
    return _within(program, GET, url)


def _within(program: int, script: str, argument: str) -> str:
    user = ["--user", "--preserve-credentials"] if USER else []
    enter = ["nsenter", "--target", str(program), *user, "--net", sys.executable, "-c", script, argument]
    return subprocess.run(enter, capture_output=True, text=True, check=True, timeout=60).stdout
