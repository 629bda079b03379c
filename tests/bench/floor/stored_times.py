"""Note when each fault is durable in the floor's store: SQLite shows a reader only committed rows."""

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

LOOK = 0.001  # seconds between two looks


class StoredTimes:
    """Context manager that reads the store in a thread of its own. `at`: time by table and record number."""

    def __init__(self, store: Path) -> None:
        self.at: dict[tuple[str, int], float] = {}
        self._store = store
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "StoredTimes":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def all(self, faults: set[tuple[str, int]], patience: float = 60.0) -> None:
        """Wait until all these faults are in the store, for at most `patience` seconds."""
        until = time.monotonic() + patience
        while not faults <= self.at.keys() and time.monotonic() < until:
            time.sleep(LOOK)

    def _look(self) -> None:
        with closing(sqlite3.connect(f"{self._store.absolute().as_uri()}?mode=ro", uri=True)) as db:
            last_version = None
            while not self._ends.wait(LOOK):
                (version,) = db.execute("PRAGMA data_version").fetchone()
                if version != last_version:
                    now, last_version = time.monotonic(), version
                    for table, seq in db.execute("SELECT table_, seq FROM faults"):
                        self.at.setdefault((table, seq), now)


def count(store: Path) -> int:
    """Return the number of events in a floor's store."""
    with closing(sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True)) as db:
        (number,) = db.execute("SELECT count(*) FROM events").fetchone()
    return int(number)
