"""Paths of a table's files for commands outside the service, and folders of the PC.

A relative path in a config leads to the same file for every command: it starts at the service's state folder
(`StateDirectory` of systemd/tablectl@.service), for a table run by hand at the folder it was started in.
No other module names a folder of the PC. TABLECTL_ROOT in the environment is the folder that stands for /.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = "TABLECTL_ROOT"
CONFIGS, STATES, SOCKETS, RUNTIMES = "/etc/tablectl", "/var/lib/tablectl", "/run/tablectl", "/run/user"


def pc_folder(folder: str, environment: Mapping[str, str] = os.environ) -> Path:
    """A folder of this PC, below TABLECTL_ROOT where that is set."""
    return Path(environment.get(ROOT) or "/", folder.lstrip("/"))


def is_of_a_service(config: Path) -> bool:
    """True if a service runs the table of this config."""
    return config.absolute().parent == pc_folder(CONFIGS)


def home_of(config: Path) -> Path:
    """The folder that relative paths of this config start from."""
    state = pc_folder(STATES) / config.stem
    return state if is_of_a_service(config) and state.is_dir() else Path()


def future_home_of(config: Path) -> Path:
    """Working folder of a config, as `home_of`.

    Before the first start of a service: the folder in which its state folder will be made.
    """
    home, states = home_of(config), pc_folder(STATES)
    return states if home == Path() and is_of_a_service(config) and states.is_dir() else home


@contextmanager
def change_directory(folder: Path) -> Iterator[None]:
    """Change the working directory to a folder, and back at the end if this user may enter the old one.

    `sudo -u tablectl tablectl takeover ...` starts in the home folder of the caller, which may be closed to others.
    """
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        with suppress(PermissionError):
            os.chdir(before)


def lasting_folder(environment: Mapping[str, str]) -> Path | None:
    """Folder of a service that outlives its state folder; None for a table run by hand.

    systemd makes the state folder anew where somebody has moved it.
    """
    state = environment.get("STATE_DIRECTORY")
    folder = Path(state).with_name(".begun") if state else None
    return folder if folder is not None and folder.is_dir() else None


def users_of(journal: Path) -> Path:
    """The users' file of the table with this journal, where its config names none."""
    return journal.with_suffix(".users")
