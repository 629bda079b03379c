"""`tablectl run` out of a folder: writes into a file the name of each module that is looked for.

Arguments: the folder, the file, the config.
"""

import sys
from pathlib import Path

folder, told, config = sys.argv[1:]
FILE = Path(told).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115 - as long as the program runs


class Looking:
    """Hears of whatever is imported for the first time, and finds nothing itself."""

    def find_spec(self, name: str, *_: object) -> None:
        FILE.write(f"{name}\n")


sys.path.insert(0, folder)
sys.meta_path.insert(0, Looking())

from controller.cli import main  # noqa: E402 - from that folder

sys.argv = ["tablectl", "run", config]
main()
