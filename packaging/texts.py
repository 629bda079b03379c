"""Compiles the catalogues of texts, `.po`, to what the program reads, `.mo`: in each build, and by `make texts`."""

from pathlib import Path
from typing import Any

import polib
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALES = Path(__file__).parent.parent / "controller" / "text" / "locale"


def compiled() -> None:
    """Each language's, beside its source. What is there as it should be is let be: a tree may be for reading only."""
    for source in LOCALES.glob("*/LC_MESSAGES/*.po"):
        made, there = polib.pofile(str(source)).to_binary(), source.with_suffix(".mo")
        if not there.is_file() or there.read_bytes() != made:
            there.write_bytes(made)


class Texts(BuildHookInterface):
    """The build's, which finds it by its file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Before files are gathered."""
        compiled()


if __name__ == "__main__":
    compiled()
