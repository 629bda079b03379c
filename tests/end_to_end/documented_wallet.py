"""A wallet written from docs/game-server.md, docs/api.md and docs/resettlement.md alone, as a process of its own.

`python -m tests.end_to_end.documented_wallet URL TOKEN FILE` follows a table for ever. What it books is in an SQLite
file: each event in one transaction, with its number and epoch. It knows no other code of this tree.
"""

import http.client
import json
import sqlite3
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

DEBITS, CREDITS = {"bet_accepted", "decided"}, {"paid", "bet_withdrawn", "refunded"}
TABLES = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS place (seq INTEGER, epoch TEXT);
CREATE TABLE IF NOT EXISTS booked (id TEXT PRIMARY KEY, player TEXT, amount INTEGER, seq INTEGER);
CREATE TABLE IF NOT EXISTS undone (id TEXT, player TEXT, amount INTEGER, seq INTEGER);
"""


class Wallet:
    """What every player has: the sum of what was booked under ids that are all different."""

    def __init__(self, file: str) -> None:
        self._db = sqlite3.connect(file, isolation_level=None)
        self._db.executescript(TABLES)

    def place(self) -> tuple[int, str]:
        """Number of the last event that was booked, and its epoch; 0: none was."""
        return self._db.execute("SELECT seq, epoch FROM place").fetchone() or (0, "")

    def hear(self, number: int, event: dict[str, Any]) -> None:
        """Book an event, once, however often it comes."""
        seq, epoch = self.place()
        if number <= seq:
            return
        if event["kind"] in ("configured", "loss_accepted"):
            epoch = event.get("epoch", epoch)
        self._db.execute("BEGIN IMMEDIATE")
        if event["kind"] == "loss_accepted":
            self._undo(number)
        for name, player, amount in moved(event):
            self._db.execute("INSERT INTO booked VALUES (?, ?, ?, ?)", (name, player, amount, number))
        self._go_on_from(number, epoch)
        self._db.execute("COMMIT")

    def lose(self, last: int, epoch: str) -> None:
        """Undo what was booked after the last event that counts, and go on from there in the other epoch."""
        self._db.execute("BEGIN IMMEDIATE")
        self._undo(last + 1)
        self._go_on_from(last, epoch)
        self._db.execute("COMMIT")

    def _undo(self, first: int) -> None:
        self._db.execute("INSERT INTO undone SELECT * FROM booked WHERE seq >= ?", (first,))
        self._db.execute("DELETE FROM booked WHERE seq >= ?", (first,))

    def _go_on_from(self, seq: int, epoch: str) -> None:
        self._db.execute("DELETE FROM place")
        self._db.execute("INSERT INTO place VALUES (?, ?)", (seq, epoch))


def moved(event: dict[str, Any]) -> Iterator[tuple[str, str, int]]:
    """What an event moves: id, player, amount in minor units; below zero: the player gives it."""
    kind = event["kind"]
    if kind == "resettled":
        for one in event["movements"]:
            yield one["id"], one["player"], one["difference"]
    elif kind in DEBITS | CREDITS and (movement := event.get("movement")):
        yield movement["id"], event["player"], movement["amount"] * (-1 if kind in DEBITS else 1)


def follow(wallet: Wallet, url: str, token: str) -> None:
    """Ask for events from where the wallet is, until the line breaks."""
    seq, epoch = wallet.place()
    there = urlsplit(url)
    line = http.client.HTTPConnection(there.hostname or "", there.port, timeout=30)
    asked = f"/api/v1/events?after={seq}" + (f"&epoch={epoch}" if epoch else "")
    line.request("GET", asked, headers={"authorization": f"Bearer {token}"})
    answer = line.getresponse()
    if answer.status == 409:
        problem = json.loads(answer.read())
        if problem["reason"] != "epoch_lost":
            raise SystemExit(problem["reason"])
        wallet.lose(problem["last"], problem["epoch"])
        return
    if answer.status != 200:
        raise ConnectionError(answer.status)
    number = 0
    for text in answer:
        name, _, value = text.decode().rstrip("\n").partition(": ")
        if name == "id":
            number = int(value)
        elif name == "data":
            for _ in range(2):  # a line may tell twice
                wallet.hear(number, json.loads(value))


def main(url: str, token: str, file: str) -> None:
    """Follow a table for ever; a table that is not there is asked again."""
    wallet = Wallet(file)
    while True:
        try:
            follow(wallet, url, token)
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)


if __name__ == "__main__":
    main(*sys.argv[1:])
