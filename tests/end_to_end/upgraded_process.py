"""Run `tablectl run` from a folder, and write the name of each module that is looked for to a file.

Arguments: the folder, the file, the config.
"""

import sys
from pathlib import Path

folder, told, config = sys.argv[1:]
FILE = Path(told).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115 - as long as the program runs


class Looking:
    """Import finder that only writes down the name of each module imported for the first time."""

    def find_spec(self, name: str, *_: object) -> None:
        FILE.write(f"{name}\n")


sys.path.insert(0, folder)
sys.meta_path.insert(0, Looking())

from controller.cli import main  # noqa: E402 - from that folder

sys.argv = ["tablectl", "run", config]
main()
