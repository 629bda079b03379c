"""A shell in a mount namespace of its own: what it mounts, nobody else sees, and it is gone when the shell ends."""

import os
import subprocess
from collections.abc import Sequence

USER = () if os.geteuid() == 0 else ("--user", "--map-root-user")
# in a chroot the root directory is no mount point, and its propagation cannot be changed
WAYS = (("unshare", *USER, "--mount"), ("unshare", *USER, "--mount", "--propagation", "unchanged"))


def shell(script: str, folder: object, command: Sequence[object]) -> list[object]:
    """The command that runs `script`, in which "$0" is the folder, and then the command."""
    for way in WAYS:
        if subprocess.run([*way, "true"], capture_output=True, check=False).returncode == 0:
            return [*way, "sh", "-ec", f'{script}; exec "$@"', folder, *command]
    raise RuntimeError(
        "this test mounts a file system of its own: run it as root, or where user namespaces are allowed"
    )


def into(program: int, command: Sequence[object]) -> list[object]:
    """The command that runs a command where this program sees its mounts."""
    user = ("--user", "--preserve-credentials") if USER else ()
    return ["nsenter", "--target", program, *user, "--mount", *command]
