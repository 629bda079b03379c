"""Table with a registry of persons: one for each role, and 106, who is both dealer and manager."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.config.badges import BadgeUse
from controller.config.people import PeopleFile
from controller.config.people_change import change_registry
from tests.patience import on_loop
from tests.pins import hashed_quickly
from tests.web.net import NetworkTable

PINS = {"101": "2581", "102": "2582", "103": "2583", "104": "2584", "105": "2585", "106": "2586"}
BADGES = {"101": "0004711815", "106": "04A2B9C1F0"}  # numbers as a badge reader types them
NAMES = {"101": "Dora", "102": "Sandu", "103": "Maria", "104": "Emil", "105": "Aurel", "106": "Livia"}
ROLES = {
    "101": ["dealer"],
    "102": ["supervisor"],
    "103": ["manager"],
    "104": ["engineer"],
    "105": ["auditor"],
    "106": ["dealer", "manager"],
}


@cache
def registry_content() -> bytes:
    """Return the content of the registry's file; made once."""
    with TemporaryDirectory() as folder:
        file = PeopleFile(Path(folder) / "people.toml")
        with hashed_quickly(), change_registry(file) as change:
            for number, pin in PINS.items():
                change.add(number, NAMES[number], ROLES[number], pin)
            for number, code in BADGES.items():
                change.set_badge(number, code)
        return file.path.read_bytes()


class Staffed(NetworkTable):
    """Table with a registry of persons. `badge`: whether a badge is enough, or needs the PIN too."""

    def __init__(self, path: Path, badge: BadgeUse = "with_pin") -> None:
        file = PeopleFile(path / "people.toml", badge=badge)
        file.path.write_bytes(registry_content())
        super().__init__(path, people=file)


def at_a_staffed_table(tmp_path, steps, badge: BadgeUse = "with_pin") -> None:
    async def at_it():
        async with Staffed(tmp_path, badge) as table:
            await steps(table)

    on_loop(at_it)
