"""Check that no installed package adds games or devices that the tests do not know."""

from importlib.metadata import entry_points

import pytest

GROUPS = tuple(f"tablectl.{kind}" for kind in ("games", "shoes", "panels", "beacons", "badge_readers"))


def refuse_foreign_packages() -> None:
    """Raise UsageError if such a package is installed: tests of all games would fail without a reason."""
    packages = {entry.dist.name for group in GROUPS for entry in entry_points(group=group) if entry.dist is not None}
    if packages:
        names = " ".join(sorted(packages))
        raise pytest.UsageError(
            f"expected a Python without packages that add games or devices, found {names}: pip uninstall {names}"
        )
