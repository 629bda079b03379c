"""Compare the size of log and journal when each refusal is logged, and when refusals are counted.

Each round has bets and as many refused bets. Before each round the game server is away for a while, and ten times a
second somebody tries to start a round. "told": each record is a log line with all its fields, each refused start is a
record. "counted": as the product does it.

    python -m tests.bench.refusals [--rounds N] [--bets N] [--away SECONDS]
"""

import argparse
import asyncio
import io
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import structlog

from controller.core import events as e
from controller.core.clock import SECOND
from controller.core.decide.input_groups import GroupPart
from controller.core.records import Record
from controller.core.refused_starts import RefusedStarts
from controller.core.views import view
from controller.journal import Journal, read
from controller.station.record_log import RecordLog
from controller.table.loop import Table
from tests.clocks import TableClock
from tests.table.test_table import HOUSE, NATURAL

ASKED = 10  # starts a second while the game server is away


class Load(NamedTuple):
    """Number of rounds, and the size of each."""

    rounds: int
    bets: int
    away: int  # seconds


class Each(RefusedStarts):
    """Refused starts that are all recorded, none only counted."""

    def counts(self, drafts: object) -> None:
        return None


def log_records(_: Table, records: Sequence[Record]) -> None:
    """Log a line for each record, with all its fields."""
    for record in records:
        event = view(record, "manager")
        structlog.get_logger().info(event.pop("kind"), **event)


def play(table: Table, clock: TableClock, load: Load) -> None:
    for _ in range(load.rounds):
        table.take(e.LostDevice("server"))
        for _ in range(load.away * ASKED):
            clock.ahead += SECOND // ASKED
            table.take(e.Open())
        table.take(e.FoundDevice("server"))
        table.take(e.Open())
        for market in ("player", "nothing"):
            bets = [GroupPart(e.PlaceBet(f"player{one}", market, 1000)) for one in range(load.bets)]
            while bets:
                bets = bets[table.take_some(bets) :]
        for event in (e.Close(), *map(e.CardOut, NATURAL), e.KeyPressed("finish")):
            table.take(event)


class Sizes(NamedTuple):
    """Lines and bytes of the log, records and bytes of the journal."""

    lines: int
    log: int
    records: int
    journal: int
    refused: int  # bets, in the journal


async def measured(
    path: Path, load: Load, log: Callable[[], Callable[[Table, Sequence[Record]], None]], starts: RefusedStarts
) -> Sizes:
    stream = io.StringIO()
    stamped = structlog.processors.TimeStamper(fmt="iso", utc=True, key="logged")
    structlog.configure(
        processors=[structlog.processors.add_log_level, stamped, structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    journal, clock = Journal(path), TableClock()
    table = Table(HOUSE, journal, clock)
    table._starts = starts
    table.subscribe(log())
    table.start("d1")
    play(table, clock, load)
    table.stop()
    journal.close()
    records = list(read(path))
    refused = sum(record.kind == "bet_refused" for record in records)
    text = stream.getvalue()
    return Sizes(text.count("\n"), len(text.encode()), len(records), path.stat().st_size, refused)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--rounds", type=int, default=20)
    words.add_argument("--bets", type=int, default=200, help="a round, and as many that are refused")
    words.add_argument("--away", type=int, default=30, help="seconds before each round in which no round can start")
    given = words.parse_args()
    load = Load(given.rounds, given.bets, given.away)
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        before = asyncio.run(measured(Path(folder) / "before", load, lambda: log_records, Each()))
        after = asyncio.run(measured(Path(folder) / "after", load, lambda: RecordLog("t1").hear, RefusedStarts()))
    print(json.dumps(load._asdict()))
    print(f"{'':18}{'told':>14}{'counted':>14}{'ratio':>8}")
    for name, was, now in zip(Sizes._fields, before, after, strict=True):
        print(f"{name:18}{was:>14,}{now:>14,}{was / max(now, 1):>7.1f}x")


if __name__ == "__main__":
    main()
