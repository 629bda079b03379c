"""Checks of a table's record for `tablectl doctor`: that it can be written, and that it agrees with the bus."""

import os
from pathlib import Path

from ..config.table_file import Config
from ..journal import is_there
from ..station.pc_checks import UnmetRequirement
from .requirements import require_record


def check_record(settings: Config, journal: Path, *, runs: bool) -> None:
    """Check that the table can continue this record. Raises UnmetRequirement, JournalError.

    `runs`: the table runs now; it is asked, and its file is not opened.
    """
    if runs:
        from .running_table import check_written

        check_written(settings)
        return
    if is_there(journal) and not os.access(journal, os.R_OK | os.W_OK):
        raise UnmetRequirement(
            f"{journal}: permission denied: give this file to the user of the table (chown tablectl:)"
        )
    require_record(settings, journal)


def check_bus(settings: Config, journal: Path) -> str:
    """Check the bus as `tablectl bus check` does; return its servers. Raises UnmetRequirement, Unusable."""
    if not settings.bus.servers:
        return "none"
    import asyncio

    from .bus_import import bus_imports  # imports all parts of a running table

    with bus_imports():
        from ..bus.checks import check_as_table
    if wrong := asyncio.run(check_as_table(settings.bus, settings.table.name, journal)):
        raise UnmetRequirement("; ".join(wrong))
    return f"{', '.join(settings.bus.servers)}: set up correctly"
