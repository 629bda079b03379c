"""Commands in a mount namespace of their own: no other program sees their mounts, which end with them."""

import os
import subprocess
import sys
from collections.abc import Sequence

USER = () if os.geteuid() == 0 else ("--user", "--map-root-user")
ENTER = """
import ctypes, os, sys
_, program, namespaces, *words = sys.argv
libc = ctypes.CDLL(None, use_errno=True)
for name in namespaces.split():
    with open(f"/proc/{program}/ns/{name}") as namespace:
        assert libc.setns(namespace.fileno(), 0) == 0, os.strerror(ctypes.get_errno())
from controller.cli import main
sys.argv = ["tablectl", *words]
main()
"""
# in a chroot the root directory is no mount point, and its propagation cannot be changed
WAYS = (("unshare", *USER, "--mount"), ("unshare", *USER, "--mount", "--propagation", "unchanged"))


def shell(script: str, folder: object, command: Sequence[object]) -> list[object]:
    """Return the command line that runs `script`, in which "$0" is the folder, and then `command`."""
    for way in WAYS:
        if subprocess.run([*way, "true"], capture_output=True, check=False).returncode == 0:
            return [*way, "sh", "-ec", f'{script}; exec "$@"', folder, *command]
    raise RuntimeError(
        "this test mounts a file system of its own: run it as root, or where user namespaces are allowed"
    )


def into(program: int, command: Sequence[object]) -> list[object]:
    """Return the command line that runs `command` in the mount namespace of a process."""
    user = ("--user", "--preserve-credentials") if USER else ()
    return ["nsenter", "--target", program, *user, "--mount", *command]


def tablectl_in(program: int, *words: object) -> list[str]:
    """Return the command for `processes.Program` that runs tablectl in the mount namespace of a process."""
    return [sys.executable, "-c", ENTER, str(program), "user mnt" if USER else "mnt", *map(str, words)]
