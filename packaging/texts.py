"""Compile the catalogues of texts from `.po` to `.mo` files: in each build, and by `make texts`."""

from pathlib import Path
from typing import Any

import polib
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALES = Path(__file__).parent.parent / "controller" / "text" / "locale"


def compiled() -> None:
    """Compile each language's catalogue beside its source. Correct files stay: a tree may be read-only."""
    for source in LOCALES.glob("*/LC_MESSAGES/*.po"):
        made, there = polib.pofile(str(source)).to_binary(), source.with_suffix(".mo")
        if not there.is_file() or there.read_bytes() != made:
            there.write_bytes(made)


class Texts(BuildHookInterface):
    """Hatchling's build hook, found by the path of this file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Compile the catalogues before the build collects its files."""
        compiled()


if __name__ == "__main__":
    compiled()
