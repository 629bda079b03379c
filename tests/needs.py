"""Programs and rights that tests need: each is tried once; a test that lacks one fails and names it."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache

STRACE = "this test follows system calls: it needs Debian's strace, in a container also SYS_PTRACE"
UMOCKDEV = "this test plugs USB devices in: it needs Debian's umockdev, gir1.2-umockdev-1.0, python3-gi, libusb-1.0-0"
NETWORK = "this test has a network of its own: run it as root, or where user namespaces are allowed"
DEBIAN_PYTHON = "/usr/bin/python3"  # python3-gi is built for it
PRELOAD: Mapping[str, str] = {"LD_PRELOAD": "libumockdev-preload.so.0"}
BINDINGS = "import gi; gi.require_version('UMockdev', '1.0'); from gi.repository import UMockdev"


class MissingNeed(AssertionError):
    """The PC lacks something that a test needs."""


def strace(*options: object) -> list[object]:
    """Return the beginning of a command that runs another one under strace. Raises MissingNeed."""
    need(("strace", "-f", "-qq", "-o", os.devnull, "true"), STRACE)
    return ["strace", *options]


def umockdev() -> Mapping[str, str]:
    """Return the environment of programs that see the devices of a umockdev testbed. Raises MissingNeed."""
    need((DEBIAN_PYTHON, "-c", BINDINGS), UMOCKDEV, **PRELOAD)
    return PRELOAD


@cache
def need(command: Sequence[str], says: str, **environment: str) -> None:
    """Raise MissingNeed unless the command succeeds and writes nothing to standard error."""
    try:
        own = {**os.environ, **environment}
        ran = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
    except OSError as error:
        raise MissingNeed(f"{says}; {error}") from None
    if ran.returncode or ran.stderr:
        raise MissingNeed(f"{says}; {' '.join(ran.stderr.split()) or ran.returncode}")
