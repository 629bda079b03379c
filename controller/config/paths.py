"""Where a table's files are, for commands that are not the service itself.

A relative path of a config leads to the same file whoever reads it. For the service that is its state
folder (`StateDirectory` of systemd/tablectl@.service), for a table run by hand the folder it was started in.
"""

from collections.abc import Mapping
from pathlib import Path

CONFIGS = Path("/etc/tablectl")
STATES = Path("/var/lib/tablectl")


def home_of(config: Path) -> Path:
    """The folder that relative paths of this config start from."""
    state = STATES / config.stem
    return state if config.absolute().parent == CONFIGS and state.is_dir() else Path()


def elsewhere(environment: Mapping[str, str]) -> Path | None:
    """For a service, a folder that outlives its state folder, which systemd makes anew where somebody has moved it."""
    state = environment.get("STATE_DIRECTORY")
    folder = Path(state).with_name(".begun") if state else None
    return folder if folder is not None and folder.is_dir() else None


def users_of(journal: Path) -> Path:
    """The users' file of the table with this journal, where its config names none."""
    return journal.with_suffix(".users")
