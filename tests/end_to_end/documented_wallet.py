"""Wallet program written only from docs/game-server.md, docs/api.md and docs/resettlement.md.

`python -m tests.end_to_end.documented_wallet URL TOKEN FILE` follows a table until it is killed. It books each event in
one transaction in an SQLite file, with the event's number and epoch. It imports no code of this tree.
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
    """Balances of all players: sums of the booked amounts, each booked under an id of its own."""

    def __init__(self, file: str) -> None:
        self._db = sqlite3.connect(file, isolation_level=None)
        self._db.executescript(TABLES)

    def place(self) -> tuple[int, str]:
        """Return the number of the last booked event and its epoch; 0 and an empty text if none is booked."""
        return self._db.execute("SELECT seq, epoch FROM place").fetchone() or (0, "")

    def hear(self, number: int, event: dict[str, Any]) -> None:
        """Book an event once, however often it is received."""
        seq, epoch = self.place()
        if number <= seq:
            return
        if event["kind"] in ("configured", "loss_accepted"):
            epoch = event.get("epoch", epoch)
        self._db.execute("BEGIN IMMEDIATE")
        if event["kind"] == "loss_accepted":
            self._undo(number)
        for name, player, amount in movements(event):
            self._db.execute("INSERT INTO booked VALUES (?, ?, ?, ?)", (name, player, amount, number))
        self._go_on_from(number, epoch)
        self._db.execute("COMMIT")

    def lose(self, last: int, epoch: str) -> None:
        """Undo everything booked after the event `last`, and continue from there in the other epoch."""
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


def movements(event: dict[str, Any]) -> Iterator[tuple[str, str, int]]:
    """Yield each movement of an event: id, player, amount in minor units; below zero if the player pays."""
    kind = event["kind"]
    if kind == "resettled":
        for one in event["movements"]:
            yield one["id"], one["player"], one["difference"]
    elif kind in DEBITS | CREDITS and (movement := event.get("movement")):
        yield movement["id"], event["player"], movement["amount"] * (-1 if kind in DEBITS else 1)


def follow(wallet: Wallet, url: str, token: str) -> None:
    """Book events from the wallet's place on, until the connection ends; undo them if their epoch is lost."""
    seq, epoch = wallet.place()
    address = urlsplit(url)
    line = http.client.HTTPConnection(address.hostname or "", address.port, timeout=30)
    target = f"/api/v1/events?after={seq}" + (f"&epoch={epoch}" if epoch else "")
    line.request("GET", target, headers={"authorization": f"Bearer {token}"})
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
            for _ in range(2):  # an event may be received twice
                wallet.hear(number, json.loads(value))


def main(url: str, token: str, file: str) -> None:
    """Follow a table until killed; connect again whenever the table does not answer."""
    wallet = Wallet(file)
    while True:
        try:
            follow(wallet, url, token)
        except (OSError, http.client.HTTPException):
            time.sleep(0.05)


if __name__ == "__main__":
    main(*sys.argv[1:])
