"""Where a table's files are, for commands that are not the service itself.

The one rule: a relative path of a config leads to the same file whoever reads it. For the service that is its state
folder (`StateDirectory` of systemd/tablectl@.service), for a table run by hand the folder it was started in.
"""

from pathlib import Path

CONFIGS = Path("/etc/tablectl")
STATES = Path("/var/lib/tablectl")


def home_of(config: Path) -> Path:
    """The folder that relative paths of this config start from."""
    state = STATES / config.stem
    return state if config.absolute().parent == CONFIGS and state.is_dir() else Path()
